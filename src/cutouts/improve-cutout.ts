/**
 * Improves cutouts in the background: if stages of the first cutout were skipped for lack of time, a job finishes the
 * work while nothing else is waiting, and replaces the first cutout with the result.
 *
 * A call for a full version does not wait for that job. It starts the improvement as soon as no photo waits for its
 * first cutout, and uses the improved cutout if it is finished within a part of the call's deadline.
 *
 * The design's database row states which cutout is current. The improved cutout has its own blobs, written before the
 * row names them, so a reader sees either cutout and never a mix of both. The blobs of the first cutout stay until no
 * call can still be using them.
 */

import { type Cut, type PhotoCutter, wishesOf } from 'packshot-cutout/service';
import { PackshotError } from 'packshot-errors';
import { designBlobs, type OwnedDesign, type ReadyDesign } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import { randomBase62 } from '../ids.ts';
import type { Queue } from '../jobs/queue.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { DatabaseOrTransaction } from '../storage/database.ts';
import type { Tasks, Urgency } from '../tasks.ts';

/**
 * Name of the jobs that improve a cutout, and of those that later delete the replaced one. The key of an improvement is
 * the id of the design; the key of a deletion is the id with a suffix.
 */
export const improvementJob = 'improve-cutout';

/** The job that deletes the replaced blobs has the design's id and this suffix as its key. */
const tidySuffix = '.tidy';
/** Six times the longest deadline of any call that may have read the row before the replacement. */
const tidyMs = 3_600_000;
/** One retry: a photo that crashes its process twice keeps its current cutout. */
const maxAttempts = 2;

interface Dependencies {
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly cutting: Tasks<Pick<PhotoCutter, 'takeOnePass'>>;
  /** Runs `finishCutout` in another process; undefined if this process does the work. */
  readonly finishElsewhere?: ((design: OwnedDesign, signal: AbortSignal) => Promise<void>) | undefined;
  /** Resolves once no photo waits for its first cutout. */
  readonly untilFirstLooks: (signal: AbortSignal) => Promise<void>;
  /** Resolves once no other work has run or waited for a while. */
  readonly untilQuiet: (signal: AbortSignal) => Promise<void>;
  /** Called after a design's cutout was replaced. */
  readonly onImproved: (id: string) => void;
  /** Whether the blob `name`, relative to the design's prefix, was made from a cutout that has been replaced. */
  readonly isOfOtherCutout: (name: string, design: ReadyDesign) => boolean;
}

export function createCutoutImprover(needs: Dependencies) {
  const {
    designs,
    blobs,
    queue,
    cutting,
    finishElsewhere,
    untilFirstLooks,
    untilQuiet,
    onImproved,
    isOfOtherCutout,
  } = needs;
  const closing = new AbortController();

  async function findUnfinished(id: string) {
    const design = await designs.findDesign(id);
    return design?.state === 'ready' && design.leftOut.length > 0 ? design : undefined;
  }

  async function improveCutout(id: string, urgency: Urgency, untilTurn: () => Promise<void>): Promise<void> {
    let made: Cut | undefined;
    while (!made) {
      await untilTurn();
      // Stop if the design was deleted, or if another process has improved its cutout.
      const design = await findUnfinished(id);
      if (!design) return;
      const source = await blobs.get(designBlobs.source(id));
      if (!source) return;
      const options = { signal: never, urgency, account: design.accountId };
      made = await cutting.takeOnePass(
        { photo: id, bytes: source, wishes: wishesOf(design.origin) },
        options,
      );
    }
    await replace(id, made);
  }

  const share = createSingleFlight<void>();

  async function replace(id: string, { cutoutPng, mattePng, subject, cutoutVersion }: Cut): Promise<void> {
    const design = await findUnfinished(id);
    if (!design) return;
    const cutoutName = randomBase62(12);
    const keys = [designBlobs.cutout(id, cutoutName), designBlobs.matte(id, cutoutName)] as const;
    await Promise.all([blobs.put(keys[0], cutoutPng), blobs.put(keys[1], mattePng)]);
    const better = { subject, cutoutVersion, cutoutName };
    const replaced = await designs.replaceCutout(id, design.cutoutVersion, better, (transaction) =>
      tidyLater(design, transaction),
    );
    // Not replaced: in the meantime, the design was deleted, or another process improved its cutout.
    if (!replaced) await Promise.all(keys.map((key) => blobs.deleteAll(key)));
    else onImproved(id);
  }

  const tidyLater = async (
    { id, accountId }: ReadyDesign,
    transaction: DatabaseOrTransaction,
  ): Promise<void> => {
    await queue.enqueue(improvementJob, id + tidySuffix, transaction, { delayMs: tidyMs, accountId });
  };

  async function tidy(id: string): Promise<void> {
    const design = await designs.findDesign(id);
    if (design?.state !== 'ready') return;
    const prefix = designBlobs.of(id);
    for await (const { key } of blobs.list(prefix)) {
      if (isOfOtherCutout(key.slice(prefix.length + 1), design)) await blobs.deleteAll(key);
    }
  }

  return {
    /**
     * Schedules the deletion of all blobs made from replaced cutouts, for a time when no call can still be using them.
     */
    tidyLater,

    /** Starts taking improvement jobs from the queue. */
    work(): void {
      queue.work(improvementJob, {
        concurrency: 1,
        maxAttempts,
        async run(key) {
          if (key.endsWith(tidySuffix)) return tidy(key.slice(0, -tidySuffix.length));
          try {
            await improveCutout(key, 'batch', () => untilQuiet(closing.signal));
          } catch (error) {
            if (!(error instanceof PackshotError) || error.retryable || closing.signal.aborted) throw error;
            // The first cutout shows a product: if more passes do not find that product, keep the first cutout.
            await designs.keepCutout(key);
          }
        },
        giveUp: (key) => (key.endsWith(tidySuffix) ? Promise.resolve() : designs.keepCutout(key)),
      });
    },

    /**
     * Improves the cutout for a waiting caller, in the pauses between first cutouts. Rejects with the signal's reason or the cutting process's
     * error; the job then stays in the queue.
     */
    finishCutout: (design: OwnedDesign, signal: AbortSignal): Promise<void> =>
      share(design.id, { signal }, async (shared) => {
        if (finishElsewhere) return finishElsewhere(design, shared.signal);
        await improveCutout(design.id, 'better', () => untilFirstLooks(shared.signal));
      }),

    /** Call this once the queue is closing. The current job stops waiting for its turn and stays in the queue. */
    close(): void {
      closing.abort(new DOMException('The service is stopping.', 'AbortError'));
    },
  };
}

/** Many callers may share one improvement, so it must not end when the first caller leaves. */
const never = new AbortController().signal;

export type CutoutImprover = ReturnType<typeof createCutoutImprover>;
