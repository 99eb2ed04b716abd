/**
 * Coordinates a design's first cutout. It is made once, and again only if the storage has lost it.
 *
 * The queue's job makes it the first time. All other callers join: they read the design's row and, if its state is
 * still `processing`, wait until the job changes it to `ready` or `failed`.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  type Cut,
  type CutExtent,
  type convertCutout,
  type FreshCutout,
  type PhotoCutter,
  type rebuildCutout,
  wishesOf,
} from 'packshot-cutout/service';
import { PackshotError } from 'packshot-errors';
import type { PhotoTags } from 'packshot-photos';
import type { StepTiming } from 'packshot-pixels';
import type { ProductFacts } from 'packshot-sets';
import { cutoutJob } from '../designs/create-design.ts';
import {
  type Design,
  designBlobs,
  type FailedDesign,
  type OwnedDesign,
  type ProcessingDesign,
  type ReadyDesign,
} from '../designs/design.ts';
import { type DesignStore, designNotFound } from '../designs/design-store.ts';
import type { Queue } from '../jobs/queue.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { expectNotice, type Notices } from '../storage/notices.ts';
import type { Tasks } from '../tasks.ts';
import { createCutoutPace, type FinishedCut } from './cutout-pace.ts';
import { improvementJob } from './improve-cutout.ts';
import { createCutoutMender } from './mend-cutout.ts';

/** How long a repeated photo gets the cutout that was made before, in milliseconds. */
const joinableMs = 600_000;
const mostJoinable = 1_000;

/** One retry: if processing fails twice, the photo is considered the cause. */
const maxAttempts = 2;

/** The functions of `understanding/` that are needed to make cutouts. They never reject. */
export interface ProductRecognizer {
  /** Undefined for a nearly empty cutout, or after a failure. */
  recognizeProduct(design: Design, made: FreshCutout): Promise<ProductFacts | undefined>;
  /**
   * Classifies the product a second time; no cutout waits for the result. Undefined in the same cases as
   * `recognizeProduct`, and if no vision model is configured.
   */
  recognizeBetter(design: Design, made: FreshCutout): Promise<ProductFacts | undefined>;
}

interface Dependencies {
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly clock: () => number;
  /** Has another process run `mendCutout` for a lost cutout; undefined if this process does the work. */
  readonly mendElsewhere?: ((design: OwnedDesign) => Promise<void>) | undefined;
  readonly cutting: Tasks<Pick<PhotoCutter, 'cutPhoto'>>;
  readonly imaging: Tasks<{
    convertCutout: typeof convertCutout;
    rebuildCutout: typeof rebuildCutout;
  }>;
  /** Replaces a cutout for which stages were skipped with the improved one. */
  readonly finish: (design: OwnedDesign, signal: AbortSignal) => Promise<void>;
  readonly recognizer: ProductRecognizer;
  readonly onCut: (id: string, timings: readonly StepTiming[]) => void;
}

interface TimedCut extends Cut {
  /** Undefined for a cutout that was made before. */
  readonly tookMs?: number;
}

export interface JoinOptions {
  /** How long to wait for the improved cutout if stages of the first one were skipped; default 0. */
  readonly patienceMs?: number;
}

export interface JoinedCutout {
  readonly design: ReadyDesign;
  /** Durations of the steps of the cut that this call waited for. Empty if the cutout already existed. */
  readonly timings: readonly StepTiming[];
}

/** Published once a design is `ready`, `failed` or deleted. The payload is `CutNews` if a cutout was made. */
const cutoutTopic = 'cutout';
const improvedTopic = 'cutout-improved';

