/**
 * Conductor of the better cutout: where a caller needed the first one before it was as good as it gets, a job finishes the
 * work while nothing else is waiting, and puts the result in the place of the first.
 *
 * A full version is worth waiting for: it has the work done at once, as far as its deadline allows.
 *
 * The row decides which cutout is current. The better one has blobs of its own, written before the row names them, so a
 * reader sees one cutout or the other and never a part of both. The first one's blobs stay until no call can still be
 * using them.
 */
import { designBlobs } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import { PackshotError } from '../errors.ts';
import { randomBase62 } from '../ids.ts';
import type { Queue } from '../jobs/queue.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Tasks, Urgency } from '../tasks.ts';
import { type Cut, improvementJob } from './cut.ts';
import type { PhotoCutter } from './photo-cutter.ts';

/** Behind the design's id: the job that erases what was replaced. */
const tidySuffix = '.tidy';
/** Six times the longest deadline of a call that may have read the row before the replacement. */
const tidyMs = 3_600_000;
/** One retry: a photo that ends its process twice keeps the cutout that it has. */
const maxAttempts = 2;

interface Dependencies {
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly cutting: Tasks<Pick<PhotoCutter, 'takeOneLook'>>;
  /** Has another process do it with its `finishCutout`; undefined where that is done here. */
  readonly finishElsewhere?: ((id: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** Resolves once nothing else has been waiting for a while. */
  readonly untilQuiet: (signal: AbortSignal) => Promise<void>;
  /** Called after a design's cutout was replaced. */
  readonly onImproved: (id: string) => void;
  /** Names, below the design's prefix, of blobs that were made from another cutout than the current one. */
  readonly isOfOtherCutout: (name: string, current: string | null) => boolean;
}

export function createCutoutImprover(needs: Dependencies) {
  const { designs, blobs, queue, cutting, finishElsewhere, untilQuiet, onImproved, isOfOtherCutout } = needs;
  const closing = new AbortController();

  async function findUnfinished(id: string) {
    const design = await designs.findDesign(id);
    return design?.state === 'ready' && design.leftOut.length > 0 ? design : undefined;
  }

  async function improveCutout(id: string, urgency: Urgency, untilTurn: () => Promise<void>): Promise<void> {
    let made: Cut | undefined;
    while (!made) {
      await untilTurn();
      // Erased, or improved by another process.
      if (!(await findUnfinished(id))) return;
      const source = await blobs.get(designBlobs.source(id));
      if (!source) return;
      const options = { signal: never, urgency, account: undefined };
      made = await cutting.takeOneLook({ photo: id, bytes: source }, options);
    }
    await replace(id, made);
  }

  const share = createSingleFlight<void>();

  async function replace(id: string, { cutoutPng, mattePng, subject, cutoutVersion }: Cut): Promise<void> {
    const design = await findUnfinished(id);
    if (!design) return;
    const { accountId } = design;
    const cutoutName = randomBase62(12);
    const keys = [designBlobs.cutout(id, cutoutName), designBlobs.matte(id, cutoutName)] as const;
    await Promise.all([blobs.put(keys[0], cutoutPng), blobs.put(keys[1], mattePng)]);
    const better = { subject, cutoutVersion, cutoutName };
    const replaced = await designs.replaceCutout(id, design.cutoutVersion, better, (transaction) =>
      queue.enqueue(improvementJob, id + tidySuffix, transaction, { delayMs: tidyMs, accountId }),
    );
    // Erased, or improved by another process, in the meantime.
    if (!replaced) await Promise.all(keys.map((key) => blobs.deleteAll(key)));
    else onImproved(id);
  }

  async function tidy(id: string): Promise<void> {
    const design = await designs.findDesign(id);
    if (design?.state !== 'ready') return;
    const prefix = designBlobs.of(id);
    for await (const { key } of blobs.list(prefix)) {
      if (isOfOtherCutout(key.slice(prefix.length + 1), design.cutoutName)) await blobs.deleteAll(key);
    }
  }

  return {
    /** Starts improving from the queue. */
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
            // What the first cutout shows is a product; what is not found by more looks stays as it was.
            await designs.keepCutout(key);
          }
        },
        giveUp: (key) => (key.endsWith(tidySuffix) ? Promise.resolve() : designs.keepCutout(key)),
      });
    },

    /**
     * Improves the cutout at once for a caller who waits for it. Rejects with the signal's reason, and with what the cutting process
     * throws; the job is still there then.
     */
    finishCutout: (id: string, signal: AbortSignal): Promise<void> =>
      share(id, { signal }, async (shared) => {
        if (finishElsewhere) return finishElsewhere(id, shared.signal);
        await improveCutout(id, 'preview', async () => shared.signal.throwIfAborted());
      }),

    /** Ends the wait for quiet, once the queue is closing; the job stays. */
    close(): void {
      closing.abort(new DOMException('The service is stopping.', 'AbortError'));
    },
  };
}

/** Cutouts are joined by many and outlive whoever asked first. */
const never = new AbortController().signal;

export type CutoutImprover = ReturnType<typeof createCutoutImprover>;
