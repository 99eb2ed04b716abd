import { describe, expect, it } from 'vitest';
import { traceOutline } from './trace-outline.ts';

const draw = (rows: readonly string[]) => ({
  width: rows[0]!.length,
  height: rows.length,
  data: Uint8Array.from(rows.join(''), (letter) => (letter === '#' ? 255 : 0)),
});

describe('an outline', () => {
  it('follows the border of a box once', () => {
    const box = draw(['......', '.####.', '.####.', '.####.', '......']);
    const outline = traceOutline(box, 60);
    expect(new Set(outline.map(String))).toEqual(new Set(['1,1', '5,1', '5,4', '1,4']));
    expect(outline).toHaveLength(4);
  });

  it('follows a single pixel, pixels that meet at a corner, and the frame', () => {
    expect(traceOutline(draw(['#']), 60)).toHaveLength(4);
    const pair = traceOutline(draw([...Array(6).fill('######......'), ...Array(6).fill('......######')]), 60);
    expect(pair.map(String)).toEqual(expect.arrayContaining(['0,0', '12,12', '12,6', '0,6']));
  });

  it('has at most the requested number of corners, and stays within a few pixels of the true outline', () => {
    const side = 300;
    const data = Uint8Array.from({ length: side * side }, (_, i) =>
      Math.hypot((i % side) - 150, Math.floor(i / side) - 150) < 120 ? 1 : 0,
    );
    const outline = traceOutline({ width: side, height: side, data }, 24);
    expect(outline.length).toBeLessThanOrEqual(24);
    expect(outline.length).toBeGreaterThan(8);
    for (const [x, y] of outline) expect(Math.abs(Math.hypot(x - 150, y - 150) - 120)).toBeLessThan(2.5);
  });
});
