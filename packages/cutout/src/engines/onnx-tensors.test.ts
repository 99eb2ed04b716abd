import { describe, expect, it } from 'vitest';
import { Tensor } from '../onnxruntime.ts';
import { makeInputTensor, readPlane } from './onnx-tensors.ts';

const levels = [0, 1, 51, 128, 255];

describe('a half-precision input', () => {
  // Bit patterns as Python's struct.pack('e', …) writes them.
  it.each([
    [0, 1, [0x0000, 0x1c04, 0x3266, 0x3804, 0x3c00]],
    [0.485, 0.229, [0xc03c, 0xc034, 0xbcfa, 0x2cbd, 0x407f]],
    [0.1, 0.001, [0xd640, 0xd601, 0x5640, 0x5e48, 0x6308]],
  ])('contains the nearest half-precision values for mean %d and std %d', (mean, std, bits) => {
    const pixels = Uint8Array.from(levels.flatMap((level) => [level, 0, 0]));
    const picture = { width: 5, height: 1, data: pixels };
    const tensor = makeInputTensor(picture, 'float16', { mean: [mean, 0, 0], std: [std, 1, 1] });
    expect([...(tensor.data as Uint16Array)].slice(0, 5)).toEqual(bits);
  });
});

describe('the plane of an output', () => {
  const plain = { activation: 'none' as const, range: 'none' as const };
  const six = Float32Array.of(1, 2, 3, 4, 5, 6);

  it.each([[[1, 1, 2, 3]], [[1, 2, 3]], [[2, 3]]])('is read from the shape %j', (dims) => {
    const plane = readPlane(new Tensor('float32', six, dims), plain);
    expect(plane).toEqual({ width: 3, height: 2, data: six });
  });

  it('is the channel that the description names if the output has several', () => {
    const second = { ...plain, channel: 1 };
    expect([...readPlane(new Tensor('float32', six, [1, 2, 1, 3]), second).data]).toEqual([4, 5, 6]);
  });

  it('contains subnormal, huge and infinite half-precision values, and NaN', () => {
    const bits = Uint16Array.of(0x0001, 0x8001, 0x3c00, 0x7bff, 0x7c00, 0x7e00);
    const { data } = readPlane(new Tensor('float16', bits, [2, 3]), plain);
    expect([...data]).toEqual([2 ** -24, -(2 ** -24), 1, 65_504, Number.POSITIVE_INFINITY, Number.NaN]);
  });

  it.each([[[6]], [[2, 1, 1, 3]], [[1, 1, 1, 2, 3]]])('is not guessed from the shape %j', (dims) => {
    expect(() => readPlane(new Tensor('float32', six, dims), plain)).toThrow(/returns the shape/);
  });
});
