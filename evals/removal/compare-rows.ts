/**
 * Compares two sets of scores of the same photos. Photos of one product resemble each other, so the intervals come from
 * a bootstrap over products: whole products are drawn with replacement (Efron, Tibshirani 1993).
 */
import type { Score } from './metrics.ts';
import type { Row } from './score-table.ts';

export interface ScoredPhoto {
  readonly id: string;
  readonly product: string;
  /** `rim`: the share of the rim's pixels that are outliers. */
  readonly score: Score & { readonly rim?: number };
}

export const toScored = ({ id, product, score, rim }: Row): ScoredPhoto => ({
  id,
  product,
  score: { ...score, rim: rim.outliers / Math.max(1, rim.pixels) },
});

export const figures = ['failed', 'mae', 'iou', 'bf2', 'bf5', 'edge', 'halo', 'comp', 'rim'] as const;
export type Figure = (typeof figures)[number];

/** Below this IoU, a cutout visibly lacks a part or has an extra part. */
export const FAILED_IOU = 0.9;

/** Figures of which more is better. */
const rising: ReadonlySet<Figure> = new Set(['iou', 'bf2', 'bf5']);
const DRAWS = 2000;
/** Share of the draws within an interval. */
const WITHIN = 0.9;
/**
 * A photo is unchanged if a figure differs by less than this; for mae, that is a tenth of alpha in a thousandth of the
 * pixels.
 */
const SAME: Record<Figure, number> = {
  failed: 0.01,
  mae: 0.0001,
  iou: 0.001,
  bf2: 0.001,
  bf5: 0.001,
  edge: 0.0005,
  halo: 0.05,
  comp: 0.01,
  rim: 0.0005,
};

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
  const changes = listChanges(now, before, figure);
  return {
    now: measureMean(changes),
    change: measureMean(changes.map(({ product, change }) => ({ product, value: change }))),
  };
}

/** Of the photos that both sides have. */
function listChanges(now: readonly ScoredPhoto[], before: readonly ScoredPhoto[], figure: Figure) {
  const earlier = new Map(before.map((photo) => [photo.id, pick(photo, figure)]));
  return now.flatMap((photo) => {
    const [value, old] = [pick(photo, figure), earlier.get(photo.id)];
    if (value === undefined || old === undefined) return [];
    return [{ product: photo.product, value, change: value - old }];
  });
}

const pick = ({ score }: ScoredPhoto, figure: Figure): number | undefined =>
  figure === 'failed' ? Number(score.iou < FAILED_IOU) : score[figure];

/** How many photos, and how many products by their mean, have become better, worse, or are about the same. */
export function countChanges(
  now: readonly ScoredPhoto[],
  before: readonly ScoredPhoto[],
  figure: Figure = 'mae',
) {
  const changes = listChanges(now, before, figure);
  const ofProducts = [...Map.groupBy(changes, ({ product }) => product).values()].map(
    (own) => own.reduce((sum, { change }) => sum + change, 0) / own.length,
  );
  const count = (values: readonly number[]) => {
    const gains = values.map((value) => (rising.has(figure) ? value : -value));
    const better = gains.filter((gain) => gain >= SAME[figure]).length;
    const worse = gains.filter((gain) => gain <= -SAME[figure]).length;
    return { better, worse, same: gains.length - better - worse };
  };
  return { photos: count(changes.map(({ change }) => change)), products: count(ofProducts) };
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
