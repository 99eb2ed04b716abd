/**
 * Coordinates a painting: an illustration engine paints a planned scene. The picture is kept only if the product in it
 * is unchanged.
 *
 * Only queue jobs paint. A job records each step in the painting's row, so that after an interruption the next attempt
 * resumes there: a response that is already stored is not paid for again. A render reads the row. While the painting is
 * unfinished, the render of a full version waits for at most a part of its deadline. If there is still no painting, the
 * embedded studio draws the scene.
 */

import type { PhotoCutter } from 'packshot-cutout/service';
import { PackshotError } from 'packshot-errors';
import type { CutoutMaker } from '../../cutouts/make-cutout.ts';
import { designBlobs, type ReadyDesign } from '../../designs/design.ts';
import type { DesignStore } from '../../designs/design-store.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { expectNotice, type Notices } from '../../storage/notices.ts';
import type { Tasks } from '../../tasks.ts';
import type { SceneDetail } from '../draw-scene.ts';
import type { SceneIllustration } from '../illustration.ts';
import type { IllustrationStore } from '../illustration-store.ts';
import {
  type AskingLimits,
  createEngineCaller,
  type EngineCall,
  type EngineCaller,
  PAINTED_EDGE_PX,
  type PaintFailure,
} from './ask-engine.ts';
import type { PaintingVerdict } from './check-painting.ts';
import type { judgePainting, makeScaffold, normalizePainting } from './finish-painting.ts';
import type { IllustrationEngine, Scaffold } from './illustration-engine.ts';
import type { Painting, PaintingAnswer, Place } from './painting.ts';
import type { PaintingStore } from './painting-store.ts';

export const paintingJob = 'paint';

/** Maximum engine calls, each with another seed. A call during which the process died counts too. */
const MAX_ASKS = 3;
/** Maximum attempts of a job after failures that are neither transient nor the engine's fault, such as bugs. */
const maxAttempts = 2;

/** Topic of the notice that an illustration's painting is settled. */
const paintingTopic = 'painting';

interface Dependencies {
  readonly engine: IllustrationEngine;
  readonly paintings: PaintingStore;
  readonly illustrations: IllustrationStore;
  readonly designs: DesignStore;
  readonly cutouts: CutoutMaker;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly imaging: Tasks<{
    makeScaffold: typeof makeScaffold;
    normalizePainting: typeof normalizePainting;
    judgePainting: typeof judgePainting;
  }>;
  readonly cutting: Tasks<Pick<PhotoCutter, 'predictMatte'>>;
  readonly limits: PaintingLimits;
  /** Default: `normal`. */
  readonly detail?: SceneDetail;
  readonly clock: () => number;
  readonly onCall: (call: EngineCall) => void;
  /** Called with the verdict on each response: `kept`, or what is wrong with the picture. */
  readonly onVerdict: (illustrationId: string, verdict: string) => void;
}

export interface PaintingLimits extends AskingLimits {
  /** Maximum pictures in progress at the same time; the engine may allow fewer. */
  readonly concurrency: number;
}

interface PaintContext extends Dependencies {
  readonly ask: EngineCaller;
  readonly closing: AbortSignal;
}

export function createPainter(needs: Dependencies) {
  const { engine, paintings, blobs, queue, notices, limits } = needs;
  const stop = new AbortController();
  const closing = stop.signal;
  const keepAnswer = (illustration: SceneIllustration, bytes: Uint8Array) =>
    blobs.put(answerBlob(illustration), bytes);
  const context = { ...needs, closing, ask: createEngineCaller({ ...needs, closing, keepAnswer }) };

  return {
    /** Enqueues the paintings of these scenes: all of a suggestion, or one scene whose full version is rendered. */
    async requestPaintings(scenes: readonly SceneIllustration[], keyId: string): Promise<void> {
      const accountId = scenes[0]?.accountId;
      if (accountId === undefined) return;
      const by = { keyId, engine: engine.id, engineVersion: engine.version };
      await paintings.requestPaintings(
        scenes.map(({ id }) => ({ illustrationId: id, ...by })),
        (id, transaction) => queue.enqueue(paintingJob, id, transaction, { accountId }),
      );
      queue.wake();
    },

    /** Returns the current painting. If it is unfinished, waits at most `patienceMs` until it is settled. */
    async findPainting(id: string, patienceMs: number, signal: AbortSignal): Promise<Painting | undefined> {
      if (patienceMs <= 0) return paintings.findPainting(id);
      const patience = AbortSignal.timeout(patienceMs);
      for (;;) {
        const notice = expectNotice(notices, paintingTopic, id, AbortSignal.any([signal, patience]));
        try {
          // Read the row only after subscribing; otherwise, a painting settled in between would be missed.
          const painting = await paintings.findPainting(id);
          if (painting?.state !== 'waiting') return painting;
          await notice.arrival;
        } catch (error) {
          signal.throwIfAborted();
          if (!patience.aborted) throw error;
          return await paintings.findPainting(id);
        } finally {
          notice.stop();
        }
      }
    },

    async readPainting(illustration: SceneIllustration): Promise<Buffer | undefined> {
      return blobs.get(paintingBlob(illustration));
    },

    work(): void {
      queue.work(paintingJob, {
        concurrency: limits.concurrency,
        maxAttempts,
        async run(id) {
          await paint(id, context);
          notices.tell(paintingTopic, id);
        },
        async giveUp(id) {
          await paintings.markFailed(id, 'processing the picture failed', null);
          notices.tell(paintingTopic, id);
        },
      });
    },

    /** Aborts running engine calls; their jobs stay for the next process. */
    async close(): Promise<void> {
      stop.abort(new DOMException('The service is stopping.', 'AbortError'));
      await engine.close();
    },
  };
}

