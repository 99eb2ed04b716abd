import { describe, expect, it } from 'vitest';
import type { FileOutcome } from './file-outcome.ts';
import { createRunReport } from './report-run.ts';

function start({ isTTY = false, json = false, quiet = false, total = 3 } = {}) {
  let now = 0;
  let tick: () => void;
  let isTicking = false;
  const words: unknown[] = [];
  const lines: unknown[] = [];
  const report = createRunReport({
    total,
    noun: 'photo',
    resumes: true,
    json,
    quiet,
    words: { isTTY, columns: 60, write: (text: unknown) => words.push(text) > 0 },
    lines: { write: (text: unknown) => lines.push(text) > 0 },
    clock: () => now,
    everySecond(work) {
      tick = work;
      isTicking = true;
      return () => {
        isTicking = false;
      };
    },
  });
  return {
    report,
    isTicking: () => isTicking,
    wait(ms: number) {
      now += ms;
      tick();
    },
    /** Reports a photo that took two seconds. */
    end(outcome: Partial<FileOutcome> & { file: string }) {
      report.begin(outcome.file);
      now += 2000;
      report.end({ state: 'done', output: `out/${outcome.file}`, ms: 2000.4, ...outcome });
    },
    words: () => words.join(''),
    lines: () => lines.join(''),
    /** The lines as a terminal would show them, each as it was last written. */
    screen: () =>
      words
        .join('')
        .split('\n')
        .map((line) => line.split('\r\x1b[K').at(-1)),
  };
}

const error = { code: 'no_subject_found', detail: 'Nothing stands out.' };

