/**
 * Coefficients of the models in `judge-looks.ts`, written by `node evals/removal/training/fit-judgments.ts`. The
 * first comment in that file names the data.
 */
import type { LogisticModel } from './logistic-model.ts';

/**
 * Inputs (see `listEnoughInputs`): veil, contradiction, holes, softness of the coarse pass, blur of the coarse pass.
 */
export const ENOUGH: LogisticModel = { bias: -0.458, weights: [-0.679, -0.656, -3.724, 0.516, -2.319] };

/** Inputs (see `listConfidenceInputs`): softness, fragments. */
export const CONFIDENCE: LogisticModel = { bias: -5.294, weights: [-1.177, -0.734] };
