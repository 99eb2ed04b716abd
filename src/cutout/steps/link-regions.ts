/** Links neighboring regions of a photo for a graph cut. */
import type { Link } from './cut-graph.ts';
import type { Lab } from './lab-photo.ts';
import { measureDistance, type Regions } from './split-regions.ts';

/** Cost per pixel of outline between two very different neighbors. */
const EDGE_PRICE = 0.02;

/**
 * Makes one link per pair of neighboring regions, weighted by contrast relative to the photo's mean contrast
 * (Boykov, Jolly, ICCV 2001). `smoothPrice` is the cost per pixel of outline between two similar neighbors.
 */
export function linkRegions(lab: Lab, { count, of }: Regions, smoothPrice: number): Link[] {
  const { width, data } = lab;
  const pairs: [a: number, b: number][] = [];
  for (let i = 0; i < of.length; i++) {
    if ((i + 1) % width !== 0 && of[i] !== of[i + 1]) pairs.push([i, i + 1]);
    if (i < of.length - width && of[i] !== of[i + width]) pairs.push([i, i + width]);
  }
  let squares = 0;
  for (const [a, b] of pairs) squares += measureDistance(data, a, b) ** 2;
  const spread = 2 * Math.max(1e-6, squares / Math.max(1, pairs.length));
  const capacities = new Map<number, number>();
  for (const [a, b] of pairs) {
    const [low, high] = [Math.min(of[a]!, of[b]!), Math.max(of[a]!, of[b]!)];
    const price = EDGE_PRICE + smoothPrice * Math.exp(-(measureDistance(data, a, b) ** 2) / spread);
    const key = low * count + high;
    capacities.set(key, (capacities.get(key) ?? 0) + price);
  }
  return [...capacities].map(([key, capacity]) => ({
    from: Math.floor(key / count),
    to: key % count,
    capacity,
  }));
}
