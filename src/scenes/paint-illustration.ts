/**
 * Conductor of a painting: an illustration engine makes a picture of a planned scene, and it is kept only where the
 * product in it is still the product.
 *
 * A job of the queue is the only painter. Whoever needs the picture looks at the row and, where it is still waiting,
 * joins for as long as they can; without a painting the scene is drawn by the embedded studio.
 */
import { EventEmitter } from 'node:events';
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import { designBlobs, type ReadyDesign } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { Queue } from '../jobs/queue.ts';
import { canvasSize } from '../rendering/render-target.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { PaintingVerdict } from './check-painting.ts';
import type { SceneIllustration } from './illustration.ts';
import {
  type Illustrated,
  type IllustrationEngine,
  IllustrationFailure,
  type IllustrationMode,
  type Scaffold,
} from './illustration-engine.ts';
import type { IllustrationStore } from './illustration-store.ts';
import type { Painting, PaintingStore, Place } from './painting-store.ts';
import type { ScenePlan } from './scene-plan.ts';
import { describeScene, writeBrief } from './write-brief.ts';

export const paintingJob = 'paint';

/** The first picture and two more, each with another seed. */
const MOST_TRIES = 3;
/** A process that ends twice while it paints is not given a third. */
const maxAttempts = 2;
/** What image models are trained at; the product is never enlarged with it. */
export const PAINTED_EDGE_PX = 1024;
/** Beyond this many unfinished paintings scenes are left to the studio: nobody would wait for the last. */
const MOST_WAITING = 256;

/** One call of the engine, for the log. */
export interface EngineCall {
  readonly illustrationId: string;
  readonly engine: string;
  readonly mode: IllustrationMode;
  readonly model: string | undefined;
  readonly seed: number;
  readonly durationMs: number;
  readonly costUsd: number | undefined;
  /** `answered`, or why there was no answer. */
  readonly outcome: string;
  readonly warnings: readonly string[];
}

/** What of a painting is made in processes that may die. */
export interface PaintingWork {
  /** Our own composite, its mask, and where the product is in it. */
  makeScaffold(
    plan: ScenePlan,
    standing: { readonly design: ReadyDesign; readonly cutoutPng: Buffer },
    signal: AbortSignal,
  ): Promise<Scaffold & { readonly place: Place }>;
  /** A stranger's bytes as a picture of the plan's ratio. Throws what `inspectImage` throws. */
  normalise(bytes: Uint8Array, plan: ScenePlan, signal: AbortSignal): Promise<Uint8Array>;
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
  readonly work: PaintingWork;
  readonly limits: PaintingLimits;
  readonly clock: () => number;
  readonly onCall: (call: EngineCall) => void;
  /** Hears of each answer whether it is kept, or what is wrong with it. */
  readonly onVerdict: (illustrationId: string, verdict: string) => void;
}

export interface PaintingLimits {
  /** Pictures made side by side. */
  readonly concurrency: number;
  /** For one call of the engine, with its own retries. */
  readonly timeoutMs: number;
  /** US dollars a key may spend in 30 days; null for no limit. */
  readonly budgetUsd: number | null;
  /** Of one picture, where the engine does not tell; null where it is free or unknown. */
  readonly priceUsd: number | null;
}

