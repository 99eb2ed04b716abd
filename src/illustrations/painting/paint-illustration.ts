/**
 * Conductor of a painting: an illustration engine makes a picture of a planned scene, and it is kept only where the
 * product in it is still the product.
 *
 * A job of the queue is the only painter. It does what the painting's row asks for, turn by turn, so that whatever
 * ends it, the next one goes on from there: an answer that was paid for is never asked for again. Whoever needs the
 * picture looks at the row and, where it is still waiting, joins for as long as they can; without a painting the
 * scene is drawn by the embedded studio.
 */
import type { CutoutMaker } from '../../cutout/make-cutout.ts';
import { designBlobs, type ReadyDesign } from '../../designs/design.ts';
import type { DesignStore } from '../../designs/design-store.ts';
import { PackshotError } from '../../errors.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { expectNotice, type Notices } from '../../storage/notices.ts';
import type { ScenePlan } from '../../studio/scene-plan.ts';
import type { SceneIllustration } from '../illustration.ts';
import type { IllustrationStore } from '../illustration-store.ts';
import {
  type AskingLimits,
  createEngineAsker,
  type EngineAsker,
  type EngineCall,
  type Setback,
} from './ask-engine.ts';
import type { PaintingVerdict } from './check-painting.ts';
import type { IllustrationEngine, Scaffold } from './illustration-engine.ts';
import type { Painting, PaintingAnswer, PaintingStore, Place } from './painting-store.ts';

export const paintingJob = 'paint';

/** The first picture and two more, each with another seed; a call that the process did not survive is one of them. */
const MOST_ASKS = 3;
/** Of failures that are neither passing nor the engine's: our own mistakes are not repeated for ever. */
const maxAttempts = 2;

/** Told once an illustration's painting is settled. */
const paintingTopic = 'painting';

/** What of a painting is made in processes that may die. */
export interface PaintingWork {
  /** Our own composite, its mask, and where the product is in it. */
  makeScaffold(
    plan: ScenePlan,
    standing: { readonly design: ReadyDesign; readonly cutoutPng: Buffer },
    signal: AbortSignal,
  ): Promise<Scaffold & { readonly place: Place }>;
  /**
   * A stranger's bytes as a picture of the plan's ratio. Throws what `inspectImage` throws, for bytes that end the
   * process which looks at them as well.
   */
  normalise(bytes: Uint8Array, illustration: SceneIllustration, signal: AbortSignal): Promise<Uint8Array>;
  judge(
    picture: Uint8Array,
    standing: { readonly design: ReadyDesign; readonly cutoutPng: Buffer },
    expected: { readonly place: Place; readonly mayMove: boolean },
    signal: AbortSignal,
  ): Promise<PaintingVerdict>;
}

interface Needs {
  readonly engine: IllustrationEngine;
  readonly paintings: PaintingStore;
  readonly illustrations: IllustrationStore;
  readonly designs: DesignStore;
  readonly cutouts: CutoutMaker;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly work: PaintingWork;
  readonly limits: PaintingLimits;
  readonly clock: () => number;
  readonly onCall: (call: EngineCall) => void;
  /** Hears of each answer whether it is kept, or what is wrong with it. */
  readonly onVerdict: (illustrationId: string, verdict: string) => void;
}

export interface PaintingLimits extends AskingLimits {
  /** Pictures made side by side, where the engine can. */
  readonly concurrency: number;
}

interface Easel extends Needs {
  readonly ask: EngineAsker;
  readonly closing: AbortSignal;
}

