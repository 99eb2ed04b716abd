/**
 * Conductor of the cutout: stored, running, or made now, and never made twice.
 *
 * The queue's job is the only maker. Everyone else joins: looks at the row, and where it is still `processing`
 * waits for the job to settle it.
 */
import { randomUUID } from 'node:crypto';
import { cutoutJob } from '../designs/create-design.ts';
import { type Design, designBlobs, type FailedDesign, type ReadyDesign } from '../designs/design.ts';
import { type DesignStore, designNotFound } from '../designs/design-store.ts';
import type { ProductFacts, SubjectFacts } from '../designs/subject.ts';
import { PackshotError } from '../errors.ts';
import type { Queue } from '../jobs/queue.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { StepTiming } from '../step-clock.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { expectNotice, type Notices } from '../storage/notices.ts';
import type { Tasks } from '../tasks.ts';
import { type CutExtent, improvementJob } from './cut.ts';
import { createCutoutPace, type FinishedCut } from './cutout-pace.ts';
import type { PhotoCutter } from './photo-cutter.ts';
import { isWholePng } from './png-integrity.ts';
import type { encodeCutoutAsWebp } from './steps/encode-webp.ts';

/** One retry: a photo that fails its process twice is the photo's fault. */
const maxAttempts = 2;

interface MadeCutout {
  readonly cutoutPng: Uint8Array;
  readonly subject: SubjectFacts;
}

/** What cutouts need from `scenes`. Neither function rejects. */
interface ProductRecognizer {
  /** Undefined for a nearly empty cutout. */
  recognizeProduct(design: Design, made: MadeCutout): Promise<ProductFacts | undefined>;
  /** A second opinion, which no cutout waits for; undefined if it has none. */
  recognizeBetter(design: Design, made: MadeCutout): Promise<ProductFacts | undefined>;
}

interface Dependencies {
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly clock: () => number;
  /** Has another process make a lost cutout anew by its `mendCutout`; undefined where that is done here. */
  readonly mendElsewhere?: ((id: string) => Promise<void>) | undefined;
  readonly cutting: Tasks<Pick<PhotoCutter, 'cutPhoto'>>;
  readonly imaging: Tasks<{ encodeCutoutAsWebp: typeof encodeCutoutAsWebp }>;
  /** Replaces a cutout that is not as good as it gets. */
  readonly finish: (id: string, signal: AbortSignal) => Promise<void>;
  readonly recognizer: ProductRecognizer;
  readonly onCut: (id: string, timings: readonly StepTiming[]) => void;
}

export interface JoinOptions {
  /** How long the better cutout is worth waiting for where the first one is not as good as it gets. */
  readonly patienceMs?: number;
}

export interface JoinedCutout {
  readonly design: ReadyDesign;
  /** Steps of the cut that this call waited for; empty where it was there already. */
  readonly timings: readonly StepTiming[];
}

