/**
 * Judges passes: whether further ones would improve a cutout, and, by a logistic regression, how probable it is that a
 * cutout is good.
 */
import type { PassMeasures } from './measure-passes.ts';

interface LogisticModel {
  readonly bias: number;
  /** One weight per input. */
  readonly weights: readonly number[];
}

/** Inputs: softness, fragments. */
const CONFIDENCE: LogisticModel = { bias: -5.294, weights: [-1.177, -0.734] };

/** A probability, 0 to 1. */
const predict = ({ bias, weights }: LogisticModel, inputs: readonly number[]): number =>
  1 / (1 + Math.exp(-inputs.reduce((sum, input, k) => sum + weights[k]! * input, bias)));

/**
 * A photo gets no further passes if their veil (the semi-transparent share of the product) and contradiction are at most
 * these values: a veil above the noise mostly means that the close pass lost a part, such as a glass lid.
 */
const MOST_VEIL = 0.005;
const MOST_CONTRADICTION = 0.1;

/** Whether the first two passes are enough, because further ones would probably not improve the cutout. */
export const isEnough = ({ veil, contradiction }: PassMeasures): boolean =>
  veil <= MOST_VEIL && contradiction <= MOST_CONTRADICTION;

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

/** Logarithms; the offsets keep that of 0 finite, and make small shares, which are mostly noise, nearly equal. */
export const listConfidenceInputs = ({ softness, fragments }: MatteMeasures): readonly number[] => [
  Math.log(softness + 0.003),
  Math.log(fragments + 0.01),
];
