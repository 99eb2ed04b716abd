import { expect, it } from 'vitest';
import { cutGraph } from './cut-graph.ts';

it('a graph cut is the cheapest of all possible cuts', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  for (let trial = 0; trial < 50; trial++) {
    const pulls = Float64Array.from({ length: 8 }, () => random() * 4 - 2);
    const links = Array.from({ length: 14 }, () => ({
      from: Math.floor(random() * 8),
      to: Math.floor(random() * 8),
      capacity: random() * 2,
    })).filter(({ from, to }) => from !== to);
    const price = (sides: number) => {
      const side = (node: number) => (sides >> node) & 1;
      const torn = links.reduce(
        (sum, { from, to, capacity }) => sum + (side(from) === side(to) ? 0 : capacity),
        0,
      );
      return pulls.reduce((sum, pull, node) => sum + Math.max(0, side(node) === 1 ? -pull : pull), torn);
    };
    const least = Math.min(...Array.from({ length: 256 }, (_, sides) => price(sides)));
    const found = cutGraph({ pulls, links }).reduce((sides, side, node) => sides | (side << node), 0);
    expect(price(found)).toBeCloseTo(least, 6);
  }
});
