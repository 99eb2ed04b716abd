import { describe, expect, it } from 'vitest';
import { makeShadow } from './shadow.ts';
import { makeGrid, makeSilhouette } from './silhouette.ts';
import { findSupportLine } from './support-line.ts';

const canvas = { width: 400, height: 400 };
const grid = makeGrid(canvas);
const cast = { kind: 'cast', strength: 0.8 } as const;

/** Opaque rectangles on the canvas, in pixels. */
function castFrom(rectangles: readonly (readonly [x: number, y: number, width: number, height: number])[]) {
  const data = new Uint8Array(400 * 400 * 4);
  for (const [x, y, width, height] of rectangles) {
    for (let row = y; row < y + height; row++) {
      data.fill(255, 4 * (row * 400 + x), 4 * (row * 400 + x + width));
    }
  }
  const silhouette = makeSilhouette({ ...canvas, data }, { x: 0, y: 0, ...canvas }, grid);
  return { silhouette, support: findSupportLine(silhouette)! };
}

const block = castFrom([[140, 120, 120, 200]]);
// A table: a top and two legs, with nothing between them.
const table = castFrom([
  [100, 200, 200, 20],
  [100, 220, 10, 100],
  [290, 220, 10, 100],
]);

describe('makeShadow', () => {
  const light = makeShadow(block.silhouette, block.support, cast);
  const at = (x: number, y: number): number => light[y * grid.width + x]!;

  it('is darkest at the foot and brightens away from it without a step back', () => {
    const below = [0, 1, 2, 4, 8, 16, 32].map((distance) => at(200, 320 + distance));
    expect(below[0]).toBeLessThan(0.6);
    for (let i = 1; i < below.length; i++) {
      expect(below[i]).toBeGreaterThanOrEqual(below[i - 1]! - 1e-6);
    }
  });

  it('leaves the ground far away exactly as bright as it was', () => {
    expect(at(2, 390)).toBe(1);
    expect(at(2, 2)).toBe(1);
  });

  it('falls to the right, away from the key light', () => {
    expect(at(290, 305)).toBeLessThan(at(110, 305) - 0.05);
  });

  it('has no side when it is a contact shadow', () => {
    const contact = makeShadow(block.silhouette, block.support, { kind: 'contact', strength: 0.8 });
    for (const distance of [5, 20, 40]) {
      const left = contact[310 * grid.width + 139 - distance]!;
      const right = contact[310 * grid.width + 260 + distance]!;
      expect(Math.abs(left - right)).toBeLessThan(0.01);
    }
  });

  it('gets lighter with its strength and vanishes at none', () => {
    const weak = makeShadow(block.silhouette, block.support, { kind: 'cast', strength: 0.3 });
    const none = makeShadow(block.silhouette, block.support, { kind: 'cast', strength: 0 });
    expect(weak[322 * grid.width + 200]).toBeGreaterThan(at(200, 322));
    expect(none.every((value) => value === 1)).toBe(true);
  });

  it('gives each leg a dark contact of its own and leaves the ground between them light', () => {
    const legs = makeShadow(table.silhouette, table.support, cast);
    const leg = legs[321 * grid.width + 105]!;
    const between = legs[321 * grid.width + 200]!;
    expect(leg).toBeLessThan(between - 0.2);
  });
});

describe('findSupportLine', () => {
  it('runs under the front and the back leg of a table seen from the side', () => {
    const { support } = castFrom([
      [100, 200, 200, 20],
      [100, 220, 10, 100],
      [290, 220, 10, 70],
    ]);
    expect(support.ground[104]).toBeCloseTo(320, 0);
    expect(support.ground[295]).toBeCloseTo(290.3, 0);
    expect(support.ground[200]).toBeGreaterThan(295);
    expect(support.ground[200]).toBeLessThan(315);
  });

  it('does not take a handle that ends far above for a foot', () => {
    const { support } = castFrom([
      [140, 120, 120, 200],
      [260, 150, 40, 80],
    ]);
    expect(support.ground[290]).toBeCloseTo(320, 0);
  });

  it('finds nothing to stand on in an empty picture', () => {
    const silhouette = makeSilhouette(
      { ...canvas, data: new Uint8Array(640000) },
      { x: 0, y: 0, ...canvas },
      grid,
    );
    expect(findSupportLine(silhouette)).toBeUndefined();
  });
});
