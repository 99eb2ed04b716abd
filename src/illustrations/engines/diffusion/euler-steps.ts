/** The noise levels and steps of a distilled diffusion model: Euler's method over the schedule that it was trained with. */

/** Read from `scheduler_config.json`; the values of SD-Turbo where a folder has none. */
export interface NoiseSchedule {
  /** Variance of the noise added by the first and the last of the training's steps; 0 to 1. */
  readonly betaStart: number;
  readonly betaEnd: number;
  /** `scaled_linear`: the square roots are evenly spaced, not the values. */
  readonly betas: 'linear' | 'scaled_linear';
  readonly trainingSteps: number;
  /** What the network answers: the noise, or the velocity of Salimans and Ho 2022 (arXiv 2202.00512). */
  readonly prediction: 'epsilon' | 'v_prediction';
}

export interface EulerStep {
  /** The training step that the network is told, 0 to `trainingSteps` - 1. */
  readonly timestep: number;
  /** Standard deviation of the noise in the latent picture before and after the step; the last step ends at 0. */
  readonly sigma: number;
  readonly nextSigma: number;
}

/**
 * `count` steps, "trailing": from the very last training step in even strides (Lin et al. 2023, arXiv 2305.08891,
 * table 2), as SD-Turbo was distilled for. sigma² = (1 - a) / a with a the product of all 1 - beta up to the step
 * (Karras et al. 2022, arXiv 2206.00364).
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

/** The network saw latent pictures of variance 1 in training, whatever their noise. */
export function scaleForNetwork(latent: Float32Array, { sigma }: EulerStep): Float32Array {
  const scale = 1 / Math.sqrt(sigma * sigma + 1);
  return latent.map((value) => value * scale);
}

/** One step, in place: along the derivative at `sigma` down to `nextSigma`. */
export function takeEulerStep(
  latent: Float32Array,
  answer: Float32Array,
  { sigma, nextSigma }: EulerStep,
  prediction: NoiseSchedule['prediction'],
): void {
  const variance = sigma * sigma + 1;
  for (let i = 0; i < latent.length; i++) {
    const noisy = latent[i]!;
    // For the velocity v the clean picture is noisy / variance - v * sigma / sqrt(variance).
    const derivative =
      prediction === 'epsilon'
        ? answer[i]!
        : (noisy - (noisy / variance - (answer[i]! * sigma) / Math.sqrt(variance))) / sigma;
    latent[i] = noisy + derivative * (nextSigma - sigma);
  }
}
