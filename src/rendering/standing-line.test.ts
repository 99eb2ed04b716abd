import { describe, expect, it } from 'vitest';
import { findStandingLine, type Silhouette } from './standing-line.ts';

function drawSilhouette(rows: readonly string[]): Silhouette {
  return {
    columns: rows[0]!.length,
    rows: rows.length,
    coverage: Float32Array.from(rows.join(''), (cell) => (cell === '#' ? 1 : 0)),
  };
}

/** `height` rows of which the lower end of each column is given. */
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

  it('follows a wheel that stands further back instead of floating it', () => {
    const ends = [36, 30, 30, 30, 30, 30, 30, 30, 30, 40];
    const line = findStandingLine(drawContour(ends, 40), 10 / 4);
    expect(line.touches[0]).toBe(1);
    expect(line.ground[0]).toBe(36);
    expect(line.ground[9]).toBe(40);
    expect(line.touches[4]).toBe(0);
    expect(line.ground[4]).toBeGreaterThan(36);
  });

  it('does not take a handle high above the foot for one', () => {
    const line = findStandingLine(drawContour([40, 40, 40, 40, 20, 20], 40), 0.15);
    expect(line.touches[5]).toBe(0);
    expect(line.ground[5]).toBe(40);
  });

  it('takes the curve of a round base for depth, not for a gap', () => {
    const line = findStandingLine(drawContour([99, 100, 100, 100, 99], 100), 0.05);
    expect(Array.from(line.touches)).toEqual([1, 1, 1, 1, 1]);
    expect(line.ground[0]).toBe(99);
  });
});