interface CutNews extends FinishedCut {
  readonly timings: readonly StepTiming[];
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createCutoutMaker({
  designs,
  blobs,
  queue,
  notices,
  clock,
  mendElsewhere,
  cutting,
  imaging,
  finish,
  recognizer,
  onCut,
}: Dependencies) {
  /** Identifies this process; any unique value would do. */
  const maker = randomUUID();
  const pace = createCutoutPace(clock);
  notices.listen(cutoutTopic, (_, news) => {
    if (isCutNews(news) && news.tookMs > 0) pace.note(news);
  });

  async function cut(
    { id: photo, origin, accountId: account }: Design,
    bytes: Uint8Array,
    extent: CutExtent,
  ): Promise<TimedCut> {
    let startedAt = performance.now();
    const onStart = () => {
      startedAt = performance.now();
    };
    const made = await cutting.cutPhoto(
      { photo, bytes, extent, wishes: wishesOf(origin) },
      { signal: never, urgency: 'preview', account, onStart },
    );
    return { ...made, tookMs: Math.round(performance.now() - startedAt) };
  }

  async function makeCutout(id: string): Promise<void> {
    const design = await designs.findDesign(id);
    if (design?.state !== 'processing') return;
    const source = await blobs.get(designBlobs.source(id));
    if (!source) throw new Error(`the source of ${id} is gone`);
    const made = await cutOrCopy(design, source);
    const { cutoutPng, mattePng, subject, cutoutVersion, leftOut, timings } = made;
    const [product] = await Promise.all([
      recognizer.recognizeProduct(design, { cutoutPng, subject }),
      blobs.put(designBlobs.cutout(id), cutoutPng),
      blobs.put(designBlobs.matte(id), mattePng),
    ]);
    const movedOn = await designs.markReady(
      id,
      { subject, product, cutoutVersion, leftOut },
      async (transaction) => {
        if (leftOut.length > 0)
          await queue.enqueue(improvementJob, id, transaction, { accountId: design.accountId });
      },
    );
    if (leftOut.length > 0) queue.wake();
    // `movedOn` is false if the design was deleted meanwhile (then the new blobs are deleted), or if another
    // process finished first (then they are kept).
    if (!movedOn && !(await designs.findDesign(id))) await blobs.deleteAll(designBlobs.of(id));
    onCut(id, timings);
    // A repeated photo says nothing about the time that others take.
    notices.tell(cutoutTopic, id, { tookMs: made.tookMs ?? 0, maker, timings } satisfies CutNews);
    void noteBetter(design, { cutoutPng, subject });
  }

  const share = createSingleFlight<TimedCut>();
  /** The design that last got its cutout from these bytes, by account and digest of the bytes. */
  const cutBefore = new LRUCache<string, string>({
    max: mostJoinable,
    ttl: joinableMs,
    ttlResolution: 0,
    perf: { now: clock },
  });

  /**
   * A photo that its account sent again, for example after a time-out, is not cut again: all get the cutout that runs,
   * or the one that was made.
   */
  async function cutOrCopy(design: ProcessingDesign, source: Uint8Array): Promise<TimedCut> {
    const { id, accountId } = design;
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(source)));
    const key = JSON.stringify([accountId, digest.toString('base64url'), wishesOf(design.origin)]);
    const made = await share(key, { signal: never }, async () => {
      const before = cutBefore.get(key);
      const known = before === undefined ? undefined : await copyCut(before).catch(() => undefined);
      return known ?? cut(design, source, { dueAt: await findDueTime(design) });
    });
    cutBefore.set(key, id);
    return made;
  }

  /** Divides the time among the account's photos, so that the last of many is not late because the first got every pass. */
  async function findDueTime({ accountId, cutoutDueAt }: ProcessingDesign): Promise<number | undefined> {
    if (cutoutDueAt === null) return undefined;
    const leftMs = cutoutDueAt.getTime() - clock();
    const photosEach = (await designs.countAwaited(accountId)) / pace.countMakers();
    return clock() + leftMs / Math.max(1, photosEach);
  }

  /** Undefined if the design is gone, or its cutout was corrected. Rejects if it is deleted meanwhile. */
  async function copyCut(id: string): Promise<Cut | undefined> {
    const design = await designs.findDesign(id);
    if (design?.state !== 'ready' || design.history) return undefined;
    const { subject, cutoutVersion, cutoutName, leftOut } = design;
    const [cutoutPng, mattePng] = await Promise.all([
      readOrMend(design, designBlobs.cutout(design.id, cutoutName)),
      readOrMend(design, designBlobs.matte(design.id, cutoutName)),
    ]);
    return { cutoutPng, mattePng, subject, cutoutVersion, leftOut, timings: [] };
  }

  /** Never awaited: nothing depends on the second classification. */
  async function noteBetter(design: Design, made: FreshCutout): Promise<void> {
    const product = await recognizer.recognizeBetter(design, made);
    if (product) await designs.noteProduct(design.id, product).catch(() => undefined);
  }

  async function fail(id: string, error: unknown): Promise<void> {
    await designs.markFailed(id, failureOf(error));
    notices.tell(cutoutTopic, id);
  }

  const { mendCutout, readOrMend } = createCutoutMender({ designs, blobs, cut, imaging, mendElsewhere });

  /** The stored cutout as PNG with straight alpha, at the photo's size. */
  const readCutout = (design: ReadyDesign): Promise<Buffer> =>
    readOrMend(design, designBlobs.cutout(design.id, design.cutoutName));

  /** The design with the improved cutout, or with the current one if improving fails or exceeds `patienceMs`. */
  async function awaitBetter(
    design: ReadyDesign,
    patienceMs: number,
    signal: AbortSignal,
  ): Promise<ReadyDesign> {
    await finish(design, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])).catch(() =>
      signal.throwIfAborted(),
    );
    const better = await designs.findDesign(design.id);
    if (!better) throw designNotFound();
    return better.state === 'ready' ? better : design;
  }

  return {
    /** Starts taking cutout jobs from the queue. */
    work(): void {
      queue.work(cutoutJob, {
        // Two, so that the engine cuts one photo while the previous cutout is stored.
        concurrency: 2,
        maxAttempts,
        async run(id) {
          try {
            await makeCutout(id);
          } catch (error) {
            // A retry does not help if the photo itself is at fault.
            if (!(error instanceof PackshotError) || error.retryable) throw error;
            await fail(id, error);
          }
        },
        giveUp: fail,
      });
    },

    /**
     * Returns the design once its cutout is made. Throws the stored failure of a failed design, `design_not_found` if
     * the design was deleted in the meantime, or the signal's reason; the job then continues.
     */
    async joinCutout(
      design: Design,
      signal: AbortSignal,
      { patienceMs = 0 }: JoinOptions = {},
    ): Promise<JoinedCutout> {
      let current: Design | undefined = design;
      let timings: readonly StepTiming[] = [];
      while (current?.state === 'processing') {
        const notice = expectNotice(notices, cutoutTopic, design.id, signal);
        try {
          // Read the row again now that the listener is in place, because the job may have finished since the
          // caller read the row.
          current = await designs.findDesign(design.id);
          if (current?.state !== 'processing') break;
          const news = await notice.arrival;
          if (isCutNews(news)) timings = news.timings;
          current = await designs.findDesign(design.id);
        } finally {
          notice.stop();
        }
      }
      if (!current) throw designNotFound();
      if (current.state === 'failed') throw toError(current.failure);
      if (current.leftOut.length === 0 || patienceMs === 0) return { design: current, timings };
      return { design: await awaitBetter(current, patienceMs, signal), timings };
    },

    /** Average milliseconds between finished cutouts at present; 0 before the first. */
    findPaceMs: pace.findPaceMs,
    findLeastPaceMs: pace.findLeastPaceMs,

    /** Notifies the design's listeners that its cutout was replaced. */
    tellImproved(id: string): void {
      notices.tell(improvedTopic, id);
    },

    /** Calls `listener` each time the design's cutout is replaced, until the returned function is called. */
    onImproved(id: string, listener: () => void): () => void {
      return notices.listen(improvedTopic, (told) => {
        if (told === id) listener();
      });
    },

    /** Wakes callers that wait for a design that was just deleted. */
    forget(id: string): void {
      notices.tell(cutoutTopic, id);
    },

    mendCutout,
    readCutout,

    /**
     * Returns the cutout in the requested format, with the photo's metadata if they are requested and present. If
     * nothing has to be converted or added, returns the stored PNG.
     */
    async readCutoutAs(
      format: 'png' | 'webp',
      design: ReadyDesign,
      { tags, signal }: { readonly tags: PhotoTags | null; readonly signal: AbortSignal },
    ): Promise<Uint8Array> {
      const cutoutPng = await readCutout(design);
      if (format === 'png' && !tags) return cutoutPng;
      const options = { signal, urgency: 'generated', account: design.accountId } as const;
      return imaging.convertCutout({ cutoutPng, format, tags }, options);
    },

    /** The stored matte as 8-bit gray PNG, at the photo's size. */
    readMatte: (design: ReadyDesign): Promise<Buffer> =>
      readOrMend(design, designBlobs.matte(design.id, design.cutoutName)),
  };
}

export type CutoutMaker = ReturnType<typeof createCutoutMaker>;

/** Many callers may wait for one cutout, so it must not end when the first caller leaves. */
const never = new AbortController().signal;

/** News is validated, because the sender may be a process that runs another version of Packshot. */
const isCutNews = (news: unknown): news is CutNews =>
  typeof news === 'object' && news !== null && 'timings' in news && 'tookMs' in news && 'maker' in news;

function failureOf(error: unknown): FailedDesign['failure'] {
  if (error instanceof PackshotError) return { code: error.code, detail: error.message };
  return {
    code: 'image_undecodable',
    detail:
      'The photo could not be cut out in two attempts. Save it again as JPEG or PNG and upload that file.',
  };
}

function toError(failure: FailedDesign['failure']): PackshotError {
  return new PackshotError(failure.code, failure.detail);
}
