import { describe, expect, it } from 'vitest';
import { drawNumber, makeAliasTable } from './alias-table.ts';

describe('an alias table', () => {
  const weights = [0, 3, 0.5, 0, 11, 0.25, 2];
  const total = weights.reduce((sum, weight) => sum + weight, 0);

  it('gives each number a probability in proportion to its weight', () => {
    const { keep, other } = makeAliasTable(weights);
    const chances = weights.map(() => 0);
    for (const [slot, share] of keep.entries()) {
      chances[slot]! += share / weights.length;
      chances[other[slot]!]! += (1 - share) / weights.length;
    }
    for (const [number, weight] of weights.entries()) expect(chances[number]).toBeCloseTo(weight / total, 6);
  });

  it('draws numbers in proportion to their weights, and never a number whose weight is zero', () => {
    const table = makeAliasTable(weights);
    const counts = weights.map(() => 0);
    const draws = 70_000;
    for (let i = 0; i < draws; i++) counts[drawNumber(table, (i + 0.5) / draws)]!++;
    for (const [number, weight] of weights.entries()) {
      expect(counts[number]! / draws).toBeCloseTo(weight / total, 3);
    }
  });

  it('still draws a number if all weights are zero', () => {
    expect(drawNumber(makeAliasTable([0, 0, 0, 0]), 0.99)).toBe(3);
  });
});
