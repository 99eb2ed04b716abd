import { describe, expect, it } from 'vitest';
import type { RgbaImage } from '../../../pixels/src/pixels.ts';
import { measureRimElevation } from './rim.ts';

const width = 180;
const height = 200;
type Color = readonly [number, number, number];
type Pixel = (x: number, y: number) => Color | undefined;

/** Draws the product; `colorAt` returns undefined outside it. */
function draw(colorAt: Pixel): RgbaImage {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = colorAt(x + 0.5, y + 0.5);
      if (color) data.set([...color, 255], (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

const outside: Color = [210, 205, 200];
const inside: Color = [160, 155, 150];
const radius = 70;
/** Height of the rim's ellipse divided by its width: the tangent of the elevation as seen from the rim. */
const ratioOf = (degrees: number): number => Math.tan((degrees * Math.PI) / 180);

interface Cup {
  readonly rimDeg: number;
  readonly body?: Pixel;
  readonly content?: Pixel;
  readonly tilt?: number;
  readonly handle?: boolean;
}

/** A cylinder with a rounded foot, seen from above. */
function cup({ rimDeg, body = () => outside, content = () => inside, tilt = 0, handle = false }: Cup): Pixel {
  const minor = radius * ratioOf(rimDeg);
  return (x, y) => {
    const t = (x - radius - 2) / radius;
    const row = y - 4 - tilt * t;
    if (handle && Math.abs(Math.hypot(x - 142, y - 90) - 30) < 8 && x > 140) return outside;
    if (Math.abs(t) >= 1) return undefined;
    const half = Math.sqrt(1 - t * t);
    if (row < minor * (1 - half) || row > 185 - 30 * (1 - half)) return undefined;
    return row < minor * (1 + half) ? content(x, y) : body(x, y);
  };
}

describe('the elevation from a rim', () => {
  it.each([8, 12, 18])(
    'is converted to that seen from the foot, which is higher than the %i degrees seen from the rim',
    (rimDeg) => {
      const elevation = measureRimElevation(draw(cup({ rimDeg })))!;
      expect(elevation).toBeGreaterThan(rimDeg + 5);
      expect(elevation).toBeLessThan(rimDeg + 13);
    },
  );

  it('rises with the rim’s ellipse', () => {
    const [low, middle, high] = [8, 12, 18].map((rimDeg) => measureRimElevation(draw(cup({ rimDeg })))!);
    expect(middle).toBeGreaterThan(low! + 2);
    expect(high).toBeGreaterThan(middle! + 3);
  });

  it('ignores a handle and a slight tilt of the photo', () => {
    const plain = measureRimElevation(draw(cup({ rimDeg: 14 })))!;
    expect(measureRimElevation(draw(cup({ rimDeg: 14, handle: true })))).toBeCloseTo(plain, -0.5);
    expect(measureRimElevation(draw(cup({ rimDeg: 14, tilt: 2 })))).toBeCloseTo(plain, -0.5);
  });

  it('is found on a flat lid of another color', () => {
    expect(measureRimElevation(draw(cup({ rimDeg: 12, content: () => [120, 40, 30] })))).toBeDefined();
  });

  it.each<[string, Pixel]>([
    ['a dome', cup({ rimDeg: 18, content: () => outside })],
    ['a ball', (x, y) => (Math.hypot(x - 90, y - 90) < 88 ? outside : undefined)],
    ['a box', (x, y) => (x > 10 && x < 170 && y > 10 ? (y < 40 ? inside : outside) : undefined)],
    [
      'a dome with a straight stripe',
      cup({
        rimDeg: 18,
        content: (_, y) => (y > 42 ? inside : outside),
        body: (_, y) => (y < 60 ? inside : outside),
      }),
    ],
    [
      'a dome with a pattern',
      cup({
        rimDeg: 18,
        content: (x, y) => (Math.sin(x / 2) * Math.sin(y / 2) > 0 ? inside : outside),
        body: (x, y) => (Math.sin(x / 2) * Math.sin(y / 2) > 0 ? inside : outside),
      }),
    ],
    [
      'a pot with leaves that hide its far rim',
      (x, y) => {
        const leaf = Math.abs(Math.sin(x / 11)) * 60 + 10;
        if (y > leaf && y < 110) return [60, 130, 60];
        return cup({ rimDeg: 14 })(x, y - 60);
      },
    ],
    ['a rim seen from its own height', cup({ rimDeg: 2 })],
  ])('is not derived from %s', (_, pixel) => {
    expect(measureRimElevation(draw(pixel))).toBeUndefined();
  });

  it('is not derived from an empty picture', () => {
    expect(measureRimElevation(draw(() => undefined))).toBeUndefined();
  });
});
