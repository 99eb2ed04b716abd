import { describe, expect, it } from 'vitest';
import { modelDescriptionSchema } from './onnx-description.ts';
import { chooseInputSize } from './onnx-input.ts';

const read = (input: object) =>
  modelDescriptionSchema.shape.input.parse({ mean: [0, 0, 0], std: [1, 1, 1], ...input });
const sizeOf = (input: object, width: number, height: number) => {
  const size = chooseInputSize(read(input), { width, height });
  return [size.width, size.height];
};
const dynamic = { multipleOf: 64, min: 256, max: 2304 };

describe('the input size for a photo', () => {
  it('is the size in the description, whatever the size of the photo', () => {
    expect(sizeOf({ width: 1024, height: 768 }, 3000, 100)).toEqual([1024, 768]);
  });

  it.each([
    ["the photo's own size, rounded to multiples", [1000, 700], [1024, 704]],
    ["the photo's own size at the limits", [2304, 256], [2304, 256]],
    ['reduced to the limit, with the same ratio', [4608, 3072], [2304, 1536]],
    ['enlarged to the minimum side', [100, 150], [256, 384]],
    ['within the limits even for an extreme ratio', [6000, 60], [2304, 256]],
  ])('is %s', (_, [width, height], expected) => {
    expect(sizeOf({ dynamic }, width!, height!)).toEqual(expected);
  });

  it('stays within a maximum number of pixels', () => {
    const limited = { dynamic: { ...dynamic, maxPixels: 1536 * 1536 } };
    expect(sizeOf(limited, 4000, 4000)).toEqual([1536, 1536]);
    for (const [width, height] of [
      [4000, 3000],
      [3000, 4000],
      [5000, 1100],
    ] as const) {
      const [fedWidth, fedHeight] = sizeOf(limited, width, height) as [number, number];
      expect(fedWidth * fedHeight).toBeLessThanOrEqual(1536 * 1536);
      expect(Math.abs(Math.log(fedWidth / fedHeight / (width / height)))).toBeLessThan(0.1);
    }
  });
});

describe('the input section of a description', () => {
  it.each([
    [{ width: 64 }, /width\W+and\W+height\W+or\W+dynamic/],
    [{ width: 64, height: 64, dynamic }, /width\W+and\W+height\W+or\W+dynamic/],
    [{ dynamic: { ...dynamic, min: 250 } }, /multiples of\W+multipleOf/],
    [{ dynamic: { ...dynamic, max: 9_999 } }, /at most 4096/],
  ])('refuses %j', (input, message) => {
    expect(() => read(input)).toThrow(message);
  });
});
