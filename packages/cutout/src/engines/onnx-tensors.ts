/** Runs a network: converts a picture to its input tensor, and its output tensor to a plane. */

import { PackshotError } from 'packshot-errors';
import type { RgbImage } from 'packshot-pixels';
import { type InferenceSession, Tensor } from '../onnxruntime.ts';
import { fromHalves, toHalf } from './half-precision.ts';
import type { ModelDescription } from './onnx-description.ts';

export type InputType = 'float32' | 'float16';

/** One channel, row-major, in the network's own units or, after activation, from 0 to 1. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** `picture` has the size of the network's input. */
export function makeInputTensor(
  { width, height, data: pixels }: RgbImage,
  type: InputType,
  { mean, std }: { readonly mean: readonly number[]; readonly std: readonly number[] },
): Tensor {
  const plane = width * height;
  const values = { float32: Float32Array, float16: Uint16Array }[type];
  const input = new values(3 * plane);
  for (let channel = 0; channel < 3; channel++) {
    // A table of 256 levels per channel avoids arithmetic per pixel.
    const levels = new values(256);
    for (let value = 0; value < 256; value++) {
      const fed = (value / 255 - mean[channel]!) / std[channel]!;
      levels[value] = type === 'float16' ? toHalf(fed) : fed;
    }
    let at = channel * plane;
    for (let i = 0, p = channel; i < plane; i++, p += 3, at++) input[at] = levels[pixels[p]!]!;
  }
  const tensor = new Tensor(type, input, [1, 3, height, width]);
  // From Node 24 on, `onnxruntime-node` converts half-precision values to a Float16Array, whose length the
  // library's native code reads as 0 (microsoft/onnxruntime pull request 32323, not part of 1.30). The native
  // code also accepts a Uint16Array of the same bits.
  if (type === 'float16') Object.defineProperty(tensor, 'data', { value: input });
  return tensor;
}

/** Only the named output is returned, but the runtime computes the others, too. */
export async function runNetwork(
  session: InferenceSession,
  input: { readonly name: string; readonly tensor: Tensor },
  output: string,
): Promise<Tensor> {
  try {
    const answers = await session.run({ [input.name]: input.tensor }, [output]);
    return answers[output] as Tensor;
  } catch (error) {
    throw new PackshotError('internal', 'The removal model failed on this photo.', { cause: error });
  }
}

/**
 * Returns the product's channel in the network's own units, or after the `softmax` over the channels if the description
 * requests it. Throws `internal` if the tensor does not match the description.
 */
export function readPlane(tensor: Tensor, { activation, channel }: ModelDescription['output']): Plane {
  const { channels, width, height } = readShape(tensor.dims);
  const values = toFloats(tensor);
  if (channels > 1 && channel === undefined)
    throw doesNotFit(
      `the model returns ${channels} channels: set output.channel to the product's, starting from 0`,
    );
  const chosen = channel ?? 0;
  if (chosen >= channels)
    throw doesNotFit(`output.channel is ${chosen}, but the model returns ${channels} channels`);
  if (activation === 'softmax' && channels < 2)
    throw doesNotFit('output.activation is softmax, but the model returns one channel');

  const size = width * height;
  const data = values.slice(chosen * size, (chosen + 1) * size);
  if (activation !== 'softmax') return { width, height, data };
  for (let i = 0; i < size; i++) {
    // e^v / sum(e^each). Numerator and denominator are divided by e^v, which may be too large for a number.
    let sum = 0;
    for (let at = i; at < values.length; at += size) sum += Math.exp(values[at]! - data[i]!);
    data[i] = 1 / sum;
  }
  return { width, height, data };
}

/**
 * Applies the sigmoid and the min-max stretch in place, if the description requests them. The stretch turns a constant
 * plane into 0.
 */
export function activate({ data }: Plane, { activation, range }: ModelDescription['output']): void {
  if (activation === 'sigmoid') for (let i = 0; i < data.length; i++) data[i] = 1 / (1 + Math.exp(-data[i]!));
  if (range === 'none') return;
  const [low, high] = findExtremes(data);
  const spread = high - low;
  for (let i = 0; i < data.length; i++) data[i] = spread < 1e-6 ? 0 : (data[i]! - low) / spread;
}

/** Minimum and maximum. Throws `internal` if a value is NaN, which fp16 graphs return when they overflow. */
export function findExtremes(data: Float32Array): [low: number, high: number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of data) {
    if (Number.isNaN(value))
      throw new PackshotError('internal', 'The removal model returned values that are not numbers.');
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

export function doesNotFit(what: string): PackshotError {
  return new PackshotError('internal', `The removal model does not match its description: ${what}.`);
}

/** [height, width] and [1, height, width] are one plane. */
function readShape(dims: readonly number[]) {
  const [width, height, channels = 1, batch = 1] = dims.toReversed();
  if (dims.length < 2 || dims.length > 4 || batch !== 1)
    throw doesNotFit(`the model returns the shape [${dims.join(', ')}], not one plane or several channels`);
  return { channels, height: height!, width: width! };
}

function toFloats({ type, data }: Tensor): Float32Array {
  if (type === 'float32') return data as Float32Array;
  if (type !== 'float16') throw doesNotFit(`the model returns ${type}; float32 and float16 are supported`);
  const { buffer, byteOffset, length } = data as Uint16Array;
  // On Node 24, `data` is a Float16Array; on Node 22, it is a Uint16Array of the same bits.
  return fromHalves(new Uint16Array(buffer, byteOffset, length));
}
