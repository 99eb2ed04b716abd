/** Links neighboring regions of a photo for a graph cut. */
import type { Lab } from 'packshot-pixels';
import type { Link } from './cut-graph.ts';
import { measureSquare, type Regions } from './split-regions.ts';

/** Cost per pixel of outline between two very different neighbors. */
const EDGE_PRICE = 0.02;
/** An outline that was there before the correction costs this share of the price: it is rather right than wrong. */
const OLD_SHARE = 0.5;

/**
 * Makes one link per pair of neighboring regions. Its capacity is the cost of an outline between the two: the higher
 * their contrast is, relative to the photo's mean contrast, the lower is the cost (Boykov, Jolly, ICCV 2001).
 * `smoothPrice` is the cost per pixel of outline between two similar neighbors.
 */
export function linkRegions(
  lab: Lab,
  { count, of }: Regions,
  smoothPrice: number,
  before: Uint8Array,
): Link[] {
  const { width, data } = lab;
  const visitPairs = (visit: (a: number, b: number) => void): void => {
    for (let i = 0; i < of.length; i++) {
      if ((i + 1) % width !== 0 && of[i] !== of[i + 1]) visit(i, i + 1);
      if (i < of.length - width && of[i] !== of[i + width]) visit(i, i + width);
    }
  };
  let pairs = 0;
  let squares = 0;
  visitPairs((a, b) => {
    pairs++;
    squares += measureSquare(data, a, b);
  });
  const spread = 2 * Math.max(1e-6, squares / Math.max(1, pairs));
  const capacities = new Map<number, number>();
  visitPairs((a, b) => {
    const key = Math.min(of[a]!, of[b]!) * count + Math.max(of[a]!, of[b]!);
    const isOld = before[a] !== before[b];
    const price =
      EDGE_PRICE + smoothPrice * (isOld ? OLD_SHARE : 1) * Math.exp(-measureSquare(data, a, b) / spread);
    capacities.set(key, (capacities.get(key) ?? 0) + price);
  });
  return [...capacities].map(([key, capacity]) => ({
    from: Math.floor(key / count),
    to: key % count,
    capacity,
  }));
}
