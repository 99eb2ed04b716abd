/**
 * Numbers of the models in `judge-looks.ts`, written by `node evals/removal/training/fit-judgments.ts`, which says
 * from which data.
 */
import type { Model } from './judge-looks.ts';

/** Inputs: veil, contradiction, holes, softness of the coarse pass, blur of the coarse pass. */
export const ENOUGH: Model = { bias: -0.616, weights: [-0.736, -0.714, -4.025, 0.533, -2.431] };

/** Inputs: softness, fragments. */
export const CONFIDENCE: Model = { bias: -5.294, weights: [-1.177, -0.734] };
