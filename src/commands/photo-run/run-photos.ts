/** Processes the photos of a run: those that were found, or those that arrive in a watched folder. */
import { realpath, stat } from 'node:fs/promises';
import type { Refuse } from '../shared/refuse.ts';
import { hasChanged, type Photo } from './find-photos.ts';
import type { Target } from './picture-target.ts';
import { createRunReport, type RunReport } from './report-run.ts';
import {
  type Arrivals,
  type Interrupts,
  listenForInterrupts,
  type RunResult,
  runFiles,
} from './run-files.ts';
import { retryWhilePassing, watchFolder } from './watch-folder.ts';

interface PhotoRun {
  readonly report: RunReport;
  readonly interrupts: Interrupts;
  /** Photos processed at a time. */
  readonly concurrency: number;
  /** Phrase that says where the pictures are, for the summary. */
  readonly where: string;
  /** Makes and reports the pictures of a photo. */
  readonly make: (photo: Photo, signal: AbortSignal) => Promise<void>;
  /** Process each photo that arrives in a folder, instead of `photos`. */
  readonly watch?: Watched | undefined;
}

interface Watched {
  readonly folder: string;
  readonly recursive: boolean;
  /** Folder of the pictures. */
  readonly out: string;
  /** Number of pictures per photo. */
  readonly pictures: number;
  readonly isDone: (photo: Photo) => boolean | Promise<boolean>;
}

/** Reports what `work` does, to its end, and sets the exit code that it returns. */
export async function reportRun(
  options: Parameters<typeof createRunReport>[0],
  work: (run: { readonly report: RunReport; readonly interrupts: Interrupts }) => Promise<number>,
  onStop?: string,
): Promise<void> {
  const report = createRunReport(options);
  const interrupts = listenForInterrupts(report.say, onStop);
  try {
    process.exitCode = await work({ report, interrupts });
  } finally {
    report.stop();
    interrupts.close();
    await report.write();
  }
}

/** Returns the exit code. */
export async function runPhotos(
  photos: readonly Photo[],
  { report, interrupts, concurrency, where, make, watch }: PhotoRun,
): Promise<number> {
  const failed = new Set<string>();

  async function makePictures(photo: Photo, signal: AbortSignal): Promise<void> {
    report.begin(photo.name);
    await make(photo, signal);
    failed.delete(photo.identity);
  }

  /**
   * Processes a photo from the watched folder. If the photo has changed since it was found, removes it from the report:
   * the new version arrives, and is reported, as another photo.
   */
  async function makeArrival(photo: Photo, signal: AbortSignal): Promise<void> {
    const leave = () => report.leave(photo.name, watch!.pictures);
    if (await hasChanged(photo)) return leave();
    try {
      const again = { tell: report.say, stopping: interrupts.stopping };
      await retryWhilePassing(() => makePictures(photo, signal), again);
    } catch (error) {
      if (!(await hasChanged(photo))) throw error;
      leave();
    }
  }

  const ended = await runFiles(watch ? arrivalsOf(watch, report) : photos, {
    concurrency,
    interrupts,
    work: watch ? makeArrival : makePictures,
    onFailure(photo, error) {
      failed.add(photo.identity);
      report.end({ file: photo.name, state: 'failed', error });
    },
  });
  return endRun({ ...ended, report, interrupts, where, failures: failed.size, watches: watch !== undefined });
}

/** Yields each photo of the folder that is not done yet, once the photo no longer changes. */
function arrivalsOf(
  { folder, recursive, out, pictures, isDone }: Watched,
  report: RunReport,
): Arrivals<Photo> {
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

/** The folder to watch. Refuses anything but a single folder whose pictures are written elsewhere. */
export async function chooseWatched(
  words: readonly string[],
  target: Target,
  refuse: Refuse,
): Promise<Pick<Watched, 'folder' | 'out'>> {
  const [folder = '', ...others] = words;
  const facts = await stat(folder).catch(() => undefined);
  if (others.length > 0 || !facts?.isDirectory()) {
    refuse('--watch needs exactly one folder of photos, for example: photos/ -o out/ --watch');
  }
  if (target.kind !== 'folder') return refuse('--watch needs an output folder, such as -o out/');
  if ((await realpath(target.path).catch(() => undefined)) === (await realpath(folder))) {
    refuse(`The pictures of ${folder} cannot be written to the same folder. Name another one with -o.`);
  }
  return { folder, out: target.path };
}
