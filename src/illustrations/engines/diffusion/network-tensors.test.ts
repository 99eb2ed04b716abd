import { describe, expect, it } from 'vitest';
import { Tensor } from '../../../onnxruntime.ts';
import { fromHalf, makeTensor, readNumbers, toHalf } from './network-tensors.ts';

describe('half precision', () => {
  it('round-trips every representable number', () => {
    for (let bits = 0; bits < 65_536; bits++) {
      const value = fromHalf(bits);
      if (!Number.isNaN(value)) expect(toHalf(value)).toBe(bits);
    }
  });

  // The bits are those that Python's struct.pack('e', …) writes.
  it.each([
    [0.1, 0x2e66],
    [-14.6146, 0xcb4f],
    [65_519, 0x7bff],
    [65_520, 0x7c00],
    [2 ** -25, 0x0000],
    [1.0001 * 2 ** -25, 0x0001],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [Number.NaN, 0x7e00],
  ])('rounds %d to the nearest half-precision number, ties to even', (value, bits) => {
    expect(toHalf(value)).toBe(bits);
  });
});

describe('a tensor', () => {
  it.each(['float32', 'float16'] as const)('of %s round-trips its values', (type) => {
    const tensor = makeTensor(Float32Array.of(0.5, -2, 999), type, [1, 3]);
    expect(tensor.dims).toEqual([1, 3]);
    expect(readNumbers(tensor)).toEqual(Float32Array.of(0.5, -2, 999));
  });

  it('of integers keeps their bit width', () => {
    expect(makeTensor([49_406, 0], 'int64', [1, 2]).data).toEqual(BigInt64Array.of(49_406n, 0n));
    expect(makeTensor([49_406, 0], 'int32', [1, 2]).data).toEqual(Int32Array.of(49_406, 0));
  });

  it('of another element type is rejected', () => {
    expect(readNumbers(new Tensor('uint8', Uint8Array.of(1), [1]))).toBeUndefined();
  });
});
