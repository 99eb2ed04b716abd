import { describe, expect, it } from 'vitest';
import { createClassChooser } from './scheduling-class.ts';

const short = (account: string) => ({ account, isBackground: false });

describe('the class of a task', () => {
  it("is normal for an account's sequential tasks, whatever other accounts do", () => {
    const classes = createClassChooser(() => 0);
    for (let i = 0; i < 9; i++) classes.begin(short('greedy'));
    const end = classes.begin(short('a'));
    expect(classes.choose(short('a'))).toBe('normal');
    end();
    classes.begin(short('a'));
    expect(classes.choose(short('a'))).toBe('normal');
  });

  it('is normal for all tasks of an account that is alone, long or short', () => {
    const classes = createClassChooser(() => 0);
    for (let i = 0; i < 3; i++) classes.begin(short('a'));
    expect(classes.choose(short('a'))).toBe('normal');
    expect(classes.choose({ ...short('a'), long: true })).toBe('normal');
  });

  it('is low for all tasks of an account that has several, once another account is active', () => {
    let now = 0;
    const classes = createClassChooser(() => now);
    for (let i = 0; i < 2; i++) classes.begin(short('a'));
    const end = classes.begin(short('b'));
    expect(classes.choose(short('a'))).toBe('low');
    end();
    now = 9_000;
    expect(classes.choose(short('a'))).toBe('low');
    now = 11_000;
    expect(classes.choose(short('a'))).toBe('normal');
  });

  it('is low for background tasks, and for long tasks beside another active account; a background task makes none active', () => {
    const classes = createClassChooser(() => 0);
    const background = { account: 'b', isBackground: true };
    classes.begin(background);
    expect(classes.choose(background)).toBe('low');
    for (let i = 0; i < 2; i++) classes.begin(short('a'));
    expect(classes.choose(short('a'))).toBe('normal');
    const long = { ...short('a'), long: true };
    expect(classes.choose(long)).toBe('normal');
    classes.begin(short('b'));
    expect(classes.choose(long)).toBe('low');
  });
});
