import { describe, expect, it } from 'vitest';
import type { RgbaImage } from '../../pixels/src/pixels.ts';
import { decodeSrgb, oklabFromLinear, type Rgb } from '../../pixels/src/srgb.ts';
import { gainLimits, gradeProduct, MAX_SHIFT } from './grade-product.ts';
import type { ProductLight } from './product-light.ts';

const tone = { exposure: 1, grain: 0, vignette: 0 };
const side = 160;
const linear = (level: number): number => decodeSrgb(level / 255);

/** Vertical stripes of many colors, with alpha rising from top to bottom. */
function paintStripes(): RgbaImage {
  const data = new Uint8Array(side * side * 4);
  for (let i = 0; i < side * side; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    data.set([(x * 37) & 255, (x * 91) & 255, (x * 149) & 255, Math.min(255, y * 2)], i * 4);
  }
  return { width: side, height: side, data };
}

function paint(color: Rgb): RgbaImage {
  const data = new Uint8Array(side * side * 4);
  for (let i = 0; i < side * side; i++) data.set([...color, 255], i * 4);
  return { width: side, height: side, data };
}

/** `at` returns the light of the cell at (`u`, `v`), each 0 to 1. */
function shine(at: (u: number, v: number) => Rgb): ProductLight {
  const [columns, rows] = [24, 24];
  const light = new Float32Array(columns * rows * 3);
  const sum = [0, 0, 0];
  for (let cell = 0; cell < columns * rows; cell++) {
    const color = at((cell % columns) / columns, Math.floor(cell / columns) / rows);
    light.set(color, cell * 3);
    for (let c = 0; c < 3; c++) sum[c] = sum[c]! + color[c]! / (columns * rows);
  }
  return { columns, rows, light, mean: [sum[0]!, sum[1]!, sum[2]!] };
}

const even = (color: Rgb): ProductLight => shine(() => color);
const meanOf = ({ data }: RgbaImage): Rgb => {
  const mean = [0, 0, 0];
  for (let i = 0; i < data.length; i += 4) {
    for (let c = 0; c < 3; c++) mean[c] = mean[c]! + linear(data[i + c]!) / (data.length / 4);
  }
  return [mean[0]!, mean[1]!, mean[2]!];
};

describe('gradeProduct', () => {
  it.each([
    ['darkness', even([0.01, 0.01, 0.01])],
    ['a floodlight', even([20, 20, 20])],
    ['a red lamp', even([2, 0.1, 0.05])],
    ['hard shadows', shine((u, v) => ((u * 6 + v * 4) % 1 > 0.5 ? [2, 2, 2] : [0.02, 0.02, 0.02]))],
    ['no light at all', even([0, 0, 0])],
  ])('keeps alpha, and changes no color beyond the gain limits, in %s', (_, light) => {
    const image = paintStripes();
    const before = image.data.slice();
    const { data } = gradeProduct(image, light, tone);
    expect(image.data).toEqual(before);
    const isWithin = (at: number): boolean => {
      const [low, high] = gainLimits.map((gain) => levelOf(linear(before[at]!) * gain));
      return data[at]! + 1.01 >= low! && data[at]! - 1.01 <= high!;
    };
    const broken = [...data.keys()].filter((at) => (at % 4 === 3 ? data[at] !== before[at] : !isWithin(at)));
    expect(broken).toEqual([]);
  });

  it('returns the same bytes when it is repeated', () => {
    const light = shine((u, v) => [u + 0.5, 1, v + 0.5]);
    const [one, other] = [
      gradeProduct(paintStripes(), light, tone),
      gradeProduct(paintStripes(), light, tone),
    ];
    expect(Buffer.compare(one.data, other.data)).toBe(0);
  });

  it('warms a bluish white in warm light, and limits the color shift', () => {
    const image = paint([205, 215, 230]);
    const before = meanOf(image);
    const graded = meanOf(gradeProduct(image, even([1.3, 1, 0.6]), tone));
    expect(graded[0] / graded[2]).toBeGreaterThan(1.08 * (before[0] / before[2]));
    const bright = paint([240, 120, 60]);
    for (const light of [even([2, 1, 0.2]), even([0.2, 1, 2])]) {
      const mean = meanOf(gradeProduct(bright, light, tone));
      const scale = 2 ** 0.35;
      const [own, now] = [oklabFromLinear(meanOf(bright)), oklabFromLinear(mean)];
      expect(Math.hypot(now[1] - own[1], now[2] - own[2])).toBeLessThan(MAX_SHIFT * Math.cbrt(scale) + 0.02);
    }
  });

  it('brightens a product in bright light without clipping it, and darkens a product in a dark set', () => {
    const image = paint([150, 150, 150]);
    expect(meanOf(gradeProduct(image, even([1.5, 1.5, 1.5]), tone))[1]).toBeGreaterThan(meanOf(image)[1]);
    expect(meanOf(gradeProduct(image, even([0.15, 0.15, 0.15]), tone))[1]).toBeLessThan(meanOf(image)[1]);
    const shiny = paint([40, 70, 150]);
    shiny.data.set([255, 255, 255], 4 * 5000);
    const { data } = gradeProduct(shiny, even([1.5, 1.5, 1.5]), tone);
    expect(data[1]).toBeGreaterThan(75);
    expect([...data.subarray(4 * 5000, 4 * 5000 + 3)]).toEqual([255, 255, 255]);
  });

  it('shows the pattern of the light on the product, without visible steps', () => {
    const light = shine((u) => (u < 0.5 ? [1.2, 1.2, 1.2] : [0.5, 0.5, 0.5]));
    const { data } = gradeProduct(paint([160, 160, 160]), light, tone);
    const row = Array.from({ length: side }, (_, x) => data[(80 * side + x) * 4]!);
    expect(row[20]! - row[140]!).toBeGreaterThan(10);
    for (let x = 1; x < side; x++) expect(Math.abs(row[x]! - row[x - 1]!)).toBeLessThan(7);
  });

  it('shows a fainter but more strongly colored pattern on a pale product than on a gray one', () => {
    const light = shine((u) => (u < 0.5 ? [1.2, 1.2, 1.2] : [0.5, 0.52, 0.58]));
    const across = (level: number) => {
      const { data } = gradeProduct(paint([level, level, level]), light, tone);
      const at = (x: number): Rgb => {
        const from = (80 * side + x) * 4;
        return [linear(data[from]!), linear(data[from + 1]!), linear(data[from + 2]!)];
      };
      const [lit, shaded] = [at(20), at(140)];
      return {
        contrast: lit[1] / shaded[1],
        tint: shaded[2] / shaded[0] / (lit[2] / lit[0]),
      };
    };
    const [pale, gray] = [across(215), across(110)];
    expect(pale.contrast).toBeGreaterThan(1.15);
    expect(pale.contrast).toBeLessThan(0.8 * gray.contrast);
    expect(pale.tint - 1).toBeGreaterThan(1.3 * (gray.tint - 1));
  });

  it('tints only the part of the product that receives colored light', () => {
    const light = shine((_, v) => (v > 0.8 ? [1, 0.8, 0.6] : [1, 1, 1]));
    const { data } = gradeProduct(paint([160, 160, 160]), light, tone);
    const at = (y: number): number => data[(y * side + 80) * 4]! - data[(y * side + 80) * 4 + 2]!;
    expect(at(150) - at(20)).toBeGreaterThan(8);
  });
});

function levelOf(value: number): number {
  const coded = value <= 0.0031308 ? value * 12.92 : 1.055 * Math.min(1, value) ** (1 / 2.4) - 0.055;
  return 255 * coded;
}
