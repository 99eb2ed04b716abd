import { describe, expect, it } from 'vitest';
import { createPictureLine } from './picture-line.ts';

const now = 1_000;
const open = (processes: number) => createPictureLine(processes, () => now);

describe('the time for drawing a scene', () => {
  it('is not limited if nobody waits for the picture', () => {
    expect(open(2).findBudgetMs('acc_a', Number.POSITIVE_INFINITY)).toBeUndefined();
  });

  it('ends before the deadline of the only picture, so that the picture can be finished', () => {
    const line = open(2);
    line.join('acc_a', now + 30_000);
    const budgetMs = line.findBudgetMs('acc_a', now + 30_000);
    expect(budgetMs).toBeGreaterThan(5_000);
    expect(budgetMs).toBeLessThan(25_000);
  });

  it('lets all pictures of a long line be done before their deadlines', () => {
    const line = open(2);
    for (let waiting = 0; waiting < 120; waiting++) line.join('acc_a', now + 60_000);
    // Two processes in 60 s: one picture a second, of which most is drawing the scene.
    const budgetMs = line.findBudgetMs('acc_a', now + 60_000)!;
    expect(budgetMs).toBeGreaterThan(300);
    expect(budgetMs).toBeLessThanOrEqual(800);
  });

  it('is short for a picture while many others wait for their turn, however long they have waited', () => {
    const line = open(2);
    for (let waiting = 0; waiting < 200; waiting++) line.join('acc_a');
    const budgetMs = line.findBudgetMs('acc_a', now + 21_000)!;
    expect(budgetMs).toBeGreaterThan(100);
    expect(budgetMs).toBeLessThan(500);
  });

  it('is short for a picture with much time if others have little', () => {
    const line = open(1);
    for (let waiting = 0; waiting < 10; waiting++) line.join('acc_a', now + 5_000);
    line.join('acc_a', now + 60_000);
    expect(line.findBudgetMs('acc_a', now + 60_000)).toBeLessThanOrEqual(500);
  });

  it('does not depend on the pictures of other accounts, or on those that are done', () => {
    const line = open(2);
    for (let waiting = 0; waiting < 100; waiting++) line.join('acc_b', now + 10_000);
    const done = line.join('acc_a', now + 1_000);
    const alone = open(2);
    alone.join('acc_a', now + 30_000);
    line.join('acc_a', now + 30_000);
    done.leave();
    expect(line.findBudgetMs('acc_a', now + 30_000)).toBe(alone.findBudgetMs('acc_a', now + 30_000));
  });

  it('is none once the deadline is over', () => {
    expect(open(2).findBudgetMs('acc_a', now - 1)).toBe(0);
  });
});