describe('the report of a run', () => {
  it('prints the verdicts of a listing check beside each photo, and counts the pictures that did not pass', () => {
    const run = start();
    const check = (verdict: 'passes' | 'fails') =>
      ({ marketplace: 'etsy', verdict, summary: 'Etsy: x.', failed: [] }) as const;
    run.end({ file: 'a.jpg', output: 'out.zip', checks: [check('passes')] });
    run.end({ file: 'b.jpg', output: 'out.zip', checks: [check('fails'), check('passes')] });
    run.report.sum({ where: 'done', stopped: false });
    expect(run.words()).toContain('passes   a.jpg: Etsy: x.\n');
    expect(run.words()).toContain('fails    b.jpg: Etsy: x.\n');
    expect(run.words()).toContain('1 picture did not pass the listing check');
    expect(run.report.misfits()).toBe(1);
  });

  it('updates one line on a terminal with progress, speed, remaining time and current file', () => {
    const run = start({ isTTY: true });
    run.end({ file: 'a.jpg' });
    expect(run.words()).toContain('0/3  a.jpg  0 s');
    expect(run.screen()).toEqual(['1/3  2.0 s each  4.0 s left']);
    run.end({ file: 'b.jpg' });
    expect(run.screen()).toEqual(['2/3  2.0 s each  2.0 s left']);
    run.report.sum({ where: 'done, in out/', stopped: false });
    expect(run.screen()).toEqual(['2 of 3 photos done, in out/; 4.0 s.', '']);
  });

  it('shows the current step and its elapsed seconds on a terminal until the first file starts', () => {
    const run = start({ isTTY: true });
    run.report.phase('Loading the model');
    expect(run.screen()).toEqual(['Loading the model…  0 s']);
    run.wait(3000);
    expect(run.screen()).toEqual(['Loading the model…  3 s']);
    run.report.begin('a.jpg');
    run.wait(2000);
    run.report.begin('b.jpg');
    run.wait(2000);
    expect(run.screen()).toEqual(['0/3  a.jpg  4 s']);
    run.report.end({ file: 'a.jpg', state: 'done', output: 'out/a.jpg' });
    run.wait(1000);
    // Loading does not count toward the pace.
    expect(run.screen()).toEqual(['1/3  5.0 s each  10.0 s left  b.jpg  3 s']);
    expect(run.isTicking()).toBe(true);
    run.report.sum({ where: 'done, in out/', stopped: true });
    expect(run.isTicking()).toBe(false);
  });

  it('prints the current step as a plain line if there is no terminal, and nothing if quiet', () => {
    const run = start();
    run.report.phase('Loading the model');
    expect(run.words()).toBe('Loading the model…\n');
    expect(run.isTicking()).toBe(false);
    const quiet = start({ isTTY: true, quiet: true });
    quiet.report.phase('Loading the model');
    expect(quiet.words()).toBe('');
    expect(quiet.isTicking()).toBe(false);
  });

  it('keeps a line on the terminal for each failure and each cutout that a person must check', () => {
    const run = start({ isTTY: true });
    run.end({ file: 'a.jpg', issues: [{ code: 'touches_frame', detail: 'It is cut off.' }] });
    run.end({ file: 'b.jpg', state: 'failed', error });
    expect(run.screen().slice(0, 2)).toEqual([
      'check    a.jpg -> out/a.jpg: It is cut off.',
      'FAILED   b.jpg: Nothing stands out.',
    ]);
  });

  it('prints a plain line for each file if there is no terminal, and repeats the failed files at the end', () => {
    const run = start();
    run.end({ file: 'a.jpg' });
    run.end({ file: 'b.jpg', state: 'failed', error });
    run.report.end({ file: 'c.jpg', state: 'skipped', output: 'out/c.jpg' });
    run.report.sum({ where: 'done, in out/', stopped: false });
    expect(run.words()).toBe(`done     a.jpg -> out/a.jpg
FAILED   b.jpg: Nothing stands out.
skipped  c.jpg -> out/c.jpg
2 of 3 photos done, in out/, 1 of them from an earlier run; 4.0 s.
1 photo failed:
  b.jpg: Nothing stands out.
`);
  });

  it('prints one JSON line per file on request', () => {
    const run = start({ json: true });
    run.end({ file: 'a.jpg', issues: [], facts: { confidence: 0.9 } });
    run.end({ file: 'b.jpg', state: 'failed', output: null, error });
    const [done, failed] = run.lines().trim().split('\n');
    expect(JSON.parse(done!)).toEqual({
      file: 'a.jpg',
      state: 'done',
      output: 'out/a.jpg',
      ms: 2000,
      confidence: 0.9,
      issues: [],
    });
    expect(JSON.parse(failed!)).toMatchObject({ file: 'b.jpg', state: 'failed', error });
  });

  it('prints only failures if quiet, even on a terminal', () => {
    const run = start({ quiet: true, isTTY: true, total: 2 });
    run.end({ file: 'a.jpg', issues: [{ code: 'touches_frame', detail: 'It is cut off.' }] });
    expect(run.words()).toBe('');
    run.end({ file: 'b.jpg', state: 'failed', error });
    run.report.sum({ where: 'done', stopped: false });
    expect(run.words()).toMatch(/^FAILED {3}b\.jpg.*\n1 photo failed:\n/);
  });

  it('ends with the photos that are better left as they are, and how to do so', () => {
    const run = start();
    run.end({ file: 'a.jpg' });
    run.end({ file: 'chart.jpg', issues: [{ code: 'better_uncut', detail: 'It is a graphic.' }] });
    run.report.sum({ where: 'done', stopped: false });
    expect(run.words()).toContain(
      'To leave as they are: packshot remove --recipe NAME --cutout none --overwrite chart.jpg\n',
    );
  });

  it('reports how many files remain after an interruption, and why it was interrupted', () => {
    const run = start();
    run.end({ file: 'a.jpg' });
    run.report.sum({ where: 'done, in out/', why: 'Stopped: There is no space left.', stopped: true });
    expect(run.words()).toMatch(
      /Stopped: There is no space left\.\n1 of 3.*\n2 photos left; run the same command/,
    );
  });
});
