import { describe, expect, it } from 'vitest';
import { type Cell, findCell, findPoint, hashUnit } from './noise.ts';

describe('cellular noise', () => {
  it('gives the same nearest point from findPoint as from findCell, if that point is within reach', () => {
    const all: Cell = { nearest: 0, second: 0, hash: 0 };
    const near: Cell = { nearest: 0, second: 0, hash: 0 };
    let found = 0;
    for (let i = 0; i < 3000; i++) {
      const [x, y, z] = [3 * i, 3 * i + 1, 3 * i + 2].map((salt) => 20 * hashUnit(salt) - 10);
      findCell(x!, y!, z!, all);
      const isFound = findPoint(x!, y!, z!, 0.4, near);
      expect(isFound).toBe(all.nearest <= 0.4);
      if (!isFound) continue;
      found++;
      expect([near.nearest, near.hash]).toEqual([all.nearest, all.hash]);
    }
    expect(found).toBeGreaterThan(300);
  });
});
