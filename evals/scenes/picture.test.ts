import { describe, expect, it } from 'vitest';
import { cielab, distanceTo, findFoot, luminanceAt } from './picture.ts';
import { drawProduct } from './sample.ts';

describe('colors', () => {
  it('have the values of CIE 1976 under D65', () => {
    const [l, a, b] = cielab(255, 0, 0);
    expect(l).toBeCloseTo(53.24, 1);
    expect(a).toBeCloseTo(80.09, 1);
    expect(b).toBeCloseTo(67.2, 1);
    expect(cielab(255, 255, 255)[0]).toBeCloseTo(100, 3);
    expect(luminanceAt(Uint8Array.of(0, 0, 0, 0, 255, 0), 1)).toBeCloseTo(0.7152);
  });
});

describe('distances', () => {
  it('grow by 1 per pixel across and down, and by 1.41 per diagonal step', () => {
    const distance = distanceTo({ width: 9, height: 9 }, (i) => i === 4 * 9 + 4);
    expect(distance[4 * 9 + 7]).toBe(3);
    expect(distance[0]).toBeCloseTo(4 * Math.SQRT2, 5);
  });
});

describe('the foot', () => {
  const columnsOf = (points: readonly { x: number }[]) => points.map(({ x }) => x);

  it('is the whole width of a flat bottom', () => {
    const product = drawProduct(40, 40, (x) => x >= 10 && x < 30);
    expect(columnsOf(findFoot(product))).toEqual(Array.from({ length: 20 }, (_, i) => 10 + i));
    expect(findFoot(product).every(({ y }) => y === 39)).toBe(true);
  });

  it('excludes a handle', () => {
    const body = (x: number) => x < 25;
    const handle = (x: number, y: number) => x >= 25 && y > 10 && y < 25;
    expect(Math.max(...columnsOf(findFoot(drawProduct(40, 40, (x, y) => body(x) || handle(x, y)))))).toBe(24);
  });

  it('includes the rear legs of a product seen from above', () => {
    const front = (x: number) => x < 4;
    const rear = (x: number, y: number) => x >= 36 && y < 36;
    const seat = (_: number, y: number) => y < 15;
    const found = columnsOf(findFoot(drawProduct(40, 40, (x, y) => front(x) || rear(x, y) || seat(x, y))));
    expect(found).toEqual([0, 1, 2, 3, 36, 37, 38, 39]);
  });

  it('is in canvas coordinates', () => {
    const product = { ...drawProduct(10, 10, () => true), x: 100, y: 200 };
    expect(findFoot(product)[0]).toEqual({ x: 100, y: 209 });
  });

  it('is empty for an empty cutout', () => {
    expect(findFoot(drawProduct(10, 10, () => false))).toEqual([]);
  });
});
