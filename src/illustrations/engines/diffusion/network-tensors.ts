/** Converts between number arrays and tensors of the element type that a network requires. */
import { Tensor } from '../../../onnxruntime.ts';

export const numberTypes = ['float32', 'float16', 'int64', 'int32'] as const;
export type NumberType = (typeof numberTypes)[number];

export function makeTensor(
  values: Float32Array | readonly number[],
  type: NumberType,
  dims: readonly number[],
): Tensor {
  switch (type) {
    case 'float32':
      return new Tensor('float32', Float32Array.from(values), dims);
    case 'int32':
      return new Tensor('int32', Int32Array.from(values), dims);
    case 'int64':
      return new Tensor('int64', BigInt64Array.from(values as readonly number[], BigInt), dims);
    case 'float16': {
      const halves = Uint16Array.from(values as readonly number[], toHalf);
      const tensor = new Tensor('float16', halves, dims);
      // From Node 24 on, onnxruntime puts half-precision numbers into a Float16Array. Its native side then reads the
      // array's length as 0 (microsoft/onnxruntime pull request 32323, open in 1.30), but accepts the raw bits.
      Object.defineProperty(tensor, 'data', { value: halves });
      return tensor;
    }
    default:
      return type satisfies never;
  }
}

/** Returns undefined for element types other than float32 and float16. */
export function readNumbers({ type, data }: Tensor): Float32Array | undefined {
  if (type === 'float32') return data as Float32Array;
  if (type !== 'float16') return undefined;
  // Node 24 returns a Float16Array here, Node 22 a Uint16Array with the same bits.
  const { buffer, byteOffset, length } = data as Uint16Array;
  return Float32Array.from(new Uint16Array(buffer, byteOffset, length), fromHalf);
}

/** Returns the bits of the nearest half-precision number (IEEE 754-2008, binary16), ties to even. */
export function toHalf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (size >= 65_520) return sign | 0x7c00;
  // Halves below 2^-14 are subnormal and evenly spaced, 2^-24 apart.
  const exponent = size < 2 ** -14 ? -14 : Math.floor(Math.log2(size));
  const steps = roundToEven(size * 2 ** (10 - exponent));
  // If rounding makes `steps` 2048, the addition carries into the exponent.
  return sign | (size < 2 ** -14 ? steps : ((exponent + 15) << 10) + (steps - 1024));
}

function roundToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}

export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}
