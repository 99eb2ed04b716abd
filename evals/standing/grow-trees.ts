/** Gradient-boosted trees of three levels with logistic loss (Friedman 2001), with Newton steps in the leaves. */
import type { Odds } from '../../packages/sets/src/product/stand-odds.ts';

export interface Example {
  readonly shape: readonly number[];
  readonly isBad: boolean;
}

const rate = 0.15;
/** Keeps leaves of few examples small. */
const shrinkage = 2;
/** Minimum weight of examples on either side of a split. */
const leastWeight = 2;
const binCount = 32;
/** No measurement reaches it. */
const never = 1e6;

interface Bins {
  readonly limits: readonly number[];
  readonly ofExample: Uint8Array;
}

interface Sums {
  readonly slopes: Float64Array;
  readonly weights: Float64Array;
}

export function growTrees(examples: readonly Example[], count: number): Odds {
  const bins = examples[0]!.shape.map((_, measure) => binMeasure(examples, measure));
  const share = examples.filter(({ isBad }) => isBad).length / examples.length;
  const base = round(Math.log(share / (1 - share)));
  const odds = new Float64Array(examples.length).fill(base);
  const trees = Array.from({ length: count }, (): Odds['trees'][number] => {
    const slopes = odds.map((own, i) => (examples[i]!.isBad ? 1 : 0) - 1 / (1 + Math.exp(-own)));
    const weights = odds.map((own) => 1 / (1 + Math.exp(-own)) / (1 + Math.exp(own)));
    return growTree(bins, { slopes, weights }, odds);
  });
  return { base, trees };
}

const round = (value: number): number => Number(value.toPrecision(4));

function binMeasure(examples: readonly Example[], measure: number): Bins {
  const values = Float64Array.from(examples, ({ shape }) => shape[measure]!);
  const sorted = values.toSorted();
  const quantiles = Array.from({ length: binCount - 1 }, (_, i) =>
    round(sorted[Math.floor(((i + 1) * sorted.length) / binCount)]!),
  );
  const limits = [...new Set(quantiles)];
  return {
    limits,
    ofExample: Uint8Array.from(values, (value) => limits.filter((limit) => value >= limit).length),
  };
}

/** Adds the tree's leaves to `odds`. */
function growTree(
  bins: readonly Bins[],
  { slopes, weights }: Sums,
  odds: Float64Array,
): Odds['trees'][number] {
  const node = new Uint8Array(odds.length);
  const measures: number[] = [];
  const limits: number[] = [];
  for (const level of [0, 1, 2]) {
    const splits = Array.from({ length: 2 ** level }, (_, own) => {
      const inside = [...node.keys()].filter((i) => node[i] === 2 ** level - 1 + own);
      return findSplit(bins, { slopes, weights }, inside);
    });
    for (const { measure, bin } of splits) {
      measures.push(measure);
      limits.push(bins[measure]!.limits[bin] ?? never);
    }
    for (const [i, own] of node.entries()) {
      const { measure, bin } = splits[own - (2 ** level - 1)]!;
      node[i] = 2 * own + (bins[measure]!.ofExample[i]! > bin ? 2 : 1);
    }
  }
  const leaves = Array.from({ length: 8 }, (_, leaf) => {
    let [slope, weight] = [0, shrinkage];
    for (const [i, own] of node.entries()) {
      if (own !== 7 + leaf) continue;
      slope += slopes[i]!;
      weight += weights[i]!;
    }
    return round((rate * slope) / weight);
  });
  for (const [i, own] of node.entries()) odds[i]! += leaves[own - 7]!;
  return [measures, limits, leaves];
}

/** The split with the greatest gain; beyond the last bin if none has any. */
function findSplit(bins: readonly Bins[], { slopes, weights }: Sums, inside: readonly number[]) {
  let best = { measure: 0, bin: binCount, gain: 0 };
  for (const [measure, { limits, ofExample }] of bins.entries()) {
    const [slope, weight] = [new Float64Array(binCount), new Float64Array(binCount)];
    for (const i of inside) {
      slope[ofExample[i]!]! += slopes[i]!;
      weight[ofExample[i]!]! += weights[i]!;
    }
    const all = [slope, weight].map((sums) => sums.reduce((sum, one) => sum + one, 0)) as [number, number];
    let [leftSlope, leftWeight] = [0, 0];
    for (let bin = 0; bin < limits.length; bin++) {
      leftSlope += slope[bin]!;
      leftWeight += weight[bin]!;
      const [rightSlope, rightWeight] = [all[0] - leftSlope, all[1] - leftWeight];
      if (Math.min(leftWeight, rightWeight) < leastWeight) continue;
      const gain = [
        [leftSlope, leftWeight],
        [rightSlope, rightWeight],
      ].reduce((sum, [s, w]) => sum + s! ** 2 / (w! + shrinkage), -(all[0] ** 2) / (all[1] + shrinkage));
      if (gain > best.gain) best = { measure, bin, gain };
    }
  }
  return best;
}
