import { describe, expect, it } from 'vitest';
import { base62Alphabet, newId } from './ids.ts';

describe('an id', () => {
  it('consists of its prefix and 22 base62 characters, and does not repeat in 2,000 draws', () => {
    const ids = Array.from({ length: 2_000 }, () => newId('dsg'));
    for (const id of ids) expect(id).toMatch(/^dsg_[0-9A-Za-z]{22}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('uses the whole alphabet at every position', () => {
    const ids = Array.from({ length: 2_000 }, () => newId('dsg').slice(4));
    // The probability that a given letter is missing in 2000 fair draws is 10^-14.
    for (let place = 0; place < 22; place++) {
      expect(new Set(ids.map((id) => id[place])).size, `place ${place}`).toBe(base62Alphabet.length);
    }
  });
});
