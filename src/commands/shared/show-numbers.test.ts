import { expect, it } from 'vitest';
import { showBytes, showNumberOf } from './show-numbers.ts';

it('numbers are formatted for people', () => {
  expect([0, 999, 1_000, 25_400_000, 7.2e15].map(showBytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '25.4 MB',
    '7200.0 TB',
  ]);
  expect([showNumberOf(1, 'row'), showNumberOf(1_204, 'row')]).toEqual(['1 row', '1,204 rows']);
});