/** Told once a design's row is settled; the news are `CutNews`, where a cut was made. */
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
  /** Only has to differ from that of other processes. */
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
    // Erased while it was being cut: then nothing of it may stay. Another process may also have been ready first.
    if (!movedOn && !(await designs.findDesign(id))) await blobs.deleteAll(designBlobs.of(id));
    onCut(id, timings);
    const tookMs = Math.round(performance.now() - startedAt);
    notices.tell(cutoutTopic, id, { tookMs, maker, timings } satisfies CutNews);
    void noteBetter(design, { cutoutPng, subject });
  }

  /** Not awaited by anyone: a second opinion that comes too late or not at all changes nothing. */
  async function noteBetter(design: Design, made: MadeCutout): Promise<void> {
    const product = await recognizer.recognizeBetter(design, made);
    if (product) await designs.noteProduct(design.id, product).catch(() => undefined);
  }

  async function fail(id: string, error: unknown): Promise<void> {
    await designs.markFailed(id, failureOf(error));
    notices.tell(cutoutTopic, id);
  }

  const share = createSingleFlight<void>();

  /** What the store has lost is cut once more: the photo is still there, and the same photo gives the same cutout. */
  const mendCutout = (id: string): Promise<void> =>
    share(id, { signal: never }, async () => {
      if (mendElsewhere) return mendElsewhere(id);
      const design = await designs.findDesign(id);
      if (design?.state !== 'ready') throw designNotFound();
      const { leftOut, cutoutName } = design;
      const source = await blobs.get(designBlobs.source(id));
      // An erasure between the two reads takes them all.
      if (!source) throw designNotFound();
      const { cutoutPng, mattePng } = await cut(id, source, { leaveOut: leftOut });
      await Promise.all([
        blobs.put(designBlobs.cutout(id, cutoutName), cutoutPng),
        blobs.put(designBlobs.matte(id, cutoutName), mattePng),
      ]);
      if (!(await designs.findDesign(id))) await blobs.deleteAll(designBlobs.of(id));
    });

  /** A stored PNG, made anew where it was lost. */
  async function readWhole(id: string, key: string): Promise<Buffer> {
    const bytes = await blobs.get(key);
    if (bytes && isWholePng(bytes)) return bytes;
    await mendCutout(id);
    const mended = await blobs.get(key);
    if (!mended) throw designNotFound();
    return mended;
  }

  /** The stored cutout's PNG, straight alpha, at the photo's own size. */
  const readCutout = ({ id, cutoutName }: ReadyDesign): Promise<Buffer> =>
    readWhole(id, designBlobs.cutout(id, cutoutName));

  /** The better cutout, or the one there is where that takes longer or fails. */
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
    /** Starts making cutouts from the queue. */
    work(): void {
      queue.work(cutoutJob, {
        concurrency: 1,
        maxAttempts,
        async run(id) {
          try {
            await makeCutout(id);
          } catch (error) {
            // What the photo itself is to blame for does not get better by trying again.
            if (!(error instanceof PackshotError) || error.retryable) throw error;
            await fail(id, error);
          }
        },
        giveUp: fail,
      });
    },

    /**
     * The design with its cutout made. Throws the failure of a failed one, `design_not_found` where it is erased
     * meanwhile, or the signal's reason.
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
          // Look again only now that we listen: it may have settled between the caller's look and this one.
          current = await designs.findDesign(design.id);
          if (current?.state !== 'processing') break;
          const news = await notice.arrival;
          if (isCutNews(news)) timings = news.timings;
          current = await designs.findDesign(design.id);
        } catch (error) {
          // A cutout that was not begun in time is not slow.
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

    /** Milliseconds from one cutout to the next just now; 0 before the first. */
    findPaceMs: pace.findPaceMs,

    /** Tells those who watch the design that its cutout was replaced. */
    tellImproved(id: string): void {
      notices.tell(improvedTopic, id);
    },

    /** Calls `listener` each time the design's cutout is replaced, until the returned function is called. */
    onImproved(id: string, listener: () => void): () => void {
      return notices.listen(improvedTopic, (told) => {
        if (told === id) listener();
      });
    },

    /** Wakes whoever waits for a design that has just been erased. */
    forget(id: string): void {
      notices.tell(cutoutTopic, id);
    },

    mendCutout,
    readCutout,

    async readCutoutAsWebp(design: ReadyDesign, signal: AbortSignal): Promise<Uint8Array> {
      const cutoutPng = await readCutout(design);
      const options = { signal, urgency: 'generated', account: design.accountId } as const;
      return imaging.encodeCutoutAsWebp({ cutoutPng }, options);
    },

    /** The stored matte's PNG, 8-bit grey, at the photo's own size. */
    readMatte: ({ id, cutoutName }: ReadyDesign): Promise<Buffer> =>
      readWhole(id, designBlobs.matte(id, cutoutName)),
  };
}

export type CutoutMaker = ReturnType<typeof createCutoutMaker>;

/** Many may wait for it, and it outlives whoever asked first. */
const never = new AbortController().signal;

const isLapse = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

/** Of this version of Packshot, or of another one that runs beside it. */
const isCutNews = (news: unknown): news is CutNews =>
  typeof news === 'object' && news !== null && 'timings' in news && 'tookMs' in news && 'maker' in news;

const tooMuchBefore = (cause: unknown): PackshotError =>
  new PackshotError('queue_full', 'Too many photos were waiting before this one; ask again in a moment.', {
    cause,
    retryAfterS: 5,
  });

function failureOf(error: unknown): FailedDesign['failure'] {
  if (error instanceof PackshotError) return { code: error.code, detail: error.message };
  return {
    code: 'image_undecodable',
    detail:
      'The photo could not be worked on, although it was tried twice. Save it anew as JPEG or PNG and upload that.',
  };
}

function toError(failure: FailedDesign['failure']): PackshotError {
  return new PackshotError(failure.code, failure.detail);
}
