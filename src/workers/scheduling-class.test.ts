import { describe, expect, it } from 'vitest';
import { createClassChooser } from './scheduling-class.ts';

const short = (account: string) => ({ account, isBackground: false });

describe('the class of a task', () => {
  it("is normal for an account's sequential tasks, whatever other accounts do", () => {
    const classes = createClassChooser(() => 0);
    for (let i = 0; i < 9; i++) classes.begin(short('greedy'));
    const end = classes.begin(short('a'));
    expect(classes.choose(short('a'), 1)).toBe('normal');
    end();
    classes.begin(short('a'));
    expect(classes.choose(short('a'), 1)).toBe('normal');
  });

  it('is low for a task that runs beside another task of its account', () => {
    const classes = createClassChooser(() => 0);
    for (let i = 0; i < 2; i++) classes.begin(short('a'));
    expect([classes.choose(short('a'), 1), classes.choose(short('a'), 2)]).toEqual(['normal', 'low']);
  });

  it('is low for all tasks of an account that has several, once another account is active', () => {
    let now = 0;
    const classes = createClassChooser(() => now);
    for (let i = 0; i < 2; i++) classes.begin(short('a'));
    const end = classes.begin(short('b'));
    expect(classes.choose(short('a'), 1)).toBe('low');
    end();
    now = 9_000;
    expect(classes.choose(short('a'), 1)).toBe('low');
    now = 11_000;
    expect(classes.choose(short('a'), 1)).toBe('normal');
  });

  it('is low for long tasks and background tasks; a background task does not make its account active', () => {
    const classes = createClassChooser(() => 0);
    const background = { account: 'b', isBackground: true };
    classes.begin(background);
    expect(classes.choose(background, 1)).toBe('low');
    for (let i = 0; i < 2; i++) classes.begin(short('a'));
    expect(classes.choose(short('a'), 1)).toBe('normal');
    expect(classes.choose({ ...short('a'), long: true }, 1)).toBe('low');
  });
});
