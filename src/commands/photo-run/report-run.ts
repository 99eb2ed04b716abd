/**
 * The output of a run over many files: a progress line on a terminal, otherwise a line per file, and JSON for programs.
 * Text goes to standard error. Standard output carries only JSON or a picture, so that either can be piped.
 */
import { createProgressLine, type Words } from '../shared/progress-line.ts';
import type { FileOutcome } from './file-outcome.ts';
import { createReportFile } from './report-file.ts';

interface ReportOptions {
  readonly total: number;
  /** Singular noun for what is counted, such as `photo`. */
  readonly noun: string;
  /** Whether running the same command again continues where this run stopped. */
  readonly resumes: boolean;
  /** The folder that is being watched. */
  readonly watched?: string | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  /** Path of the report file. */
  readonly report?: string | undefined;
  /** Default: standard error. */
  readonly words?: Words;
  /** Default: standard output. */
  readonly lines?: Pick<NodeJS.WriteStream, 'write'>;
  /** Monotonic clock, in milliseconds. */
  readonly clock?: () => number;
  /** Calls `work` every second, and returns a function that stops this. Default: a timer. */
  readonly everySecond?: (work: () => void) => () => void;
}

function setEverySecond(work: () => void): () => void {
  const timer = setInterval(work, 1000).unref();
  return () => clearInterval(timer);
}

export type RunReport = ReturnType<typeof createRunReport>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createRunReport(options: ReportOptions) {
  const { noun, watched, json = false, quiet = false, everySecond = setEverySecond } = options;
  const { words = process.stderr, lines = process.stdout, clock = () => performance.now() } = options;
  let { total } = options;
  const begunAt = clock();
  const counts = { done: 0, skipped: 0, failed: 0 };
  const failed: FileOutcome[] = [];
  const reportFile = createReportFile(options.report);
  let toLookAt = 0;
  const betterUncut = new Set<string>();
  let misfits = 0;
  /** Start time of each file that is being processed. */
  const current = new Map<string, number>();
  /** Start time of the first file. */
  let firstAt: number | undefined;
  let phase: { readonly text: string; readonly begunAt: number } | undefined;
  const isLive = words.isTTY === true && !quiet;
  const line = createProgressLine(words, { isLive, clock });
  let isStopped = false;

  function describeState(): string[] {
    if (phase) return [`${phase.text}…`, wholeSeconds(clock() - phase.begunAt)];
    const worked = counts.done + counts.failed;
    const ended = worked + counts.skipped;
    const eachMs = (clock() - firstAt!) / worked;
    const pace = worked > 0 ? [`${seconds(eachMs)} each`, `${span(eachMs * (total - ended))} left`] : [];
    const [oldest] = [...current];
    if (watched !== undefined && !oldest)
      return [
        `Watching ${watched}`,
        `${counts.done} done`,
        ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
      ];
    return [`${ended}/${total}`, ...pace, ...(oldest ? [oldest[0], wholeSeconds(clock() - oldest[1])] : [])];
  }

  function draw(isNew = false): void {
    if (isLive && !isStopped) line.draw(describeState().join('  '), isNew);
  }

  /** Redraws every second, because one file can take many seconds. */
  const stopTicking = isLive ? everySecond(() => draw()) : undefined;

  function stop(): void {
    if (!isLive || isStopped) return;
    isStopped = true;
    stopTicking?.();
    line.clear();
  }

  function say(text: string): void {
    line.say(text);
    draw();
  }

  function sayOutcome({ file, state, output, issues = [], error }: FileOutcome): void {
    const goes = output ? ` -> ${output}` : '';
    const told = issues.length > 0 ? `: ${issues.map(({ detail }) => detail).join(' ')}` : '';
    if (state === 'failed') say(`FAILED   ${file}: ${error?.detail}`);
    else if (issues.length > 0 && !quiet) say(`check    ${file}${goes}${told}`);
    else if (!isLive && !quiet) say(`${state.padEnd(8)} ${file}${goes}${told}`);
  }

  /** Removes a failure from the counts, because a good photo has replaced the failed one in the watched folder. */
  function forgetFailure(file: string): void {
    const index = failed.findIndex((one) => one.file === file);
    if (index === -1) return;
    reportFile.forgetFailure(file);
    failed.splice(index, 1);
    counts.failed--;
    total--;
  }

  function sayChecks({ file, checks = [] }: FileOutcome): void {
    for (const { verdict, summary } of checks) {
      if (verdict === 'passes' && (quiet || isLive)) continue;
      say(`${verdict.padEnd(8)} ${file}: ${summary}`);
    }
  }

  return {
    /** Prints a permanent line. */
    say,

    /** Shows the current step before the first file starts. */
    phase(text: string): void {
      phase = { text, begunAt: clock() };
      if (isLive) draw(true);
      else if (!quiet) say(`${text}…`);
    },

    /** Updates the progress of the phase, if there is a progress line. */
    progress(text: string): void {
      phase = { text, begunAt: phase?.begunAt ?? clock() };
      draw();
    },

    /** Adds `count` pictures to the total, because a file has arrived. */
    expect(count: number): void {
      total += count;
      draw();
    },

    /** Removes a file from the report and the total, because it is not processed now after all. */
    leave(file: string, pictures = 1): void {
      current.delete(file);
      total -= pictures;
      draw();
    },

    /** Returns the number of pictures that do not pass the check for marketplaces. */
    misfits: (): number => misfits,

    begin(file: string): void {
      phase = undefined;
      firstAt ??= clock();
      current.set(file, clock());
      draw();
    },

    end(outcome: FileOutcome): void {
      const { file, state, output, ms, error, issues = [], checks, facts } = outcome;
      current.delete(file);
      reportFile.add(outcome);
      if (watched !== undefined && state === 'done') forgetFailure(file);
      counts[state]++;
      if (state === 'failed') failed.push(outcome);
      if (issues.length > 0) toLookAt++;
      if (issues.some(({ code }) => code === 'better_uncut')) betterUncut.add(file);
      if (checks?.some(({ verdict }) => verdict !== 'passes')) misfits++;
      if (json) {
        const line = { file, state, output, ms: ms && Math.round(ms), error, ...facts, checks, issues };
        lines.write(`${JSON.stringify(state === 'done' ? line : { ...line, issues: undefined })}\n`);
      }
      sayOutcome(outcome);
      sayChecks(outcome);
      draw();
    },
    /** Removes the progress line for good. Safe to repeat. */
    stop,

    /** Writes the report file, if one was asked for. */
    write: reportFile.write,

    sum(ending: Ending): void {
      stop();
      if (ending.why !== undefined) words.write(`${ending.why}\n`);
      const ended = { counts, toLookAt, betterUncut: [...betterUncut], misfits, tookMs: clock() - begunAt };
      if (!quiet)
        for (const line of summarise({ ...options, total }, ended, ending)) words.write(`${line}\n`);
      // Repeated here, since the earlier lines may have scrolled away.
      if (failed.length === 0 || (total === 1 && !isLive)) return;
      words.write(`${count(failed.length, noun)} failed:\n`);
      for (const { file, error } of failed) words.write(`  ${file}: ${error?.detail}\n`);
    },
  };
}

