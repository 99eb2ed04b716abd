/**
 * Conductor of the cutout: stored, running, or made now, and never made twice.
 *
 * The queue's job is the only maker. Everyone else joins: looks at the row, and where it is still `processing`
 * waits for the job to settle it.
 */
import { EventEmitter } from 'node:events';
import { cutoutJob } from '../designs/create-design.ts';
import { type Design, designBlobs, type FailedDesign, type ReadyDesign } from '../designs/design.ts';
import { type DesignStore, designNotFound } from '../designs/design-store.ts';
import type { ProductFacts, SubjectFacts } from '../designs/subject.ts';
import { PackshotError } from '../errors.ts';
import type { Queue } from '../jobs/queue.ts';
import { createSharedWork } from '../shared-work.ts';
import type { StepTiming } from '../step-clock.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { isWholePng } from './whole-png.ts';

/** One retry: a photo that fails its process twice is the photo's fault. */
const maxAttempts = 2;

interface Needs {
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  /** Cuts in a process that may die. Throws what `cutSubject` and `readImage` throw. */
  readonly cut: (bytes: Uint8Array) => Promise<{
    readonly cutoutPng: Uint8Array;
    readonly mattePng: Uint8Array;
    readonly subject: SubjectFacts;
    readonly cutoutVersion: string;
    readonly timings: readonly StepTiming[];
  }>;
  /** Says what the product is; undefined where there is too little of it. */
  readonly recognise: (
    design: Design,
    made: { readonly cutoutPng: Uint8Array; readonly subject: SubjectFacts },
  ) => Promise<ProductFacts | undefined>;
  /** Takes its time for a second opinion, for which no cutout waits. Rejects never; undefined where it has none. */
  readonly recogniseBetter?: Needs['recognise'];
  /** The same pixels as lossless WebP. */
  readonly encodeWebp: (cutoutPng: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;
  readonly onCut: (id: string, timings: readonly StepTiming[]) => void;
}

export interface JoinedCutout {
  readonly design: ReadyDesign;
  /** Steps of the cut that this call waited for; empty where it was there already. */
  readonly timings: readonly StepTiming[];
}

export function createCutoutMaker({
  designs,
  blobs,
  queue,
  cut,
  recognise,
  recogniseBetter,
  encodeWebp,
  onCut,
}: Needs) {
  /** Emits a design's id once its row is settled, with the timings of the cut. */
  const settled = new EventEmitter().setMaxListeners(0);

  /** The design whose cut is under way; all others that are `processing` wait for their turn. */
  let cutting: string | undefined;
  /** Milliseconds of a cut, a moving mean; 0 before the first. */
  let paceMs = 0;

  function listen(id: string, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<readonly StepTiming[]>();
    const waited = cutting !== undefined && cutting !== id;
    const abort = () => reject(waited && isLapse(signal) ? tooMuchBefore(signal.reason) : signal.reason);
    settled.once(id, resolve);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    // It may arrive, or be given up, while nobody awaits it yet.
    promise.catch(() => undefined);
    return {
      arrival: promise,
      stop() {
        settled.off(id, resolve);
        signal.removeEventListener('abort', abort);
      },
    };
  }

  async function makeCutout(id: string): Promise<void> {
    const design = await designs.findDesign(id);
    if (design?.state !== 'processing') return;
    const source = await blobs.get(designBlobs.source(id));
    if (!source) throw new Error(`the source of ${id} is gone`);
    const { cutoutPng, mattePng, subject, cutoutVersion, timings } = await cut(source);
    const [product] = await Promise.all([
      recognise(design, { cutoutPng, subject }),
      blobs.put(designBlobs.cutout(id), cutoutPng),
      blobs.put(designBlobs.matte(id), mattePng),
    ]);
    const movedOn = await designs.markReady(id, { subject, product, cutoutVersion });
    // Erased while it was being cut: then nothing of it may stay. Another process may also have been ready first.
    if (!movedOn && !(await designs.findDesign(id))) await blobs.deleteAll(designBlobs.of(id));
    onCut(id, timings);
    settled.emit(id, timings);
    void noteBetter(design, { cutoutPng, subject });
  }

  /** Not awaited by anyone: a second opinion that comes too late or not at all changes nothing. */
  async function noteBetter(design: Design, made: Parameters<Needs['recognise']>[1]): Promise<void> {
    const product = await recogniseBetter?.(design, made);
    if (product) await designs.noteProduct(design.id, product).catch(() => undefined);
  }

  async function fail(id: string, error: unknown): Promise<void> {
    await designs.markFailed(id, failureOf(error));
    settled.emit(id, []);
  }

  const share = createSharedWork<{ readonly cutoutPng: Uint8Array; readonly mattePng: Uint8Array }>();

  /** What the store has lost is cut once more: the photo is still there, and the same photo gives the same cutout. */
  const mend = (id: string) =>
    share(id, never, async () => {
      const source = await blobs.get(designBlobs.source(id));
      // An erasure between the two reads takes them all.
      if (!source) throw designNotFound();
      const { cutoutPng, mattePng } = await cut(source);
      await Promise.all([
        blobs.put(designBlobs.cutout(id), cutoutPng),
        blobs.put(designBlobs.matte(id), mattePng),
      ]);
      if (!(await designs.findDesign(id))) await blobs.deleteAll(designBlobs.of(id));
      return { cutoutPng, mattePng };
    });

  /** The stored cutout's PNG, straight alpha, at the photo's own size. */
  async function readCutout({ id }: ReadyDesign): Promise<Buffer> {
    const bytes = await blobs.get(designBlobs.cutout(id));
    return bytes && isWholePng(bytes) ? bytes : Buffer.from((await mend(id)).cutoutPng);
  }

  return {
    /** Starts making cutouts from the queue. */
    work(): void {
      queue.work(cutoutJob, {
        concurrency: 1,
        maxAttempts,
        async run(id) {
          const startedAt = performance.now();
          cutting = id;
          try {
            await makeCutout(id);
            const tookMs = performance.now() - startedAt;
            paceMs = paceMs === 0 ? tookMs : paceMs + (tookMs - paceMs) / 8;
          } catch (error) {
            // What the photo itself is to blame for does not get better by trying again.
            if (!(error instanceof PackshotError) || error.retryable) throw error;
            await fail(id, error);
          } finally {
            cutting = undefined;
          }
        },
        giveUp: fail,
      });
    },

    /**
     * The design with its cutout made. Throws the failure of a failed one, `design_not_found` where it is erased
     * meanwhile, or the signal's reason.
     */
    async joinCutout(design: Design, signal: AbortSignal): Promise<JoinedCutout> {
      let current: Design | undefined = design;
      let timings: readonly StepTiming[] = [];
      if (current.state === 'processing') {
        const news = listen(design.id, signal);
        try {
          // Look again only now that we listen: it may have settled between the caller's look and this one.
          current = await designs.findDesign(design.id);
          if (current?.state === 'processing') {
            timings = await news.arrival;
            current = await designs.findDesign(design.id);
          }
        } finally {
          news.stop();
        }
      }
      if (!current) throw designNotFound();
      if (current.state === 'failed') throw toError(current.failure);
      if (current.state === 'processing') throw new Error(`${design.id} settled but is still processing`);
      return { design: current, timings };
    },

    /** Milliseconds that one cut takes just now; 0 before the first. */
    findPaceMs: (): number => paceMs,

    /** Wakes whoever waits for a design that has just been erased. */
    forget(id: string): void {
      settled.emit(id, []);
    },

    readCutout,

    async readCutoutAsWebp(design: ReadyDesign, signal: AbortSignal): Promise<Uint8Array> {
      return encodeWebp(await readCutout(design), signal);
    },

    /** The stored matte's PNG, 8-bit grey, at the photo's own size. */
    async readMatte({ id }: ReadyDesign): Promise<Buffer> {
      const bytes = await blobs.get(designBlobs.matte(id));
      return bytes && isWholePng(bytes) ? bytes : Buffer.from((await mend(id)).mattePng);
    },
  };
}

export type CutoutMaker = ReturnType<typeof createCutoutMaker>;

/** Many may wait for it, and it outlives whoever asked first. */
const never = new AbortController().signal;

const isLapse = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

/** A cutout that was not begun in time is not slow: there was too much before it. */
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
