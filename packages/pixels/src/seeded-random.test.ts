import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, hashSeed } from './seeded-random.ts';

describe('createRandom', () => {
  it('gives the same numbers for the same seed, and different numbers for the next seed', () => {
    const draw = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 20 }, () => random.next());
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(8)).not.toEqual(draw(7));
  });

  it('spreads evenly over its range', () => {
    const random = createRandom(1);
    const counts = new Array<number>(10).fill(0);
    for (let index = 0; index < 10_000; index++) counts[Math.floor(random.between(0, 10))]!++;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it('shuffles to a permutation', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.nat(), (things, seed) => {
        const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other);
        expect(sorted(createRandom(seed).shuffle(things))).toEqual(sorted(things));
      }),
    );
  });
});

describe('hashSeed', () => {
  it('distinguishes parts that concatenate to the same text', () => {
    const seeds = [
      hashSeed('ab', 'c'),
      hashSeed('a', 'bc'),
      hashSeed('abc'),
      hashSeed('abc', 0),
      hashSeed('abc', 1),
    ];
    expect(new Set(seeds).size).toBe(seeds.length);
    for (const seed of seeds) expect(Number.isInteger(seed) && seed >= 0 && seed <= 0xffffffff).toBe(true);
  });
});
