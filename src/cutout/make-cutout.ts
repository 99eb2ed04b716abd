/**
 * Coordinates a design's first cutout. It is made once, and again only if the storage has lost it.
 *
 * The queue's job makes it the first time. All other callers join: they read the design's row and, if its state is
 * still `processing`, wait until the job changes it to `ready` or `failed`.
 */
import { randomUUID } from 'node:crypto';
import { cutoutJob } from '../designs/create-design.ts';
import { type Design, designBlobs, type FailedDesign, type ReadyDesign } from '../designs/design.ts';
import { type DesignStore, designNotFound } from '../designs/design-store.ts';
import type { PhotoTags } from '../designs/photo-tags.ts';
import type { FreshCutout, ProductFacts } from '../designs/subject.ts';
import { PackshotError } from '../errors.ts';
import type { Queue } from '../jobs/queue.ts';
import type { StepTiming } from '../step-clock.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { expectNotice, type Notices } from '../storage/notices.ts';
import type { Tasks, Urgency } from '../tasks.ts';
import type { clearCutout } from './clear-cutout.ts';
import type { rebuildCutout } from './correct-photo.ts';
import { type CutExtent, improvementJob } from './cut.ts';
import { createCutoutPace, type FinishedCut } from './cutout-pace.ts';
import { createCutoutMender } from './mend-cutout.ts';
import type { PhotoCutter } from './photo-cutter.ts';
import type { convertCutout } from './steps/convert-cutout.ts';

/** One retry: if processing fails twice, the photo is considered the cause. */
const maxAttempts = 2;

/** The functions of src/scenes that are needed to make cutouts. They never reject. */
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
  readonly mendElsewhere?: ((id: string) => Promise<void>) | undefined;
  readonly cutting: Tasks<Pick<PhotoCutter, 'cutPhoto'>>;
  readonly imaging: Tasks<{
    convertCutout: typeof convertCutout;
    rebuildCutout: typeof rebuildCutout;
    clearCutout: typeof clearCutout;
  }>;
  /** Replaces a cutout for which stages were skipped with the improved one. */
  readonly finish: (id: string, signal: AbortSignal) => Promise<void>;
  readonly recognizer: ProductRecognizer;
  readonly onCut: (id: string, timings: readonly StepTiming[]) => void;
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
    if (isCutNews(news)) pace.note(news);
  });

  const cut = (photo: string, bytes: Uint8Array, extent: CutExtent) =>
    cutting.cutPhoto({ photo, bytes, extent }, { signal: never, urgency: 'preview', account: undefined });

  async function makeCutout(id: string): Promise<void> {
    const startedAt = performance.now();
    const design = await designs.findDesign(id);
    if (design?.state !== 'processing') return;
    const source = await blobs.get(designBlobs.source(id));
    if (!source) throw new Error(`the source of ${id} is gone`);
    const dueAt = design.cutoutDueAt?.getTime();
    const made = await cut(id, source, { dueAt });
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
    const tookMs = Math.round(performance.now() - startedAt);
    notices.tell(cutoutTopic, id, { tookMs, maker, timings } satisfies CutNews);
    void noteBetter(design, { cutoutPng, subject });
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
  const readCutout = ({ id, cutoutName }: ReadyDesign): Promise<Buffer> =>
    readOrMend(id, designBlobs.cutout(id, cutoutName));

  /** The design with the improved cutout, or with the current one if improving fails or exceeds `patienceMs`. */
  async function awaitBetter(
    design: ReadyDesign,
    patienceMs: number,
    signal: AbortSignal,
  ): Promise<ReadyDesign> {
    await finish(design.id, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])).catch(() =>
      signal.throwIfAborted(),
    );
    const better = await designs.findDesign(design.id);
    if (!better) throw designNotFound();
    return better.state === 'ready' ? better : design;
  }

  const isInLine = (id: string) => queue.isWaiting(cutoutJob, id).catch(() => false);

  return {
    /** Starts taking cutout jobs from the queue. */
    work(): void {
      queue.work(cutoutJob, {
        concurrency: 1,
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
     * the design was deleted in the meantime, `queue_full` if the signal timed out while the job was still queued, or
     * the signal's reason.
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
        } catch (error) {
          // The job is still queued, so the jobs before it used up the time.
          if (isLapse(signal) && (await isInLine(design.id))) throw tooMuchBefore(error);
          throw error;
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

    /** The cutout with transparent glass, if the photo shows any. */
    async readWithClearGlass(design: ReadyDesign, urgency: Urgency, signal: AbortSignal): Promise<Buffer> {
      const [cutoutPng, bytes] = await Promise.all([
        readCutout(design),
        blobs.get(designBlobs.source(design.id)),
      ]);
      // The photo is missing only if the design was deleted since the caller read the row.
      if (!bytes) throw designNotFound();
      return imaging.clearCutout({ bytes, cutoutPng }, { signal, urgency, account: design.accountId });
    },

    /** The stored matte as 8-bit gray PNG, at the photo's size. */
    readMatte: ({ id, cutoutName }: ReadyDesign): Promise<Buffer> =>
      readOrMend(id, designBlobs.matte(id, cutoutName)),
  };
}

export type CutoutMaker = ReturnType<typeof createCutoutMaker>;

/** Many callers may wait for one cutout, so it must not end when the first caller leaves. */
const never = new AbortController().signal;

const isLapse = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

/** News is validated, because the sender may be a process that runs another version of Packshot. */
const isCutNews = (news: unknown): news is CutNews =>
  typeof news === 'object' && news !== null && 'timings' in news && 'tookMs' in news && 'maker' in news;

const tooMuchBefore = (cause: unknown): PackshotError =>
  new PackshotError('queue_full', 'Too many photos were waiting before this one; try again in a moment.', {
    cause,
    retryAfterS: 5,
  });

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
