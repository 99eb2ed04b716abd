/** Tells what a photo shows by a fitted model. */

import type { PhotoKind, PhotoKindName, SubjectFacts } from 'packshot-cutout/service';
import type { Source } from 'packshot-photos';
import type { Matte } from 'packshot-pixels';
import model from './kind-model.json' with { type: 'json' };
import { measurePhoto, type PhotoMeasures } from './measure-photo.ts';
import { isRuined, withKind } from './photo-kind.ts';

/** The kinds that the model tells apart, in the order of its scores. */
export const toldKinds = [
  'product',
  'worn',
  'close_up',
  'cover',
  'graphic',
  'several',
] as const satisfies readonly PhotoKindName[];

/**
 * `evals/kinds/fit-kinds.ts` makes the file: for each kind a bias, and for each measure a weight per kind. A softmax turns
 * the sums into probabilities.
 */
export interface KindModel {
  readonly bias: readonly number[];
  readonly weights: { readonly [measure in keyof PhotoMeasures]: readonly number[] };
}

/**
 * Minimum probability that a cutout ruins the photo, for a kind that says so. Otherwise the photo is treated as that of a
 * product, as most are. Of 119 photos of products and worn clothes, each judged by a model that saw no photo of its
 * product, 2 exceed this (lab/cutouts.md).
 */
const LEAST_RUINED = 0.7;

export function tellKind(measures: PhotoMeasures, { bias, weights }: KindModel = model): PhotoKind {
  const names = Object.keys(weights) as (keyof PhotoMeasures)[];
  const scores = bias.map((start, kind) =>
    names.reduce((sum, name) => sum + weights[name][kind]! * measures[name], start),
  );
  const highest = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - highest));
  const all = shares.reduce((sum, share) => sum + share, 0);
  const sumOf = (isIn: (name: PhotoKindName) => boolean): number =>
    shares.reduce((sum, share, kind) => (isIn(toldKinds[kind]!) ? sum + share / all : sum), 0);
  const likeliest = toldKinds[scores.indexOf(highest)]!;
  const isUnsure = isRuined(likeliest) && sumOf(isRuined) < LEAST_RUINED;
  const name = isUnsure ? 'product' : likeliest;
  const probability = sumOf(isRuined(name) ? isRuined : (other) => other === name);
  return { name, probability: Math.round(1000 * probability) / 1000 };
}

/** Adds the photo's kind to the facts, and what follows from it. */
export function judgePhoto(photo: Source, matte: Matte, subject: SubjectFacts): SubjectFacts {
  if (photo.alpha !== null) return withKind(subject, { name: 'cut_out', probability: 1 });
  return withKind(subject, tellKind(measurePhoto(photo, matte)));
}
