/** Fits a logistic regression with a ridge penalty by Newton's method (Hastie et al. 2009, section 4.4). */
import type { LogisticModel } from '../../src/cutout/logistic.ts';

export interface Sample {
  readonly numbers: Readonly<Record<string, number>>;
  readonly label: 0 | 1;
  /** Above 0. */
  readonly weight: number;
  /** Samples of one product are never on both sides of a cross-validation. */
  readonly product: string;
}

const RIDGE = 1;
const ROUNDS = 12;

/** The sign that a number's weight has by what the number means; few samples would give it another one by chance. */
export type Signs = Readonly<Record<string, 1 | -1>>;

/** A number whose weight would have the wrong sign is left out, the worst one first. */
export function fitLogistic(
  samples: readonly Sample[],
  names: readonly string[],
  signs: Signs = {},
): LogisticModel {
  const model = fitFreely(samples, names);
  const wrong = Object.entries(model.terms)
    .map(([name, { weight }]) => ({ name, excess: -(signs[name] ?? 0) * weight }))
    .reduce((worst, each) => (each.excess > worst.excess ? each : worst), { name: '', excess: 0 });
  if (wrong.excess === 0) return model;
  return fitLogistic(
    samples,
    names.filter((name) => name !== wrong.name),
    signs,
  );
}

function fitFreely(samples: readonly Sample[], names: readonly string[], ridge = RIDGE): LogisticModel {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const scales = names.map((name) => {
    const mean = samples.reduce((sum, { numbers, weight }) => sum + weight * numbers[name]!, 0) / total;
    const variance =
      samples.reduce((sum, { numbers, weight }) => sum + weight * (numbers[name]! - mean) ** 2, 0) / total;
    return { mean, deviation: Math.sqrt(variance) || 1 };
  });
  const rows = samples.map(({ numbers }) => [
    1,
    ...names.map((name, n) => (numbers[name]! - scales[n]!.mean) / scales[n]!.deviation),
  ]);
  const size = names.length + 1;
  const beta = new Array<number>(size).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Array<number>(size).fill(0);
    const hessian = Array.from({ length: size }, () => new Array<number>(size).fill(0));
    rows.forEach((row, n) => {
      const { label, weight } = samples[n]!;
      const p = 1 / (1 + Math.exp(-row.reduce((sum, value, k) => sum + value * beta[k]!, 0)));
      const curvature = weight * Math.max(1e-6, p * (1 - p));
      for (let j = 0; j < size; j++) {
        gradient[j]! += weight * (label - p) * row[j]!;
        for (let k = 0; k < size; k++) hessian[j]![k]! += curvature * row[j]! * row[k]!;
      }
    });
    for (let j = 1; j < size; j++) {
      gradient[j]! -= ridge * beta[j]!;
      hessian[j]![j]! += ridge;
    }
    hessian[0]![0]! += 1e-6;
    const step = solve(hessian, gradient);
    for (let j = 0; j < size; j++) beta[j]! += step[j]!;
  }
  const round = (value: number) => Number(value.toPrecision(4));
  return {
    intercept: round(beta[0]!),
    terms: Object.fromEntries(
      names.map((name, n) => [
        name,
        { mean: round(scales[n]!.mean), deviation: round(scales[n]!.deviation), weight: round(beta[n + 1]!) },
      ]),
    ),
  };
}

/** Gaussian elimination with partial pivoting; writes into both. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(matrix[row]![column]!) > Math.abs(matrix[pivot]![column]!)) pivot = row;
    }
    [matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!];
    [right[column], right[pivot]] = [right[pivot]!, right[column]!];
    for (let row = column + 1; row < size; row++) {
      const factor = matrix[row]![column]! / matrix[column]![column]!;
      for (let k = column; k < size; k++) matrix[row]![k]! -= factor * matrix[column]![k]!;
      right[row]! -= factor * right[column]!;
    }
  }
  const solution = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row--) {
    let rest = right[row]!;
    for (let k = row + 1; k < size; k++) rest -= matrix[row]![k]! * solution[k]!;
    solution[row] = rest / matrix[row]![row]!;
  }
  return solution;
}
