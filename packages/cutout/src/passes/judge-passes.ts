/**
 * Judges passes by fitted models: whether further passes would improve a cutout, and how probable it is that a
 * cutout is good. The models are logistic regressions.
 */
import type { PassMeasures } from './measure-passes.ts';

interface LogisticModel {
  readonly bias: number;
  /** One weight per input. */
  readonly weights: readonly number[];
}

/** Inputs: see `listEnoughInputs`. */
const ENOUGH: LogisticModel = { bias: -0.458, weights: [-0.679, -0.656, -3.724, 0.516, -2.319] };

/** Inputs: softness, fragments. */
const CONFIDENCE: LogisticModel = { bias: -5.294, weights: [-1.177, -0.734] };

/** A probability, 0 to 1. */
const predict = ({ bias, weights }: LogisticModel, inputs: readonly number[]): number =>
  1 / (1 + Math.exp(-inputs.reduce((sum, input, k) => sum + weights[k]! * input, bias)));

/**
 * A photo gets no further passes if its first two are enough with at least this probability, and if their veil (the
 * semi-transparent share) and contradiction are at most the values below: a veil above the noise mostly means that the
 * close pass lost a part, such as a glass lid.
 */
const LEAST_ENOUGH = 0.8;
const MOST_VEIL = 0.005;
const MOST_CONTRADICTION = 0.1;

/** Whether the first two passes are enough, because further ones would probably not improve the cutout. */
export const isEnough = (measures: PassMeasures): boolean =>
  isClear(measures) && predict(ENOUGH, listEnoughInputs(measures)) >= LEAST_ENOUGH;

/** Whether veil and contradiction are small enough to trust the model. */
const isClear = ({ veil, contradiction }: PassMeasures): boolean =>
  veil <= MOST_VEIL && contradiction <= MOST_CONTRADICTION;

/** Higher softness is treated as this value: a pass this soft tells nothing. The softness of an empty matte is 1. */
const MOST_SOFTNESS = 0.3;

/**
 * Most shares enter the models as logarithms. The offsets keep the logarithm of 0 finite, and make small shares, which
 * are mostly noise, nearly equal.
 */
export const listEnoughInputs = (measures: PassMeasures): readonly number[] => [
  Math.log(measures.veil + 0.005),
  Math.log(measures.contradiction + 0.01),
  Math.min(1, measures.holes),
  Math.log(Math.min(MOST_SOFTNESS, measures.coarseSoftness) + 0.003),
  measures.coarseBlur,
];

/** What is known about a matte when its last pass is done. */
export interface MatteMeasures {
  /** Softness of the engine's matte, 0 to 1; see `measureSoftness`. */
  readonly softness: number;
  /** The fraction of the product, 0 to 1, that is not part of its largest connected part. */
  readonly fragments: number;
}

/** The probability that the cutout is good: it has an IoU of at least .9 with the true one, and lacks no part. */
export const findProbability = (measures: MatteMeasures): number =>
  predict(CONFIDENCE, listConfidenceInputs(measures));

export const listConfidenceInputs = ({ softness, fragments }: MatteMeasures): readonly number[] => [
  Math.log(softness + 0.003),
  Math.log(fragments + 0.01),
];
