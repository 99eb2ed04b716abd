import { describe, expect, it } from 'vitest';
import { dropPart } from './drop-part.ts';

/** Each character is a pixel: `#` is 255, `+` is 200, `-` is 60, `.` is 0. */
const values: Readonly<Record<string, number>> = { '#': 255, '+': 200, '-': 60, '.': 0 };
const read = (...rows: string[]) => ({
  width: rows[0]!.length,
  height: rows.length,
  data: Uint8Array.from([...rows.join('')], (pixel) => values[pixel]!),
});

describe('dropping a part', () => {
  const rows = [
    '..............', //
    '.##+---+#####.',
    '.##+...-#####.',
    '.##+-..-#####.',
    '..............',
    '.....-........',
  ];

  it('removes the part’s solid pixels and the part’s half of a shared rim, and nothing else', () => {
    const matte = read(...rows);
    expect(dropPart(matte, [1.5, 2.5])).toEqual({ x: 1, y: 1, width: 5, height: 3 });
    const left = read(
      '..............',
      '......-+#####.',
      '.......-#####.',
      '.......-#####.',
      '..............',
      '.....-........',
    );
    expect(matte).toEqual(left);
  });

  it('also drops pixels that touch the part only diagonally, even at the picture’s border', () => {
    const matte = read('##..', '..##', '#..-');
    expect(dropPart(matte, [0.2, 0.9])).toEqual({ x: 0, y: 0, width: 4, height: 3 });
    expect([...matte.data]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0]);
  });

  it('never wraps from one row to the next at the frame', () => {
    const matte = read('...#', '....', '#...');
    dropPart(matte, [3, 0]);
    expect(matte).toEqual(read('....', '....', '#...'));
  });

  it('drops the part that a click just misses, and none if the click is far from all parts', () => {
    const matte = read(...rows);
    expect(dropPart(matte, [13.5, 2.5])).toEqual({ x: 5, y: 1, width: 8, height: 3 });
    const before = read(...rows);
    const after = read(...rows);
    expect(dropPart(after, [5.5, 4.5])).toBeNull();
    expect(after).toEqual(before);
  });
});