interface Ending {
  /** Phrase that says where the pictures are. */
  readonly where: string;
  /** Why the run ended early, if not by an interrupt. */
  readonly why?: string | undefined;
  /** Whether the run was stopped early, so that unprocessed files may remain. */
  readonly stopped: boolean;
}

function summarise(
  { total, noun, resumes, watched }: ReportOptions,
  ended: {
    counts: Record<FileOutcome['state'], number>;
    toLookAt: number;
    betterUncut: readonly string[];
    misfits: number;
    tookMs: number;
  },
  { where, stopped }: Ending,
): string[] {
  const { counts, toLookAt, betterUncut, misfits, tookMs } = ended;
  const there = counts.done + counts.skipped;
  const before = counts.skipped > 0 ? `, ${counts.skipped} of them from an earlier run` : '';
  const left = stopped ? total - there - counts.failed : 0;
  return [
    `${watched === undefined ? `${there} of ${count(total, noun)}` : count(there, noun)} ${where}${before}; ${span(tookMs)}.`,
    ...(toLookAt > 0 ? [`${count(toLookAt, noun)} to check, see above.`] : []),
    ...(betterUncut.length > 0
      ? [
          `To leave as they are: packshot remove --recipe NAME --cutout none --overwrite ${betterUncut.join(' ')}`,
        ]
      : []),
    ...(misfits > 0 ? [`${count(misfits, 'picture')} did not pass the listing check, see above.`] : []),
    ...(left > 0 ? [`${count(left, noun)} left${resumes ? '; run the same command to continue' : ''}.`] : []),
  ];
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const wholeSeconds = (ms: number): string => `${Math.floor(ms / 1000)} s`;

function span(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return seconds(ms);
  return minutes < 60
    ? `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
