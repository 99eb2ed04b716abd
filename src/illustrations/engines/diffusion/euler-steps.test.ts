import { describe, expect, it } from 'vitest';
import { makeGaussianNoise, planEulerSteps, scaleForNetwork, takeEulerStep } from './euler-steps.ts';

const turbo = {
  betaStart: 0.00085,
  betaEnd: 0.012,
  betas: 'scaled_linear',
  trainingSteps: 1000,
  prediction: 'epsilon',
} as const;

describe('the steps of SD-Turbo', () => {
  it('begin with the last training step, whose noise has a sigma of 14.6146', () => {
    // The value is in microsoft/onnxruntime-inference-examples, js/sd-turbo/index.js.
    const [only, ...others] = planEulerSteps(turbo, 1);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ timestep: 999, nextSigma: 0 });
    expect(only!.sigma).toBeCloseTo(14.6146, 4);
  });

  it.each([
    [2, [999, 499]],
    [3, [999, 666, 332]],
    [4, [999, 749, 499, 249]],
  ])('are %d, evenly spaced, ending without noise', (count, timesteps) => {
    // The spacing is that of `EulerDiscreteScheduler` in diffusers with timestep_spacing "trailing".
    const steps = planEulerSteps(turbo, count);
    expect(steps.map(({ timestep }) => timestep)).toEqual(timesteps);
    steps.forEach(({ sigma, nextSigma }, at) => {
      expect(nextSigma).toBe(steps[at + 1]?.sigma ?? 0);
      expect(nextSigma).toBeLessThan(sigma);
    });
  });

  it('have the cumulative noise of their schedule', () => {
    // The betas 0.1, 0.2 and 0.3 leave 0.9, 0.72 and 0.504 of the picture's variance after each step.
    const schedule = { ...turbo, betaStart: 0.1, betaEnd: 0.3, betas: 'linear', trainingSteps: 3 } as const;
    const sigmas = planEulerSteps(schedule, 3).map(({ sigma }) => sigma ** 2);
    const expected = [0.496 / 0.504, 0.28 / 0.72, 0.1 / 0.9];
    sigmas.forEach((sigma, at) => {
      expect(sigma).toBeCloseTo(expected[at]!, 12);
    });
  });
});

describe('a step', () => {
  const clean = Float32Array.of(0.5, -1.25, 2);
  const noise = Float32Array.of(-0.75, 0.25, 1);
  const sigma = 3;
  const noisy = (level: number) => clean.map((value, at) => value + level * noise[at]!);

  it.each([0, 1.5])(
    'with a perfect prediction leaves the clean picture plus noise of sigma %d',
    (nextSigma) => {
      const step = { timestep: 9, sigma, nextSigma };
      const byNoise = noisy(sigma);
      takeEulerStep(byNoise, noise, step, 'epsilon');
      // The velocity is a·noise - b·clean, where a² + b² = 1 and b/a = sigma.
      const a = 1 / Math.hypot(1, sigma);
      const velocity = clean.map((value, at) => a * noise[at]! - a * sigma * value);
      const byVelocity = noisy(sigma);
      takeEulerStep(byVelocity, velocity, step, 'v_prediction');
      noisy(nextSigma).forEach((value, at) => {
        expect(byNoise[at]).toBeCloseTo(value, 5);
        expect(byVelocity[at]).toBeCloseTo(value, 5);
      });
    },
  );

  it('scales the network input to variance 1', () => {
    const [first] = scaleForNetwork(Float32Array.of(5), { timestep: 9, sigma: Math.sqrt(24), nextSigma: 0 });
    expect(first).toBeCloseTo(1, 6);
  });
});

describe('the noise', () => {
  it('depends only on the seed', () => {
    expect(makeGaussianNoise(9, 7)).toEqual(makeGaussianNoise(9, 7));
    expect(makeGaussianNoise(9, 8)).not.toEqual(makeGaussianNoise(9, 7));
    expect(makeGaussianNoise(9, 7)).toEqual(makeGaussianNoise(10, 7).subarray(0, 9));
  });

  it('has the moments of a normal distribution, and uncorrelated neighbors', () => {
    const count = 65_536;
    const noise = makeGaussianNoise(count, 1);
    const mean = (power: (value: number, at: number) => number) =>
      noise.reduce((sum, value, at) => sum + power(value, at), 0) / count;
    // Five standard errors. The standard error of the mean is 1 / √count; those of the higher moments are √2, √15 and
    // √96 times as large.
    const error = 5 / Math.sqrt(count);
    expect(Math.abs(mean((value) => value))).toBeLessThan(error);
    expect(Math.abs(mean((value) => value ** 2) - 1)).toBeLessThan(error * Math.SQRT2);
    expect(Math.abs(mean((value) => value ** 3))).toBeLessThan(error * Math.sqrt(15));
    expect(Math.abs(mean((value) => value ** 4) - 3)).toBeLessThan(error * Math.sqrt(96));
    for (const apart of [1, 2, 64]) {
      expect(Math.abs(mean((value, at) => value * noise[(at + apart) % count]!))).toBeLessThan(error);
    }
  });
});