export function createPainter(needs: Needs) {
  const { engine, paintings, blobs, queue, notices, limits } = needs;
  const stop = new AbortController();
  const closing = stop.signal;
  const keepAnswer = (illustration: SceneIllustration, bytes: Uint8Array) =>
    blobs.put(answerBlob(illustration), bytes);
  const easel = { ...needs, closing, ask: createEngineAsker({ ...needs, closing, keepAnswer }) };

  return {
    /** Whether pictures are made for all that is suggested, or only for what is chosen, is the caller's affair. */
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

    /** The painting as it stands; where it is waiting, after it is settled or `patienceMs` have gone. */
    async findPainting(id: string, patienceMs: number, signal: AbortSignal): Promise<Painting | undefined> {
      if (patienceMs <= 0) return paintings.findPainting(id);
      const patience = AbortSignal.timeout(patienceMs);
      for (;;) {
        const notice = expectNotice(notices, paintingTopic, id, AbortSignal.any([signal, patience]));
        try {
          // Looked at only now that we listen: it may settle between the two.
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

    /** Starts painting from the queue. */
    work(): void {
      queue.work(paintingJob, {
        concurrency: Math.min(limits.concurrency, engine.mostAtOnce ?? limits.concurrency),
        maxAttempts,
        async run(id) {
          await paint(id, easel);
          notices.tell(paintingTopic, id);
        },
        async giveUp(id) {
          await paintings.markFailed(id, 'the picture could not be worked on', null);
          notices.tell(paintingTopic, id);
        },
      });
    },

    /** Ends the calls that run; their jobs stay for the next process. */
    async close(): Promise<void> {
      stop.abort(new DOMException('The service is stopping.', 'AbortError'));
      await engine.close();
    },
  };
}

export type Painter = ReturnType<typeof createPainter>;

const paintingBlob = ({ designId, id }: SceneIllustration) =>
  designBlobs.illustration(designId, id, 'painted');
/** As the engine sent it, until it is known whether it is kept. */
const answerBlob = ({ designId, id }: SceneIllustration) => designBlobs.illustration(designId, id, 'answer');

/** What all turns of one painting share. */
interface Sitting {
  readonly illustration: SceneIllustration;
  readonly standing: { readonly design: ReadyDesign; readonly cutoutPng: Buffer };
  readonly scaffold: (Scaffold & { readonly place: Place }) | undefined;
}

async function paint(id: string, easel: Easel): Promise<void> {
  const { paintings, illustrations, designs, cutouts, blobs, work, engine, closing } = easel;
  const illustration = await illustrations.findIllustration(id);
  const painting = await paintings.findPainting(id);
  if (painting?.state !== 'waiting' || illustration?.kind !== 'scene') return;
  const design = await designs.findDesign(illustration.designId);
  if (design?.state !== 'ready') return;
  const standing = { design, cutoutPng: await cutouts.readCutout(design) };
  const scaffold =
    engine.modes[0] === 'plate-only'
      ? undefined
      : await work.makeScaffold(illustration.plan, standing, closing);
  await takeTurns({ illustration, standing, scaffold }, easel);
  // Erased while we painted: what was put since then belongs to nobody.
  const isErased = (await designs.findDesign(design.id)) === undefined;
  await blobs.deleteAll(isErased ? designBlobs.of(design.id) : answerBlob(illustration));
}

/** Until the painting is settled. */
async function takeTurns(sitting: Sitting, easel: Easel): Promise<void> {
  const { paintings, blobs, engine } = easel;
  const { illustration } = sitting;
  const { id } = illustration;
  for (;;) {
    const painting = await paintings.findPainting(id);
    if (painting?.state !== 'waiting') return;
    const { answer } = painting;
    const bytes = answer && (await blobs.get(answerBlob(illustration)));
    // The operator may have chosen an engine that works otherwise since then.
    if (bytes && answer.mode === engine.modes[0]) {
      await lookAtAnswer(answer, bytes, sitting, easel);
      continue;
    }
    const setback = await askAgain(painting, sitting, easel);
    if (setback) await paintings.markFailed(id, setback.why, setback.retryAfterMs);
  }
}

async function askAgain(
  painting: Painting & { readonly state: 'waiting' },
  { illustration, scaffold }: Sitting,
  { ask }: Easel,
): Promise<Setback | undefined> {
  const { asks, flaw } = painting;
  if (asks >= MOST_ASKS) {
    return flaw === undefined
      ? { why: 'the work on the picture was cut off', retryAfterMs: 0 }
      : { why: flaw, retryAfterMs: null };
  }
  return ask({ painting, illustration, scaffold, seed: (illustration.plan.seed + asks) % 2 ** 31 });
}

async function lookAtAnswer(
  answer: PaintingAnswer,
  bytes: Uint8Array,
  sitting: Sitting,
  { paintings, blobs, work, closing, onVerdict }: Easel,
): Promise<void> {
  const { illustration, standing, scaffold } = sitting;
  const { id } = illustration;
  const reject = async (flaw: string) => {
    await paintings.noteFlaw(id, flaw);
    onVerdict(id, flaw);
  };
  const picture = await normaliseAnswer(bytes, illustration, { work, closing });
  if (!picture) return reject('the answer is no picture');
  let place: Place | null = null;
  if (scaffold) {
    const expected = { place: scaffold.place, mayMove: answer.mode === 'instruct-edit' };
    const verdict = await work.judge(picture, standing, expected, closing);
    if ('why' in verdict) return reject(verdict.why);
    place = verdict.place;
  }
  await blobs.put(paintingBlob(illustration), picture);
  await paintings.markDone(id, { ...answer, place });
  onVerdict(id, 'kept');
}

/** Undefined for bytes that are no picture; a queue that is full is not the engine's fault. */
async function normaliseAnswer(
  bytes: Uint8Array,
  illustration: SceneIllustration,
  { work, closing }: Pick<Easel, 'work' | 'closing'>,
): Promise<Uint8Array | undefined> {
  try {
    return await work.normalise(bytes, illustration, closing);
  } catch (error) {
    if (error instanceof PackshotError && !error.retryable) return undefined;
    throw error;
  }
}
