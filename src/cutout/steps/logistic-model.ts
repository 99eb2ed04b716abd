/** Logistic regression: the probability of an event, computed from a weighted sum of inputs. */

export interface LogisticModel {
  readonly bias: number;
  /** One weight per input. */
  readonly weights: readonly number[];
}

/** Returns a probability, 0 to 1. */
export const predict = ({ bias, weights }: LogisticModel, inputs: readonly number[]): number =>
  1 / (1 + Math.exp(-inputs.reduce((sum, input, k) => sum + weights[k]! * input, bias)));
