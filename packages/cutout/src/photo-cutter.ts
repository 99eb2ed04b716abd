/** Functions that run in the cutout process, which holds the removal engine. The parent process calls them by name. */
import { type AlphaWish, type ImageLimits, readImage } from 'packshot-photos';
import { type Box, type Matte, StepClock } from 'packshot-pixels';
import type { Cut, CutExtent } from './cut.ts';
import { type CutWishes, cutPhoto } from './cut-photo.ts';
import type { JudgePhoto } from './cut-subject.ts';
import type { CutoutMode } from './passes/choose-passes.ts';
import { type MarkedPass, runMarkedPass } from './passes/marked-pass.ts';
import { createPassMemory } from './passes/pass-memory.ts';
import { createPassPace } from './passes/pass-pace.ts';
import { type Extent, MorePassesNeeded, type Stage } from './passes/run-passes.ts';
import type { RemovalEngine } from './removal-engine.ts';

interface CutterOptions {
  /** If this promise rejects, every call rejects with the same error. */
  readonly engine: Promise<RemovalEngine>;
  readonly mode: CutoutMode;
  readonly limits: ImageLimits;
  readonly judge: JudgePhoto;
}

interface CutRequest {
  readonly wishes?: CutWishes;
  /**
   * Cache key of the photo, under which the results of its passes are kept and reused. Default: no result is reused.
   */
  readonly photo?: string;
  readonly bytes: Uint8Array;
  readonly extent?: CutExtent;
}

/** Must increase whenever the steps after the engine would make a different cutout from the same photo. */
const cutoutRevision = 11;

export type PhotoCutter = ReturnType<typeof createPhotoCutter>;

/** The functions throw the errors of `readImage` and `cutSubject`. */
export function createPhotoCutter({ engine, mode, limits, judge }: CutterOptions) {
  /** To cancel a call, the pool ends the whole process. So this signal is never aborted. */
  const { signal } = new AbortController();
  const pace = createPassPace();
  const memory = createPassMemory();

  async function cut(
    { photo = '', bytes, extent = {}, wishes = {} }: CutRequest,
    mostNewPasses: number,
  ): Promise<Cut> {
    const clock = new StepClock(signal);
    const source = await clock.run('read-image', () => readImage(bytes, limits, wishes.alpha));
    const { id, version } = await engine;
    const known = memory.recall(photo);
    const passes = { extent: extent as Extent, pace, known, mostNewPasses };
    const options = { signal, mode, judge, ...passes, ...wishes };
    const made = await cutPhoto(source, await engine, options);
    if (made.leftOut.length === 0) memory.forget(photo);
    return {
      ...made,
      cutoutVersion: [id, version, mode, cutoutRevision, ...nameLeftOut(made.leftOut)].join('/'),
      timings: [...clock.timings, ...made.timings],
    };
  }

  return {
    /** Resolves when the engine is loaded and warmed up. */
    async warmUp(_input: null): Promise<{ id: string; version: string }> {
      const { id, version } = await engine;
      return { id, version };
    },

    /** Predicts the matte of a picture that is not an upload, in one pass at the engine's resolution. */
    async predictMatte({ bytes }: { readonly bytes: Uint8Array }): Promise<Matte> {
      return (await engine).predictMatte(await readImage(bytes, limits), { signal });
    },

    /** See `runMarkedPass`. */
    async runMarkedPass({
      bytes,
      alpha,
      box,
    }: {
      readonly bytes: Uint8Array;
      readonly alpha?: AlphaWish | undefined;
      readonly box: Box;
    }): Promise<MarkedPass | null> {
      return runMarkedPass(await readImage(bytes, limits, alpha), await engine, { box, signal });
    },

    cutPhoto: (request: CutRequest): Promise<Cut> => cut(request, Number.POSITIVE_INFINITY),

    /**
     * Runs the next pass toward the best cutout. One pass per call lets other photos have their turn in
     * between. Returns undefined if more passes are needed; the caller then calls again.
     */
    async takeOnePass({ photo, ...request }: Omit<CutRequest, 'extent'>): Promise<Cut | undefined> {
      try {
        return await cut({ ...(photo !== undefined && { photo }), ...request }, 1);
      } catch (error) {
        if (!(error instanceof MorePassesNeeded)) throw error;
        return undefined;
      }
    },
  };
}

const nameLeftOut = (stages: readonly Stage[]): string[] =>
  stages.length === 0 ? [] : [`without-${stages.join('+')}`];
