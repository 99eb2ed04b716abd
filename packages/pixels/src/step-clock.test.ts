import { describe, expect, it } from 'vitest';
import { StepClock } from './step-clock.ts';

const never = new AbortController().signal;

describe('a step clock', () => {
  it('records the steps in the order in which they end, and returns their results', async () => {
    const clock = new StepClock(never);
    expect(await clock.run('layout', () => 7)).toBe(7);
    expect(await clock.run('compose', async () => 'picture')).toBe('picture');
    expect(clock.timings.map(({ step }) => step)).toEqual(['layout', 'compose']);
    for (const { durationMs } of clock.timings) expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  it('records a step that fails, and rethrows its error', async () => {
    const clock = new StepClock(never);
    const failing = clock.run('encode', () => {
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(clock.timings).toHaveLength(1);
  });

  it('starts no step once its signal is aborted', async () => {
    const gone = new AbortController();
    const clock = new StepClock(gone.signal);
    await clock.run('layout', () => gone.abort(new Error('gone')));
    let started = false;
    const next = clock.run('compose', () => {
      started = true;
    });
    await expect(next).rejects.toThrow('gone');
    expect(started).toBe(false);
    expect(clock.timings.map(({ step }) => step)).toEqual(['layout']);
  });
});
