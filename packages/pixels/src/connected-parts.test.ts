import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findParts } from './connected-parts.ts';

const draw = (...rows: string[]) => ({
  width: rows[0]!.length,
  height: rows.length,
  data: Uint8Array.from(rows.join(''), (c) => (c === '#' ? 255 : 0)),
});

describe('finding connected parts', () => {
  const diagonal = draw('.....', '.#...', '..#..', '.....');

  it('joins pixels that meet only at a corner if `neighbours` is 8, but not if it is 4', () => {
    expect(findParts(diagonal, { min: 1, max: 255, neighbours: 8 }).parts).toHaveLength(1);
    expect(findParts(diagonal, { min: 1, max: 255, neighbours: 4 }).parts).toHaveLength(2);
  });

  it('does not connect the end of one row to the start of the next', () => {
    const { parts } = findParts(draw('..#', '#..'), { min: 1, max: 255, neighbours: 8 });
    expect(parts).toHaveLength(2);
  });

  it('detects which parts touch the frame', () => {
    const { parts } = findParts(draw('#....', '..#..', '.....'), { min: 1, max: 255, neighbours: 8 });
    expect(parts.map((part) => part.touchesFrame)).toEqual([true, false]);
  });

  it('assigns each pixel between `min` and `max` to exactly one part', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 48, maxLength: 48 }), (data) => {
        const { parts, order } = findParts(
          { width: 8, height: 6, data },
          { min: 60, max: 200, neighbours: 4 },
        );
        const found = parts.flatMap((part) => [...order.subarray(part.start, part.end)]);
        const expected = [...data.keys()].filter((i) => data[i]! >= 60 && data[i]! <= 200);
        expect(found.toSorted((a, b) => a - b)).toEqual(expected);
      }),
    );
  });
});
