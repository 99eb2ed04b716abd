/**
 * Compares two sets of scores of the same photos. Photos of one product resemble each other, so the intervals come from
 * a bootstrap over products: whole products are drawn with replacement (Efron, Tibshirani 1993).
 */
import type { Score } from './metrics.ts';

export interface ScoredPhoto {
  readonly id: string;
  readonly product: string;
  readonly score: Score;
}

export const figures = ['mae', 'iou', 'bf2', 'edge', 'halo', 'comp'] as const;
export type Figure = (typeof figures)[number];

/** Figures of which more is better. */
const rising: ReadonlySet<Figure> = new Set(['iou', 'bf2']);
const DRAWS = 2000;
/** Share of the draws within an interval. */
const WITHIN = 0.9;
/** A photo is unchanged if its mae differs by less than this: a thousandth of its pixels by a tenth of alpha. */
const SAME_MAE = 0.0001;

export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

interface Value {
  readonly product: string;
  readonly value: number;
}

/** The mean over photos, with a 90 % interval by bootstrap over products. Always the same for the same values. */
export function measureMean(values: readonly Value[]): Interval {
  const products = [...Map.groupBy(values, ({ product }) => product).values()].map((own) => ({
    sum: own.reduce((sum, { value }) => sum + value, 0),
    count: own.length,
  }));
  const random = createRandom(1);
  const means = Array.from({ length: DRAWS }, () => {
    let [sum, count] = [0, 0];
    for (let n = 0; n < products.length; n++) {
      const drawn = products[Math.floor(random() * products.length)]!;
      sum += drawn.sum;
      count += drawn.count;
    }
    return sum / count;
  }).sort((a, b) => a - b);
  const at = (share: number): number => means[Math.round(share * (DRAWS - 1))]!;
  const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length;
  return { mean, low: at((1 - WITHIN) / 2), high: at((1 + WITHIN) / 2) };
}

export interface Comparison {
  readonly now: Interval;
  /** `now` minus `before`, paired by photo. */
  readonly change: Interval;
}

export function compareFigure(
  now: readonly ScoredPhoto[],
  before: readonly ScoredPhoto[],
  figure: Figure,
): Comparison {
  const earlier = new Map(before.map((photo) => [photo.id, photo.score[figure]]));
  const known = now.flatMap(({ id, product, score }) => {
    const [value, old] = [score[figure], earlier.get(id)];
    return value === undefined || old === undefined ? [] : [{ product, value, change: value - old }];
  });
  return {
    now: measureMean(known),
    change: measureMean(known.map(({ product, change }) => ({ product, value: change }))),
  };
}

/** How many photos, and how many products by their mean, have a lower, a higher and about the same mae. */
export function countChanges(now: readonly ScoredPhoto[], before: readonly ScoredPhoto[]) {
  const earlier = new Map(before.map((photo) => [photo.id, photo.score.mae]));
  const changes = now.flatMap(({ id, product, score }) => {
    const old = earlier.get(id);
    return old === undefined ? [] : [{ product, change: score.mae - old }];
  });
  const ofProducts = [...Map.groupBy(changes, ({ product }) => product).values()].map(
    (own) => own.reduce((sum, { change }) => sum + change, 0) / own.length,
  );
  return { photos: countSigns(changes.map(({ change }) => change)), products: countSigns(ofProducts) };
}

function countSigns(changes: readonly number[]) {
  return {
    better: changes.filter((change) => change <= -SAME_MAE).length,
    worse: changes.filter((change) => change >= SAME_MAE).length,
    same: changes.filter((change) => Math.abs(change) < SAME_MAE).length,
  };
}

/** Whether a change is for the worse by more than its interval. */
export const isWorse = (figure: Figure, { low, high }: Interval): boolean =>
  rising.has(figure) ? high < 0 : low > 0;

/** Numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
