/** Logistic regression as data: probabilities from numbers whose weights can be read. */

export interface LogisticModel {
  readonly intercept: number;
  /** Each number is brought to mean 0 and standard deviation 1 of the pictures that the model was fitted on. */
  readonly terms: Readonly<
    Record<string, { readonly mean: number; readonly deviation: number; readonly weight: number }>
  >;
}

/** 0 to 1. A number that the model does not know is left out of account. */
export function predictProbability(model: LogisticModel, numbers: Readonly<Record<string, number>>): number {
  let sum = model.intercept;
  for (const [name, { mean, deviation, weight }] of Object.entries(model.terms)) {
    sum += (weight * (numbers[name]! - mean)) / deviation;
  }
  return 1 / (1 + Math.exp(-sum));
}
