import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findCheapest } from './cheapest-cell.ts';

it('finds the cell with the least cost plus squared distance, as a search of all cells does', () => {
  const cost = fc.option(fc.integer({ min: -30, max: 30 }), { nil: Number.POSITIVE_INFINITY });
  const grid = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .chain(([width, height]) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        costs: fc.array(cost, { minLength: width * height, maxLength: width * height }),
      }),
    );
  fc.assert(
    fc.property(grid, ({ width, height, costs }) => {
      const priceOf = (cell: number, other: number): number =>
        costs[other]! +
        ((cell % width) - (other % width)) ** 2 +
        (Math.floor(cell / width) - Math.floor(other / width)) ** 2;
      const cheapest = findCheapest(width, height, Float64Array.from(costs));
      for (const [cell, chosen] of cheapest.entries()) {
        const least = Math.min(...costs.map((_, other) => priceOf(cell, other)));
        if (least === Number.POSITIVE_INFINITY) expect(chosen).toBe(-1);
        else expect(priceOf(cell, chosen)).toBe(least);
      }
    }),
  );
});
