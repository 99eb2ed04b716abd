/** Fits logistic regressions, and judges them on products that they were not fitted to. */

export interface Example {
  readonly product: string;
  readonly inputs: readonly number[];
  readonly isTrue: boolean;
}

/** The bias, then one weight per input. */
type Weights = readonly number[];

/** Keeps weights small where the examples say little; relative to the sum over the examples. */
const RIDGE = 0.1;
const STEPS = 30;

/** Newton's method. */
export function fitLogistic(examples: readonly Example[]): Weights {
  const size = examples[0]!.inputs.length + 1;
  let weights: Weights = new Array<number>(size).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const slopes = weights.map((weight, k) => (k === 0 ? 0 : -RIDGE * weight));
    const bends = weights.map((_, k) =>
      weights.map((_, n) => (k === n && k > 0 ? RIDGE : k === n ? 1e-9 : 0)),
    );
    for (const { inputs, isTrue } of examples) {
      const row = [1, ...inputs];
      const chance = predict(weights, inputs);
      for (let k = 0; k < size; k++) {
        slopes[k]! += (Number(isTrue) - chance) * row[k]!;
        for (let n = 0; n < size; n++) bends[k]![n]! += chance * (1 - chance) * row[k]! * row[n]!;
      }
    }
    const change = solve(bends, slopes);
    weights = weights.map((weight, k) => weight + change[k]!);
  }
  return weights;
}

export const predict = ([bias = 0, ...weights]: Weights, inputs: readonly number[]): number =>
  1 / (1 + Math.exp(-inputs.reduce((sum, input, k) => sum + weights[k]! * input, bias)));

/** The chance of each example by a model fitted without any example of its product. */
export function predictLeftOut(examples: readonly Example[]): number[] {
  const models = new Map<string, Weights>();
  return examples.map(({ product, inputs }) => {
    if (!models.has(product))
      models.set(product, fitLogistic(examples.filter((other) => other.product !== product)));
    return predict(models.get(product)!, inputs);
  });
}

/** Gaussian elimination; the matrix is positive definite, so no rows need to change places. */
function solve(matrix: readonly number[][], values: readonly number[]): number[] {
  const rows = matrix.map((row, k) => [...row, values[k]!]);
  for (let k = 0; k < rows.length; k++) {
    for (let n = 0; n < rows.length; n++) {
      if (n === k) continue;
      const factor = rows[n]![k]! / rows[k]![k]!;
      for (let c = k; c <= rows.length; c++) rows[n]![c]! -= factor * rows[k]![c]!;
    }
  }
  return rows.map((row, k) => row.at(-1)! / row[k]!);
}
