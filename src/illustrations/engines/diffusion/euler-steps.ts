/** Euler sampler for a distilled diffusion model: noise levels and steps according to the model's training schedule. */
import { createRandom } from '../../../scenes/seeded-random.ts';

/** Read from `scheduler_config.json`; defaults to SD-Turbo's values. */
export interface NoiseSchedule {
  /** Variance of the noise added by the first training step; 0 to 1. */
  readonly betaStart: number;
  /** Variance of the noise added by the last training step; 0 to 1. */
  readonly betaEnd: number;
  /** Spacing of the training steps: `linear` spaces the variances evenly, `scaled_linear` their square roots. */
  readonly betas: 'linear' | 'scaled_linear';
  readonly trainingSteps: number;
  /** What the network predicts: the noise, or the velocity of Salimans and Ho 2022 (arXiv 2202.00512). */
  readonly prediction: 'epsilon' | 'v_prediction';
}

export interface EulerStep {
  /** Number of the training step, as passed to the network, 0 to `trainingSteps` - 1. */
  readonly timestep: number;
  /** Standard deviation of the latent's noise before the step. */
  readonly sigma: number;
  /** Standard deviation of the latent's noise after the step; 0 for the last step. */
  readonly nextSigma: number;
}

/**
 * Plans `count` steps with "trailing" spacing, for which SD-Turbo was distilled: evenly spaced, starting at the last
 * training step (Lin et al. 2023, arXiv 2305.08891, table 2). At a training step, sigma² = (1 - a) / a, where `a` is
 * the product of (1 - beta) over all training steps up to and including it (Karras et al. 2022, arXiv 2206.00364).
 */
export function planEulerSteps(schedule: NoiseSchedule, count: number): EulerStep[] {
  const sigmas = listSigmas(schedule);
  const { trainingSteps } = schedule;
  const timesteps = Array.from(
    { length: count },
    (_, step) => Math.round(trainingSteps - (step * trainingSteps) / count) - 1,
  );
  return timesteps.map((timestep, step) => {
    const next = timesteps[step + 1];
    return { timestep, sigma: sigmas[timestep]!, nextSigma: next === undefined ? 0 : sigmas[next]! };
  });
}

function listSigmas({ betaStart, betaEnd, betas, trainingSteps }: NoiseSchedule): number[] {
  const power = betas === 'scaled_linear' ? 2 : 1;
  const from = betaStart ** (1 / power);
  const to = betaEnd ** (1 / power);
  let kept = 1;
  return Array.from({ length: trainingSteps }, (_, step) => {
    kept *= 1 - (from + ((to - from) * step) / Math.max(1, trainingSteps - 1)) ** power;
    return Math.sqrt((1 - kept) / kept);
  });
}

/** Scales the latent to variance 1, which the network's input had in training at every noise level. */
export function scaleForNetwork(latent: Float32Array, { sigma }: EulerStep): Float32Array {
  const scale = 1 / Math.sqrt(sigma * sigma + 1);
  return latent.map((value) => value * scale);
}

/** Takes one Euler step in place, from `sigma` to `nextSigma`. */
export function takeEulerStep(
  latent: Float32Array,
  answer: Float32Array,
  { sigma, nextSigma }: EulerStep,
  prediction: NoiseSchedule['prediction'],
): void {
  const variance = sigma * sigma + 1;
  for (let i = 0; i < latent.length; i++) {
    const noisy = latent[i]!;
    // For a velocity v, the clean picture is noisy / variance - v * sigma / sqrt(variance).
    const derivative =
      prediction === 'epsilon'
        ? answer[i]!
        : (noisy - (noisy / variance - (answer[i]! * sigma) / Math.sqrt(variance))) / sigma;
    latent[i] = noisy + derivative * (nextSigma - sigma);
  }
}

/**
 * The noise from which a picture starts: standard normal numbers by the Box-Muller transform (1958), which yields them
 * in pairs, the cosine first. Other programs have other generators, so they make other pictures from the same seed.
 */
export function makeGaussianNoise(count: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const noise = new Float32Array(count);
  for (let i = 0; i < count; i += 2) {
    // 1 - next() is never 0; the logarithm of 0 would be infinite.
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
    const angle = 2 * Math.PI * random.next();
    noise[i] = radius * Math.cos(angle);
    if (i + 1 < count) noise[i + 1] = radius * Math.sin(angle);
  }
  return noise;
}
