/** Functions that run in the cutout process, which holds the removal engine. The parent process calls them by name. */
import { type ImageLimits, readImage } from '../designs/read-image.ts';
import type { Box, Matte } from '../pixels.ts';
import { StepClock } from '../step-clock.ts';
import { type CloserLook, takeCloserLook } from './closer-look.ts';
import type { Cut, CutExtent } from './cut.ts';
import { cutSubject } from './cut-subject.ts';
import type { CutoutMode } from './look-at-photo.ts';
import { createLookMemory } from './look-memory.ts';
import { createLookPace } from './look-pace.ts';
import type { RemovalEngine } from './removal-engine.ts';
import { type Extent, MoreLooksNeeded, type Stage } from './take-looks.ts';

interface CutterOptions {
  /** If this promise rejects, every call rejects with the same error. */
  readonly engine: Promise<RemovalEngine>;
  readonly mode: CutoutMode;
  readonly limits: ImageLimits;
}

interface CutRequest {
  /**
   * Cache key of the photo, under which the results of its passes are kept and reused. Default: no result is reused.
   */
  readonly photo?: string;
  readonly bytes: Uint8Array;
  readonly extent?: CutExtent;
}

/** Must increase whenever the steps after the engine would make a different cutout from the same photo. */
const cutoutRevision = 9;

export type PhotoCutter = ReturnType<typeof createPhotoCutter>;

/** The functions throw the errors of `readImage` and `cutSubject`. */
export function createPhotoCutter({ engine, mode, limits }: CutterOptions) {
  /** To cancel a call, the pool ends the whole process. So this signal is never aborted. */
  const { signal } = new AbortController();
  const pace = createLookPace();
  const memory = createLookMemory();

  async function cut({ photo = '', bytes, extent = {} }: CutRequest, mostNewLooks: number): Promise<Cut> {
    const clock = new StepClock(signal);
    const source = await clock.run('read-image', () => readImage(bytes, limits));
    const { id, version } = await engine;
    const remembered = memory.recall(photo);
    const options = { signal, mode, extent: extent as Extent, pace, remembered, mostNewLooks };
    const made = await cutSubject(source, await engine, options);
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
    async lookAt({ bytes }: { readonly bytes: Uint8Array }): Promise<Matte> {
      return (await engine).predictMatte(await readImage(bytes, limits), { signal });
    },

    /** See `takeCloserLook`. */
    async lookCloser({
      bytes,
      box,
    }: {
      readonly bytes: Uint8Array;
      readonly box: Box;
    }): Promise<CloserLook | null> {
      return takeCloserLook(await readImage(bytes, limits), await engine, { box, signal });
    },

    cutPhoto: (request: CutRequest): Promise<Cut> => cut(request, Number.POSITIVE_INFINITY),

    /**
     * Runs the next pass toward the best cutout. One pass per call lets other photos have their turn in
     * between. Returns undefined if more passes are needed; the caller then calls again.
     */
    async takeOneLook({ photo, bytes }: Omit<CutRequest, 'extent'>): Promise<Cut | undefined> {
      try {
        return await cut({ ...(photo !== undefined && { photo }), bytes }, 1);
      } catch (error) {
        if (!(error instanceof MoreLooksNeeded)) throw error;
        return undefined;
      }
    },
  };
}

const nameLeftOut = (stages: readonly Stage[]): string[] =>
  stages.length === 0 ? [] : [`without-${stages.join('+')}`];
