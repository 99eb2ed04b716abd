import { describe, expect, it, vi } from 'vitest';
import { restWhileIdle } from './rest-while-idle.ts';

describe('an idle child', () => {
  const open = () => {
    vi.useFakeTimers();
    const rest = vi.fn(async () => undefined);
    const held: PromiseWithResolvers<string>[] = [];
    const hold = (_input: null): Promise<string> => {
      const one = Promise.withResolvers<string>();
      held.push(one);
      return one.promise;
    };
    return { rest, held, tasks: restWhileIdle({ hold }, rest, 1_000) };
  };

  it('rests once after a task, and not again before another task has run', async () => {
    const { rest, held, tasks } = open();
    for (let round = 1; round <= 2; round++) {
      const task = tasks.hold(null);
      held.at(-1)!.resolve('done');
      expect(await task).toBe('done');
      await vi.advanceTimersByTimeAsync(10_000);
      expect(rest).toHaveBeenCalledTimes(round);
    }
  });

  it('does not rest while a task runs, or if the next one starts in time', async () => {
    const { rest, held, tasks } = open();
    const first = tasks.hold(null);
    held[0]!.reject(new Error('a broken photo'));
    await expect(first).rejects.toThrow('a broken photo');
    await vi.advanceTimersByTimeAsync(900);
    void tasks.hold(null);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rest).not.toHaveBeenCalled();
  });
});