export function createPainter(needs: Needs) {
  const { engine, paintings, illustrations, designs, cutouts, blobs, queue, limits, clock } = needs;
  const mode = engine.modes[0]!;
  const closing = new AbortController();
  /** Emits an illustration's id once its painting is settled. */
  const settled = new EventEmitter().setMaxListeners(0);

  async function paint(id: string): Promise<void> {
    const painting = await paintings.findPainting(id);
    const illustration = await illustrations.findIllustration(id);
    if (painting?.state !== 'waiting' || illustration?.kind !== 'scene') return;
    const design = await designs.findDesign(illustration.designId);
    if (design?.state !== 'ready') return;
    const failure = (await tellBudget(painting)) ?? (await paintInTries(painting, illustration, design));
    if (failure !== undefined) await paintings.markFailed(id, failure);
    settled.emit(id);
  }

  async function tellBudget({ keyId }: Painting): Promise<string | undefined> {
    if (limits.budgetUsd === null) return undefined;
    const spent = await paintings.sumCosts(keyId);
    return spent < limits.budgetUsd ? undefined : "the key's budget for pictures is spent";
  }

  /** Undefined once a picture is kept; else why there is none. */
  async function paintInTries(
    painting: Painting,
    illustration: SceneIllustration,
    design: ReadyDesign,
  ): Promise<string | undefined> {
    const standing = { design, cutoutPng: await cutouts.readCutout(design) };
    const { signal } = closing;
    const scaffold =
      mode === 'plate-only' ? undefined : await needs.work.makeScaffold(illustration.plan, standing, signal);
    let failure: string | undefined;
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const seed = (illustration.plan.seed + attempt) % 2 ** 31;
      const answer = await askEngine(painting, illustration, scaffold, seed);
      // The engine's adapter has tried again itself where that could help.
      if (typeof answer === 'string') return answer;
      failure = await keepIfTrue(illustration, standing, scaffold?.place, answer);
      needs.onVerdict(illustration.id, failure ?? 'kept');
      if (failure === undefined) break;
    }
    return failure;
  }

  /** The engine's answer, or in words why there is none. */
  async function askEngine(
    { keyId }: Painting,
    { id, plan, brief }: SceneIllustration,
    scaffold: Scaffold | undefined,
    seed: number,
  ): Promise<Illustrated | string> {
    const began = clock();
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limits.timeoutMs)]);
    const tell = (outcome: string, answer?: Illustrated, costUsd?: number) =>
      needs.onCall({
        illustrationId: id,
        engine: engine.id,
        mode,
        model: answer?.model,
        seed,
        durationMs: clock() - began,
        costUsd,
        outcome,
        warnings: answer?.warnings ?? [],
      });
    try {
      const answer = await engine.illustrate({
        mode,
        plan,
        brief: writeBrief(brief ?? describeScene({ plan, kind: 'Unknown', wish: undefined }), mode),
        canvas: canvasSize(plan.ratio, PAINTED_EDGE_PX),
        seed,
        ...(scaffold && { scaffold }),
        signal,
      });
      const costUsd = answer.costUsd ?? limits.priceUsd ?? undefined;
      tell('answered', answer, costUsd);
      await paintings.noteCall({ keyId, engine: engine.id, costUsd: costUsd ?? 0 });
      return answer;
    } catch (error) {
      // The service stops: the job stays, and is done by the next process.
      closing.signal.throwIfAborted();
      if (!(error instanceof IllustrationFailure) && !signal.aborted) throw error;
      const failure =
        error instanceof IllustrationFailure ? failureWords[error.reason] : 'the engine took too long';
      tell(error instanceof Error ? `${failure}: ${error.message}` : failure);
      return failure;
    }
  }

  /** Undefined where the picture is kept; else what is wrong with it. */
  async function keepIfTrue(
    illustration: SceneIllustration,
    standing: { readonly design: ReadyDesign; readonly cutoutPng: Buffer },
    expected: Place | undefined,
    { bytes, model, seed }: Illustrated,
  ): Promise<string | undefined> {
    const { signal } = closing;
    const picture = await normaliseAnswer(bytes, illustration.plan);
    if (!picture) return 'the answer is no picture';
    let place: Place | null = null;
    if (expected) {
      const mayMove = mode === 'instruct-edit';
      const verdict = await needs.work.judge(picture, standing, { place: expected, mayMove }, signal);
      if ('why' in verdict) return verdict.why;
      place = verdict.place;
    }
    await blobs.put(paintingBlob(illustration), picture);
    await paintings.markDone(illustration.id, { mode, model, seed, place });
    return undefined;
  }

  /** Undefined for bytes that are no picture, or that end the process which looks at them. */
  async function normaliseAnswer(bytes: Uint8Array, plan: ScenePlan): Promise<Uint8Array | undefined> {
    try {
      return await needs.work.normalise(bytes, plan, closing.signal);
    } catch {
      closing.signal.throwIfAborted();
      return undefined;
    }
  }

  return {
    /** Whether pictures are made for all that is suggested, or only for what is chosen, is the caller's affair. */
    async requestPaintings(scenes: readonly SceneIllustration[], keyId: string): Promise<void> {
      if ((await queue.count(paintingJob)) >= MOST_WAITING) return;
      await paintings.requestPaintings(
        scenes.map(({ id }) => ({
          illustrationId: id,
          keyId,
          engine: engine.id,
          engineVersion: engine.version,
        })),
        (id, transaction) => queue.enqueue(paintingJob, id, transaction),
      );
      queue.wake();
    },

    /** The painting as it stands; where it is waiting, after it is settled or `patienceMs` have gone. */
    async findPainting(id: string, patienceMs: number, signal: AbortSignal): Promise<Painting | undefined> {
      const { promise, resolve } = Promise.withResolvers<void>();
      settled.once(id, resolve);
      try {
        // Looked at only now that we listen: it may settle between the two.
        const painting = await paintings.findPainting(id);
        if (painting?.state !== 'waiting' || patienceMs <= 0) return painting;
        await Promise.race([promise, sleepUntil(patienceMs, signal)]);
        return await paintings.findPainting(id);
      } finally {
        settled.off(id, resolve);
      }
    },

    async readPainting(illustration: SceneIllustration): Promise<Buffer | undefined> {
      return blobs.get(paintingBlob(illustration));
    },

    /** Starts painting from the queue. */
    work(): void {
      queue.work(paintingJob, {
        concurrency: limits.concurrency,
        maxAttempts,
        run: paint,
        async giveUp(id) {
          await paintings.markFailed(id, 'the picture could not be worked on');
          settled.emit(id);
        },
      });
    },

    /** Ends the calls that run; their jobs stay for the next process. */
    async close(): Promise<void> {
      closing.abort(new DOMException('The service is stopping.', 'AbortError'));
      await engine.close();
    },
  };
}

/** For callers: an engine's own words may name hosts and models that are no business of theirs. */
const failureWords: Readonly<Record<IllustrationFailure['reason'], string>> = {
  unreachable: 'the engine does not answer',
  busy: 'the engine is busy',
  refused: 'the engine refused',
  broken: 'the engine answered no picture',
};

export type Painter = ReturnType<typeof createPainter>;

const paintingBlob = ({ designId, id }: SceneIllustration) =>
  designBlobs.illustration(designId, id, 'painted');

async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
  signal.throwIfAborted();
}
