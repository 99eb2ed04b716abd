/**
 * A hot folder: yields each photo once it has settled, that is, no longer changes. It polls the folder instead of
 * relying on operating system notifications, which are not sent for network folders, for shared folders of virtual
 * machines, or in many containers. In any case, only a second poll can show that a file is complete.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findPhotos, type Photo } from './find-photos.ts';
import { explainFailure, passing } from './run-files.ts';

/** A file counts as complete once its size and modification time stay the same this long: copying writes more often. */
const settleMs = 2_000;
const lookEveryMs = 1_000;
/** Maximum fraction of the time that is spent polling a slow network folder. */
const lookShare = 0.1;

export interface Watch {
  readonly folder: string;
  readonly recursive: boolean;
  /** Real path of the output folder, which is not searched. */
  readonly leaveOut: string | undefined;
  /** Called once when the folder becomes unreadable, and once when it is readable again. */
  readonly tell: (line: string) => void;
  readonly ending: AbortSignal;
}

/** Yields each photo when it has settled, and again when it has changed and settled. */
export async function* watchFolder(watch: Watch): AsyncGenerator<Photo> {
  const { folder, recursive, leaveOut, tell, ending } = watch;
  const pickSettled = createSettler(settleMs);
  let isAway = false;
  while (!ending.aborted) {
    const begunAt = performance.now();
    try {
      const photos = await findPhotos([folder], { recursive, leaveOut }, (why) => {
        throw new Error(why);
      });
      if (isAway) tell(`${folder} is available again.`);
      isAway = false;
      yield* pickSettled(photos, performance.now());
    } catch (error) {
      if (!isAway) tell(`${folder} cannot be read; waiting for it. ${explainFailure(error).detail}`);
      isAway = true;
    }
    const tookMs = performance.now() - begunAt;
    await sleep(Math.max(lookEveryMs, tookMs / lookShare), undefined, { signal: ending }).catch(
      () => undefined,
    );
  }
}

/** Returns a function that takes a listing and returns the photos that have settled since the last listing. */
export function createSettler(afterMs: number) {
  interface Seen {
    readonly version: string;
    readonly sinceMs: number;
    isHandedOver: boolean;
  }
  const seen = new Map<string, Seen>();

  return (photos: readonly Photo[], nowMs: number): Photo[] => {
    const there = new Set(photos.map(({ identity }) => identity));
    for (const identity of seen.keys()) if (!there.has(identity)) seen.delete(identity);
    return photos.filter(({ identity, version }) => {
      const text = JSON.stringify(version);
      const known = seen.get(identity);
      if (known?.version !== text) {
        seen.set(identity, { version: text, sinceMs: nowMs, isHandedOver: false });
        return false;
      }
      if (known.isHandedOver || version?.bytes === 0 || nowMs - known.sinceMs < afterMs) return false;
      known.isHandedOver = true;
      return true;
    });
  };
}

const pauseMs = 30_000;

/** Calls `work` again while it fails with a transient error (see `passing`), until `stopping` is aborted. */
export async function retryWhilePassing<T>(
  work: () => Promise<T>,
  { tell, stopping }: { readonly tell: (line: string) => void; readonly stopping: AbortSignal },
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const { code, detail } = explainFailure(error);
      if (!passing.has(code) || stopping.aborted) throw error;
      tell(`${detail} Trying again in ${pauseMs / 1000} s.`);
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}
