/** Fits the model of photo kinds by multinomial logistic regression, and judges it on products that it has not seen. */

import { hashSeed } from '../../packages/pixels/src/seeded-random.ts';
import { type KindModel, tellKind, toldKinds } from '../../src/cutouts/photo-kind/judge-photo.ts';
import type { PhotoMeasures } from '../../src/cutouts/photo-kind/measure-photo.ts';

export interface Sample {
  readonly id: string;
  readonly product: string;
  /** Index in `toldKinds`. */
  readonly kind: number;
  readonly measures: PhotoMeasures;
}

export interface Judged {
  readonly sample: Sample;
  readonly name: string;
  readonly probability: number;
}

const FOLDS = 8;
/** Strength of the pull of all weights toward 0, for measures of variance 1. */
const RIDGE = 0.02;
const STEPS = 3000;
const RATE = 0.5;

export function judgeFolds(samples: readonly Sample[]): Judged[] {
  const foldOf = ({ product }: Sample) => hashSeed(product) % FOLDS;
  return Array.from({ length: FOLDS }, (_, fold) => {
    const model = fitKinds(samples.filter((sample) => foldOf(sample) !== fold));
    return samples
      .filter((sample) => foldOf(sample) === fold)
      .map((sample) => ({ sample, ...tellKind(sample.measures, model) }));
  }).flat();
}

/** By gradient descent with momentum: the loss is convex, so the start does not matter. */
export function fitKinds(samples: readonly Sample[]): KindModel {
  const names = Object.keys(samples[0]!.measures) as (keyof PhotoMeasures)[];
  const spread = names.map((name) => {
    const values = samples.map(({ measures }) => measures[name]);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, scale: Math.sqrt(variance) || 1 };
  });
  const inputs = samples.map(({ measures }) => [
    1,
    ...names.map((name, n) => (measures[name] - spread[n]!.mean) / spread[n]!.scale),
  ]);
  const weights = descend(
    inputs,
    samples.map(({ kind }) => kind),
  );
  const rounded = (value: number) => Number(value.toPrecision(4));
  const raw = weights.map((row) => row.slice(1).map((weight, n) => weight / spread[n]!.scale));
  const bias = weights.map((row, kind) =>
    rounded(row[0]! - raw[kind]!.reduce((sum, weight, n) => sum + weight * spread[n]!.mean, 0)),
  );
  const columns = names.map((name, n) => [name, raw.map((row) => rounded(row[n]!))] as const);
  return { bias, weights: Object.fromEntries(columns) as unknown as KindModel['weights'] };
}

function descend(inputs: readonly number[][], kinds: readonly number[]): number[][] {
  const size = inputs[0]!.length;
  const weights = toldKinds.map(() => new Array<number>(size).fill(0));
  const speed = toldKinds.map(() => new Array<number>(size).fill(0));
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((row) => row.map((weight, n) => (n === 0 ? 0 : RIDGE * weight)));
    inputs.forEach((input, sample) => {
      const scores = weights.map((row) => row.reduce((sum, weight, n) => sum + weight * input[n]!, 0));
      const highest = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - highest));
      const all = shares.reduce((sum, share) => sum + share, 0);
      shares.forEach((share, kind) => {
        const error = (share / all - (kind === kinds[sample] ? 1 : 0)) / inputs.length;
        const row = slope[kind]!;
        for (let n = 0; n < size; n++) row[n]! += error * input[n]!;
      });
    });
    weights.forEach((row, kind) => {
      for (let n = 0; n < size; n++) {
        speed[kind]![n] = 0.9 * speed[kind]![n]! - RATE * 0.1 * slope[kind]![n]!;
        row[n]! += speed[kind]![n]!;
      }
    });
  }
  return weights;
}

/** The confusion of kinds, the Brier score of the named kind's probability, and the wrong answers. */
export function describeFolds(judged: readonly Judged[]): string {
  const isRight = ({ sample, name }: Judged) => toldKinds[sample.kind] === name;
  const rows = toldKinds.map((kind, index) => {
    const own = judged.filter(({ sample }) => sample.kind === index);
    const cells = toldKinds.map((name) => own.filter((each) => each.name === name).length || '');
    return `| ${kind} | ${cells.join(' | ')} |`;
  });
  const brier =
    judged.reduce((sum, each) => sum + (each.probability - (isRight(each) ? 1 : 0)) ** 2, 0) / judged.length;
  const wrong = judged.filter((each) => !isRight(each));
  return [
    `| is \\ named | ${toldKinds.join(' | ')} |`,
    `|---|${'---|'.repeat(toldKinds.length)}`,
    ...rows,
    '',
    `${judged.length - wrong.length} of ${judged.length} right; Brier score ${brier.toFixed(3)}.`,
    ...wrong.map(({ sample, name, probability }) => `${sample.id}: ${name} ${probability}`),
  ].join('\n');
}
