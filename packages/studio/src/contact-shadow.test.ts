import { describe, expect, it } from 'vitest';
import { shadeContact } from './contact-shadow.ts';
import { makeGrid } from './ground/grid.ts';

type Rectangle = readonly [x: number, y: number, width: number, height: number];

/** Side of the canvas and of its grid. The product's box is 200×240 cells at (100, 80), so that it stands on row 320. */
const SIDE = 400;
const canvas = { width: SIDE, height: SIDE };

function shade(rectangles: readonly Rectangle[], { strength = 1, lies = false } = {}) {
  const data = new Uint8Array(200 * 240 * 4);
  for (const [x, y, width, height] of rectangles) {
    for (let row = y; row < y + height; row++) {
      data.fill(255, 4 * (row * 200 + x), 4 * (row * 200 + x + width));
    }
  }
  const kept = new Float32Array(SIDE * SIDE).fill(1);
  shadeContact(
    kept,
    makeGrid(canvas),
    { image: { width: 200, height: 240, data }, x: 100, y: 80, lies },
    strength,
  );
  return (x: number, y: number): number => kept[y * SIDE + x]!;
}

const block: readonly Rectangle[] = [[0, 0, 200, 240]];
const legsOf = (width: number): readonly Rectangle[] => [
  [0, 0, 200, 60],
  [0, 60, width, 180],
  [200 - width, 60, width, 180],
];
/** Rows of a shape that is symmetrical about the box's middle. */
const symmetrical = (halfAt: (row: number) => number): Rectangle[] =>
  Array.from({ length: 240 }, (_, row) => {
    const half = Math.round(halfAt(row));
    return [100 - half, row, 2 * half, 1] as const;
  });

describe('the contact shadow', () => {
  it('is dark at the foot, and fades out monotonically within a tenth of the product', () => {
    const at = shade(block);
    const below = [0, 1, 2, 4, 8, 16, 40].map((distance) => at(200, 320 + distance));
    expect(below[0]).toBeLessThan(0.2);
    expect(below[3]).toBeLessThan(0.6);
    expect(below[5]).toBeGreaterThan(0.8);
    expect(below.at(-1)).toBe(1);
    expect(below).toEqual(below.toSorted((a, b) => a - b));
  });

  it('fades out in all directions without a visible edge', () => {
    const at = shade(block);
    for (let distance = 4; distance < 60; distance++) {
      const [before, here, after] = [-1, 0, 1].map((step) => at(200, 320 + distance + step));
      expect(Math.abs(before! - 2 * here! + after!)).toBeLessThan(0.05);
      expect(at(300 + distance, 318)).toBeLessThanOrEqual(at(301 + distance, 318));
    }
    expect(at(370, 318)).toBe(1);
    expect(at(200, 399)).toBe(1);
  });

  it('does not climb the sides of a product', () => {
    const at = shade(block);
    expect(at(303, 318)).toBeLessThan(0.8);
    expect(at(303, 270)).toBeGreaterThan(0.98);
  });

  it('follows both lower edges of a box that shows a corner', () => {
    // The edges rise by 60 rows to each side of the corner at the bottom.
    const corner = Array.from({ length: 200 }, (_, x): Rectangle => {
      return [x, 0, 1, 240 - Math.round(0.6 * Math.abs(x - 99.5))];
    });
    const at = shade(corner);
    for (const x of [20, 60, 140, 180]) {
      const ground = 320 - Math.round(0.6 * Math.abs(x - 99.5));
      expect(at(100 + x, ground + 1)).toBeLessThan(0.35);
      expect(at(100 + x, ground + 50)).toBeGreaterThan(0.98);
    }
  });

  it('is under each leg, but not between them', () => {
    const at = shade(legsOf(12));
    expect(at(106, 320)).toBeLessThan(0.4);
    expect(at(294, 320)).toBeLessThan(0.4);
    expect(at(200, 321)).toBe(1);
    expect(at(200, 142)).toBe(1);
  });

  it('is smaller around a leg than around a broad base', () => {
    const besideOf = (width: number): number => shade(legsOf(width))(120 + width, 318);
    expect(besideOf(8)).toBeGreaterThan(0.98);
    expect(besideOf(60)).toBeLessThan(0.92);
  });

  it('becomes fainter without a jump where the outline rises from the ground', () => {
    const riseAt = (x: number): number => Math.round(20 * Math.max(0, 1 - ((x - 99.5) / 60) ** 2));
    const arch = Array.from({ length: 200 }, (_, x): Rectangle => [x, 0, 1, 240 - riseAt(x)]);
    const at = shade(arch);
    const onGround = [40, 50, 60, 75, 99].map((x) => at(100 + x, 321));
    expect(onGround).toEqual(onGround.toSorted((a, b) => a - b));
    expect(onGround[0]).toBeLessThan(0.4);
    expect(onGround.at(-1)).toBeLessThan(0.95);
  });

  it('is absent below parts that are above the ground', () => {
    const at = shade([
      [0, 0, 120, 240],
      [120, 40, 80, 100],
    ]);
    expect(at(160, 321)).toBeLessThan(0.3);
    expect(at(280, 321)).toBeCloseTo(1, 3);
    expect(at(280, 221)).toBeCloseTo(1, 3);
  });

  it('leaves the ground where the sides of a round bottom get steep', () => {
    const at = shade(symmetrical((row) => Math.sqrt(Math.max(0, 100 ** 2 - Math.max(0, row - 139.5) ** 2))));
    // On the outline at 20 and at 70 degrees from the lowest point.
    const onOutline = (degrees: number): number => {
      const angle = (degrees * Math.PI) / 180;
      return at(Math.round(200 + 102 * Math.sin(angle)), Math.round(219.5 + 102 * Math.cos(angle)));
    };
    expect(onOutline(20)).toBeLessThan(0.4);
    expect(onOutline(70)).toBeGreaterThan(0.85);
  });

  it('surrounds the whole lower outline of a lying product', () => {
    const shirt: readonly Rectangle[] = [
      [0, 0, 200, 160],
      [60, 160, 80, 80],
    ];
    expect(shade(shirt, { lies: true })(130, 242)).toBeLessThan(0.75);
    expect(shade(shirt)(130, 242)).toBeCloseTo(1, 3);
  });

  it('keeps a dark line in a weak shadow', () => {
    const full = shade(block);
    const weak = shade(block, { strength: 0.5 });
    expect(weak(200, 320)).toBeLessThan(0.5);
    expect(1 - weak(200, 332)).toBeLessThan(0.65 * (1 - full(200, 332)));
    expect(shade(block, { strength: 0 })(200, 320)).toBe(1);
  });
});
