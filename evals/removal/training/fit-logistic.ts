/**
 * Fits logistic regressions (Newton's method with a ridge penalty), and cross-validates them: each product is predicted
 * by a model that was not fitted to it.
 */
import { type LogisticModel, predict } from '../../../src/cutout/steps/logistic-model.ts';

export interface Example {
  /** Photos of one product are always in the same fold. */
  readonly product: string;
  readonly inputs: readonly number[];
  readonly isPositive: boolean;
}

/** Weight of the penalty, which applies to standardized inputs. */
const RIDGE = 1;
const STEPS = 40;
const LONGEST_STEP = 4;
const FOLDS = 10;

export function fitLogistic(examples: readonly Example[]): LogisticModel {
  const size = examples[0]!.inputs.length;
  const columns = Array.from({ length: size }, (_, k) => examples.map(({ inputs }) => inputs[k]!));
  const means = columns.map((column) => average(column));
  const scales = columns.map(
    (column, k) => Math.sqrt(average(column.map((value) => (value - means[k]!) ** 2))) || 1,
  );
  const rows = examples.map(({ inputs, isPositive }) => ({
    inputs: [1, ...inputs.map((value, k) => (value - means[k]!) / scales[k]!)],
    isPositive,
  }));
  const fitted = new Array<number>(size + 1).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const change = findStep(rows, fitted);
    const share = Math.min(1, LONGEST_STEP / Math.hypot(...change));
    for (let k = 0; k <= size; k++) fitted[k]! += share * change[k]!;
  }
  const weights = fitted.slice(1).map((weight, k) => weight / scales[k]!);
  return { bias: fitted[0]! - weights.reduce((sum, weight, k) => sum + weight * means[k]!, 0), weights };
}

/** The probability of each example, predicted by a model fitted to the other folds. */
export function crossValidate(examples: readonly Example[]): readonly number[] {
  const products = [...new Set(examples.map(({ product }) => product))].toSorted();
  const foldOf = (example: Example) => products.indexOf(example.product) % FOLDS;
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    fitLogistic(examples.filter((example) => foldOf(example) !== fold)),
  );
  return examples.map((example) => predict(models[foldOf(example)]!, example.inputs));
}

interface Row {
  /** The first input is 1, for the bias. */
  readonly inputs: readonly number[];
  readonly isPositive: boolean;
}

function findStep(rows: readonly Row[], fitted: readonly number[]): number[] {
  const [bias = 0, ...weights] = fitted;
  const gradient = fitted.map((value, k) => (k === 0 ? 0 : -RIDGE * value));
  const hessian = fitted.map((_, k) => fitted.map((__, m) => (k === m && k > 0 ? RIDGE : 0)));
  for (const { inputs, isPositive } of rows) {
    const p = predict({ bias, weights }, inputs.slice(1));
    for (const [k, input] of inputs.entries()) {
      gradient[k]! += (Number(isPositive) - p) * input;
      for (const [m, other] of inputs.entries()) hessian[k]![m]! += p * (1 - p) * input * other;
    }
  }
  return solve(hessian, gradient);
}

/** Gaussian elimination. The matrix is positive definite, so it needs no pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, k) => [...row, right[k]!]);
  const size = rows.length;
  for (let k = 0; k < size; k++) {
    for (let below = k + 1; below < size; below++) {
      const factor = rows[below]![k]! / rows[k]![k]!;
      for (let c = k; c <= size; c++) rows[below]![c]! -= factor * rows[k]![c]!;
    }
  }
  const solution = new Array<number>(size).fill(0);
  for (let k = size - 1; k >= 0; k--) {
    let rest = rows[k]![size]!;
    for (let c = k + 1; c < size; c++) rest -= rows[k]![c]! * solution[c]!;
    solution[k] = rest / rows[k]![k]!;
  }
  return solution;
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
