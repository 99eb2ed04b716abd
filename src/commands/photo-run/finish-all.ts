/** Processes the photos of a run: those that were found, or those that arrive in a watched folder. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { summarizeChecks } from '../../listing/check-listing.ts';
import type { PictureChecker } from '../shared/check-pictures.ts';
import type { Refuse } from '../shared/refuse.ts';
import { hasChanged, type Photo } from './find-photos.ts';
import type { PhotoFinisher } from './finish-photo.ts';
import type { Target } from './picture-target.ts';
import type { Output } from './place-outputs.ts';
import type { RunReport } from './report-run.ts';
import { type Arrivals, type Interrupts, type RunResult, runFiles } from './run-files.ts';
import { retryWhilePassing, watchFolder } from './watch-folder.ts';

interface Finishing {
  readonly nameOf: (photo: Photo) => string;
  readonly output: Output;
  readonly report: RunReport;
  readonly interrupts: Interrupts;
  readonly concurrency: number;
  /** Phrase that says where the pictures are, for the summary. */
  readonly where: string;
  readonly finish: PhotoFinisher['finish'];
  readonly checker: PictureChecker | undefined;
  /** Whether a folder is watched; a photo in it may be overwritten while the photo is processed. */
  readonly watches: boolean;
}

/** Returns the exit code. */
export async function finishAll(
  due: readonly Photo[] | Arrivals<Photo>,
  { nameOf, output, report, interrupts, concurrency, where, finish, checker, watches }: Finishing,
): Promise<number> {
  const failed = new Set<string>();

  async function makePicture(photo: Photo, signal: AbortSignal): Promise<void> {
    const begunAt = performance.now();
    report.begin(photo.name);
    const { picture: bytes, confidence, issues } = await finish(photo, signal);
    if (watches && (await hasChanged(photo))) return report.leave(photo.name);
    const picture = nameOf(photo);
    await output.keep(picture, photo, bytes);
    failed.delete(photo.identity);
    report.end({
      file: photo.name,
      state: 'done',
      output: output.pathOf(picture),
      ms: performance.now() - begunAt,
      issues,
      ...(checker && { checks: summarizeChecks(await checker.check(bytes)) }),
      facts: { confidence },
    });
  }

  /**
   * Processes a photo from the watched folder. If the photo has changed since it was found, removes it from the report:
   * the new version arrives, and is reported, as another photo.
   */
  async function makeArrival(photo: Photo, signal: AbortSignal): Promise<void> {
    if (await hasChanged(photo)) return report.leave(photo.name);
    try {
      const again = { tell: report.say, stopping: interrupts.stopping };
      await retryWhilePassing(() => makePicture(photo, signal), again);
    } catch (error) {
      if (!(await hasChanged(photo))) throw error;
      report.leave(photo.name);
    }
  }

  const ended = await runFiles(due, {
    concurrency,
    interrupts,
    work: watches ? makeArrival : makePicture,
    onFailure(photo, error) {
      failed.add(photo.identity);
      report.end({ file: photo.name, state: 'failed', error });
    },
  });
  return endRun({ ...ended, report, interrupts, where, failures: failed.size, watches });
}

interface EndedRun extends RunResult {
  readonly report: RunReport;
  readonly interrupts: Interrupts;
  readonly where: string;
  readonly failures: number;
  readonly watches?: boolean;
}

/** Prints the summary, and returns the exit code. */
export function endRun({ report, interrupts, where, failures, left, stoppedBy, watches }: EndedRun): number {
  // A photo that is interrupted between two of its pictures counts as done, so `left` is not enough.
  const stopped = left > 0 || interrupts.stopping.aborted;
  report.sum({ where, why: stoppedBy && `Stopped: ${stoppedBy.detail}`, stopped });
  const isWrong = failures > 0 || report.misfits() > 0 || stoppedBy !== undefined;
  // Ctrl-C is the normal end of a watch; only a second one interrupts it.
  if (watches && !interrupts.aborting.aborted) return isWrong ? 1 : 0;
  return interrupts.exitCode() ?? (isWrong || left > 0 ? 1 : 0);
}

/** Reports a picture from an earlier run, and checks it again. */
export async function reportEarlier(
  { name: file }: Photo,
  output: string | null,
  { report, checker }: Pick<Finishing, 'report' | 'checker'>,
): Promise<void> {
  if (!checker || output === null) return report.end({ file, state: 'skipped', output });
  const found = await checker.check(new Uint8Array(await readFile(output)));
  report.end({ file, state: 'skipped', output, checks: summarizeChecks(found) });
}

/** The folder to watch. Refuses anything but a single folder whose pictures are written elsewhere. */
export async function chooseWatched(
  words: readonly string[],
  target: Target,
  refuse: Refuse,
): Promise<string> {
  const [folder = '', ...others] = words;
  const facts = await stat(folder).catch(() => undefined);
  if (others.length > 0 || !facts?.isDirectory()) {
    refuse('--watch needs exactly one folder of photos, for example: photos/ -o out/ --watch');
  }
  if (target.kind !== 'folder') return refuse('--watch needs an output folder, such as -o out/');
  if ((await realpath(target.path).catch(() => undefined)) === (await realpath(folder))) {
    refuse(`The pictures of ${folder} cannot be written to the same folder. Name another one with -o.`);
  }
  return folder;
}

/** Yields each photo of the folder that is not done yet, once the photo no longer changes. */
export function arrivalsOf(
  folder: string,
  options: {
    readonly recursive: boolean;
    readonly out: string;
    /** Number of pictures per photo; default 1. */
    readonly pictures?: number;
    readonly report: RunReport;
    readonly isDone: (photo: Photo) => boolean | Promise<boolean>;
  },
): Arrivals<Photo> {
  const { recursive, out, pictures = 1, report, isDone } = options;
  return async function* (ending) {
    const leaveOut = await realpath(out).catch(() => undefined);
    report.say(`Watching ${folder}; Ctrl-C stops.`);
    for await (const photo of watchFolder({ folder, recursive, leaveOut, tell: report.say, ending })) {
      if (await isDone(photo)) continue;
      report.expect(pictures);
      yield photo;
    }
  };
}