export type Painter = ReturnType<typeof createPainter>;

const paintingBlob = ({ designId, id }: SceneIllustration) =>
  designBlobs.illustration(designId, id, 'painted');
/** Key of the engine's raw response, which is stored until the verdict on it. */
const answerBlob = ({ designId, id }: SceneIllustration) => designBlobs.illustration(designId, id, 'answer');

/** What the steps of one painting share. */
interface Session {
  readonly illustration: SceneIllustration;
  readonly product: { readonly design: ReadyDesign; readonly cutoutPng: Buffer };
  readonly scaffold: (Scaffold & { readonly place: Place }) | undefined;
}

async function paint(id: string, context: PaintContext): Promise<void> {
  const { paintings, illustrations, designs, cutouts, blobs, imaging, engine, closing } = context;
  const illustration = await illustrations.findIllustration(id);
  const painting = await paintings.findPainting(id);
  if (painting?.state !== 'waiting' || illustration?.kind !== 'scene') return;
  const design = await designs.findDesign(illustration.designId);
  if (design?.state !== 'ready') return;
  const product = { design, cutoutPng: await cutouts.readCutout(design) };
  const scaffold =
    engine.modes[0] === 'plate-only'
      ? undefined
      : await imaging.makeScaffold(
          (threads) => ({
            plan: illustration.plan,
            cutoutPng: product.cutoutPng,
            boundingBox: design.subject.boundingBox,
            longEdgePx: PAINTED_EDGE_PX,
            detail: context.detail,
            threads,
          }),
          { signal: closing, urgency: 'generated', account: design.accountId, long: true },
        );
  await runSteps({ illustration, product, scaffold }, context);
  // If the design was deleted in the meantime, blobs that were stored since are orphaned.
  const isErased = (await designs.findDesign(design.id)) === undefined;
  await blobs.deleteAll(isErased ? designBlobs.of(design.id) : answerBlob(illustration));
}

/** Repeats the steps until the painting is settled. */
async function runSteps(session: Session, context: PaintContext): Promise<void> {
  const { paintings, blobs, engine } = context;
  const { illustration } = session;
  const { id } = illustration;
  for (;;) {
    const painting = await paintings.findPainting(id);
    if (painting?.state !== 'waiting') return;
    const { answer } = painting;
    const bytes = answer && (await blobs.get(answerBlob(illustration)));
    // The operator may have switched to an engine with another mode since the response was stored.
    if (bytes && answer.mode === engine.modes[0]) {
      await judgeAnswer(answer, bytes, session, context);
      continue;
    }
    const failure = await askAgain(painting, session, context);
    if (failure) await paintings.markFailed(id, failure.why, failure.retryAfterMs);
  }
}

async function askAgain(
  painting: Painting & { readonly state: 'waiting' },
  { illustration, scaffold }: Session,
  { ask }: PaintContext,
): Promise<PaintFailure | undefined> {
  const { asks, flaw } = painting;
  if (asks >= MAX_ASKS) {
    return flaw === undefined
      ? { why: 'processing the picture was interrupted', retryAfterMs: 0 }
      : { why: flaw, retryAfterMs: null };
  }
  return ask({ painting, illustration, scaffold, seed: (illustration.plan.seed + asks) % 2 ** 31 });
}

async function judgeAnswer(
  answer: PaintingAnswer,
  bytes: Uint8Array,
  session: Session,
  context: PaintContext,
): Promise<void> {
  const { paintings, blobs, onVerdict } = context;
  const { illustration, scaffold } = session;
  const { id } = illustration;
  const reject = async (flaw: string) => {
    await paintings.noteFlaw(id, flaw);
    onVerdict(id, flaw);
  };
  const picture = await normalizeAnswer(bytes, illustration, context);
  if (!picture) return reject('the answer is not a picture');
  let place: Place | null = null;
  if (scaffold) {
    const expected = { place: scaffold.place, mayMove: answer.mode === 'instruct-edit' };
    const verdict = await judgePicture(picture, session, expected, context);
    if ('why' in verdict) return reject(verdict.why);
    place = verdict.place;
  }
  await blobs.put(paintingBlob(illustration), picture);
  await paintings.markDone(id, { ...answer, place });
  onVerdict(id, 'kept');
}

/** Cuts the product out of the painted picture, and compares the result with the cutout of the design. */
async function judgePicture(
  picture: Uint8Array,
  { product: { design, cutoutPng } }: Session,
  expected: { readonly place: Place; readonly mayMove: boolean },
  { cutting, imaging, closing }: PaintContext,
): Promise<PaintingVerdict> {
  const options = { signal: closing, account: design.accountId } as const;
  const matte = await cutting.predictMatte({ bytes: picture }, { ...options, urgency: 'batch' });
  const { boundingBox } = design.subject;
  return imaging.judgePainting(
    { matte, cutoutPng, boundingBox, ...expected },
    { ...options, urgency: 'generated' },
  );
}

/** Returns undefined for bytes that are not a picture. Throws if the queue is full: that is not the engine's fault. */
async function normalizeAnswer(
  bytes: Uint8Array,
  illustration: SceneIllustration,
  { imaging, closing }: PaintContext,
): Promise<Uint8Array | undefined> {
  const { plan, accountId } = illustration;
  try {
    return await imaging.normalizePainting(
      { bytes, plan },
      { signal: closing, urgency: 'generated', account: accountId },
    );
  } catch (error) {
    if (error instanceof PackshotError && !error.retryable) return undefined;
    throw error;
  }
}
