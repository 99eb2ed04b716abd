/** What a probability model is worth on products that it was not fitted on. */
import { type LogisticModel, predictProbability } from '../../src/cutout/logistic.ts';
import type { Sample } from './fit-logistic.ts';

const FOLDS = 8;
const EDGES = [0, 0.2, 0.5, 0.8, 0.9, 0.95, 1] as const;
const THRESHOLDS = [0.5, 0.7, 0.8, 0.9] as const;

export interface Prediction {
  /** 0 to 1. */
  readonly probability: number;
  readonly isGood: boolean;
}

/** Each sample's probability by a model that saw nothing of its fold: all samples of a product are in one. */
export function predictOthers(
  samples: readonly Sample[],
  train: (samples: readonly Sample[]) => LogisticModel,
): Prediction[] {
  const products = [...new Set(samples.map(({ product }) => product))].toSorted();
  const foldOf = new Map(products.map((product, n) => [product, n % FOLDS]));
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    train(samples.filter(({ product }) => foldOf.get(product) !== fold)),
  );
  return samples.map(({ product, numbers, label }) => ({
    probability: predictProbability(models[foldOf.get(product)!]!, numbers),
    isGood: label === 1,
  }));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean squared error of the probabilities (Brier 1950), 0 to 1; the least is best. */
export const scoreBrier = (predictions: readonly Prediction[]): number =>
  mean(predictions.map(({ probability, isGood }) => (probability - Number(isGood)) ** 2));

/** As Markdown: Brier score, calibration, and who falls below which threshold. */
export function describeCalibration(predictions: readonly Prediction[]): string {
  const bad = predictions.filter(({ isGood }) => !isGood);
  const share = 1 - bad.length / predictions.length;
  const constant = predictions.map(({ isGood }) => ({ probability: share, isGood }));
  const lines = [
    `${predictions.length} photos, ${bad.length} bad. Brier score ${scoreBrier(predictions).toFixed(3)}, of a constant ${scoreBrier(constant).toFixed(3)}.`,
    '',
    '| confidence | photos | mean | good |',
    '| --- | --- | --- | --- |',
  ];
  for (let n = 1; n < EDGES.length; n++) {
    const [from, to] = [EDGES[n - 1]!, EDGES[n]!];
    const those = predictions.filter(({ probability: p }) => p >= from && (p < to || to === 1));
    if (those.length === 0) continue;
    const average = mean(those.map(({ probability }) => probability)).toFixed(2);
    const good = mean(those.map(({ isGood }) => Number(isGood))).toFixed(2);
    lines.push(`| ${from} to ${to} | ${those.length} | ${average} | ${good} |`);
  }
  lines.push('');
  for (const threshold of THRESHOLDS) {
    const flagged = predictions.filter(({ probability }) => probability < threshold);
    const caught = flagged.filter(({ isGood }) => !isGood).length;
    const spared = predictions.length - bad.length;
    lines.push(
      `Below ${threshold}: ${caught} of ${bad.length} bad, ${flagged.length - caught} of ${spared} good.`,
    );
  }
  return lines.join('\n');
}
