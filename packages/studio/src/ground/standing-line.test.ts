import { describe, expect, it } from 'vitest';
import type { Silhouette } from './silhouette.ts';
import { findStandingLine } from './standing-line.ts';

function drawSilhouette(rows: readonly string[]): Silhouette {
  return {
    columns: rows[0]!.length,
    rows: rows.length,
    coverage: Float32Array.from(rows.join(''), (cell) => (cell === '#' ? 1 : 0)),
  };
}

/** A silhouette of `height` rows; `ends` has the lower end of each column. */
function drawContour(ends: readonly number[], height: number): Silhouette {
  return drawSilhouette(
    Array.from({ length: height }, (_, row) => ends.map((end) => (row < end ? '#' : '.')).join('')),
  );
}

describe('the standing line', () => {
  it('is level under a straight foot', () => {
    const line = findStandingLine(drawContour([40, 40, 40, 40], 40), 0.1);
    expect(Array.from(line.ground)).toEqual([40, 40, 40, 40]);
    expect(Array.from(line.touches)).toEqual([1, 1, 1, 1]);
  });

  it('rises to a wheel further back, so that the wheel does not float', () => {
    const ends = [36, 30, 30, 30, 30, 30, 30, 30, 30, 40];
    const line = findStandingLine(drawContour(ends, 40), 10 / 4);
    expect(line.touches[0]).toBe(1);
    expect(line.ground[0]).toBe(36);
    expect(line.ground[9]).toBe(40);
    expect(line.touches[4]).toBe(0);
    expect(line.ground[4]).toBeGreaterThan(36);
  });

  it('rises to a leg further back, even if the end of the front leg is rounded', () => {
    const ends = [35, 29, 29, 29, 29, 29, 29, 29, 39.5, 40];
    const contour = drawContour(ends.map(Math.ceil), 40);
    contour.coverage[39 * 10 + 8] = 0.5;
    const line = findStandingLine(contour, 10 / 40);
    expect(line.touches[0]).toBe(1);
    expect(line.ground[4]).toBeLessThan(39);
  });

  it('does not treat the end of an armrest beyond a sofa’s last leg as a foot', () => {
    const ends = [
      26,
      26,
      26,
      32,
      32,
      ...Array.from({ length: 70 }, () => 26),
      32,
      32,
      26,
      26,
      26,
      26,
      26,
      25,
    ];
    const line = findStandingLine(drawContour(ends, 32), 2.7);
    expect(Array.from(line.touches.slice(-6))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(line.ground.at(-1)).toBe(32);
  });

  it('does not treat the tip of a leaf as a foot, even if another leaf ends above it', () => {
    const rows = drawContour([40, 40, 40, 40, 20, 20, 20, 20, 20, 20], 40);
    // The tip, two cells long, in the second column from the right; right of it the upper leaf, seven cells long.
    const coverage = rows.coverage.map((value, i) => {
      const [row, column] = [Math.floor(i / 10), i % 10];
      if (column === 8) return row === 30 || row === 31 ? 1 : 0;
      return column === 9 ? (row > 12 && row < 20 ? 1 : 0) : value;
    });
    const line = findStandingLine({ ...rows, coverage }, 10 / 10);
    expect(Array.from(line.touches)).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
    expect(line.ground[8]).toBe(40);
  });

  it('does not treat a handle high above the foot as a foot', () => {
    const line = findStandingLine(drawContour([40, 40, 40, 40, 20, 20], 40), 0.15);
    expect(line.touches[5]).toBe(0);
    expect(line.ground[5]).toBe(40);
  });

  it('interprets the curve of a round base as depth, not as a gap', () => {
    const line = findStandingLine(drawContour([99, 100, 100, 100, 99], 100), 0.05);
    expect(Array.from(line.touches)).toEqual([1, 1, 1, 1, 1]);
    expect(line.ground[0]).toBe(99);
  });

  it('places all legs of a table seen from above on the ground, even with a steep slope between them', () => {
    // A front leg in the middle, one leg on each side a sixth of the height further up, and a tabletop over
    // them.
    const ends = [15, 33, 15, 15, 15, 15, 40, 15, 15, 15, 15, 33, 15];
    const line = findStandingLine(drawContour(ends, 40), 13 / 40);
    expect([line.touches[1], line.touches[6], line.touches[11]]).toEqual([1, 1, 1]);
    expect([line.ground[1], line.ground[11]]).toEqual([33, 33]);
    expect([line.touches[3], line.touches[9]]).toEqual([0, 0]);
  });

  it('rises to the rear legs of a table, between its front legs', () => {
    const ends = [40, 40, 15, 15, 15, 33, 33, 15, 15, 15, 15, 33, 33, 15, 15, 15, 40, 40];
    const line = findStandingLine(drawContour(ends, 40), 18 / 40);
    expect([5, 6, 11, 12].map((column) => line.touches[column])).toEqual([1, 1, 1, 1]);
    expect([line.ground[0], line.ground[5], line.ground[12], line.ground[17]]).toEqual([40, 33, 33, 40]);
    expect([line.touches[3], line.touches[8]]).toEqual([0, 0]);
    const highRung = findStandingLine(
      drawContour(
        ends.map((end) => (end === 33 ? 24 : end)),
        40,
      ),
      18 / 40,
    );
    expect([highRung.touches[5], highRung.ground[5]]).toEqual([0, 40]);
  });

  it('does not treat a handle as a leg, even if it ends at the height of a possible leg', () => {
    const line = findStandingLine(drawContour([40, 40, 40, 40, 29, 29, 28], 40), 7 / 40);
    expect(Array.from(line.touches)).toEqual([1, 1, 1, 1, 0, 0, 0]);
    expect(line.ground[6]).toBe(40);
  });

  it('follows the whole base of a mug seen from 15 degrees above, but a ball only at its bottom', () => {
    const columns = Array.from({ length: 41 }, (_, x) => (x - 20) / 20.5);
    const base = columns.map((t) => Math.round(80 + 20 * 0.26 * Math.sqrt(1 - t * t)));
    const ball = columns.map((t) => Math.round(80 + 20 * Math.sqrt(1 - t * t)));
    const touching = (ends: readonly number[]): number =>
      findStandingLine(drawContour(ends, 100), 0.41).touches.reduce((sum, touch) => sum + touch, 0);
    expect(touching(base)).toBeGreaterThan(37);
    expect(touching(ball)).toBeLessThan(33);
  });

  it('follows both lower edges of a box with a corner toward the camera, but not the sides of a cone', () => {
    const columns = Array.from({ length: 61 }, (_, x) => (x - 25) / 61);
    const contourOf = (rise: (t: number) => number) =>
      findStandingLine(
        drawContour(
          columns.map((t) => Math.round(60 - 61 * rise(t))),
          60,
        ),
        61 / 60,
      );
    const box = contourOf((t) => (t < 0 ? -0.5 : 0.42) * t);
    expect(box.touches.reduce((sum, touch) => sum + touch, 0)).toBe(61);
    expect(box.ground[0]).toBeCloseTo(box.contour[0]!, 1);
    const cone = contourOf((t) => 1.3 * Math.abs(t));
    expect([cone.touches[0], cone.touches[60]]).toEqual([0, 0]);
  });

  it('follows the whole lower outline of a product that lies flat, with a gap where its corners curl up', () => {
    const columns = Array.from({ length: 61 }, (_, x) => (x - 25) / 61);
    const silhouette = drawContour(
      columns.map((t) => Math.round(60 - 61 * Math.abs(t))),
      60,
    );
    const standing = findStandingLine(silhouette, 61 / 60);
    const lying = findStandingLine(silhouette, 61 / 60, true);
    expect([standing.touches[0], standing.touches[60]]).toEqual([0, 0]);
    expect(lying.touches.every((touch) => touch === 1)).toBe(true);
    expect(Array.from(lying.ground)).toEqual(Array.from(lying.contour));
    expect([lying.gap[25], lying.gap[15], lying.gap[35]]).toEqual([0, 0, 0]);
    expect(lying.gap[60]).toBeGreaterThan(lying.gap[50]!);
    expect(lying.gap[60]).toBeLessThan(0.04 * 60);
  });

  it('finds nothing to stand on in an empty picture', () => {
    const line = findStandingLine(drawSilhouette(['...', '...']), 1);
    expect(Array.from(line.touches)).toEqual([0, 0, 0]);
  });
});
