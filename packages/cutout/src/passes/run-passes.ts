/**
 * Runs the passes over a photo while there is time before the cutout is due. A **pass** is one run of the engine on the
 * photo or a part of it.
 *
 * A stage for which there is probably no time is left out, and so are the passes of all later stages. The photo and the
 * list of the stages left out determine the cutout, so a later cut can reproduce it with `leaveOut`. If there is no
 * time for even one full pass, a coarse pass replaces it, provided the engine has coarse passes.
 */
import type { Matte, RgbImage } from 'packshot-pixels';
import type { RemovalEngine, Resolution } from '../removal-engine.ts';
import type { PassPace } from './pass-pace.ts';

/** Approximate cost of a pass at reduced resolution as a fraction of a full one. */
export const REDUCED_SHARE = 0.39;

export const stages = [
  'full-pass',
  'close-pass',
  'whole-pass',
  'exposures',
  'far-pass',
  'half-passes',
  'matting',
] as const;
export type Stage = (typeof stages)[number];

/**
 * How many passes to run: all that the photo needs, those that fit before the due time, or those of an earlier cut of
 * the same photo.
 */
export interface Extent {
  /** When the cutout should be finished, in milliseconds of `Date.now()`. */
  readonly dueAt?: number | undefined;
  /** The stages that an earlier cut left out; `dueAt` is then ignored. */
  readonly leaveOut?: readonly Stage[] | undefined;
}

/** Results of the passes over one photo, by what was run. A cut adds the results of its own passes. */
export type KnownPasses = Map<string, Matte>;

export interface PassOptions {
  readonly signal: AbortSignal;
  readonly extent: Extent;
  readonly pace: PassPace;
  readonly known: KnownPasses;
  /** Maximum number of new passes in this call. If the photo needs more, `MorePassesNeeded` is thrown. */
  readonly mostNewPasses: number;
  readonly clock: () => number;
}

/** The allowed number of passes was run; their results are kept for the next call. */
export class MorePassesNeeded extends Error {
  override readonly name = 'MorePassesNeeded';
}

export type Passes = ReturnType<typeof openPasses>;

export function openPasses(photo: RgbImage, engine: RemovalEngine, options: PassOptions) {
  const { signal, extent, pace, known, clock } = options;
  const pixels = photo.width * photo.height;
  const leftOut: Stage[] = [];
  let newPasses = 0;

  const fits = (stage: Stage, estimateMs: number): boolean => {
    if (extent.leaveOut) return !extent.leaveOut.includes(stage);
    return extent.dueAt === undefined || clock() + estimateMs <= extent.dueAt;
  };

  function costOf(part: RgbImage, resolution: Resolution): number {
    if (resolution === 'full') return 1;
    if (resolution === 'shaped') return engine.resolutions?.measureShapedShare(part) ?? 1;
    return resolution === 'reduced' ? REDUCED_SHARE : (engine.resolutions?.coarseShare ?? 1);
  }

  return {
    hasCoarse: engine.resolutions !== undefined,

    /** The stages that would have run a pass or matting, but were left out because of the time or of `leaveOut`. */
    leftOut: leftOut as readonly Stage[],

    /** `name` says which part of the photo is shown, and how. Equal names, sizes and resolutions mean the same pass. */
    async run(name: string, part: RgbImage, resolution: Resolution = 'full'): Promise<Matte> {
      const key = `${name}, ${resolution}, ${part.width}×${part.height}`;
      let matte = known.get(key);
      if (!matte) {
        if (newPasses === options.mostNewPasses) throw new MorePassesNeeded();
        newPasses++;
        const startedAt = clock();
        matte = await engine.predictMatte(part, { signal, resolution });
        pace.notePass(clock() - startedAt, costOf(part, resolution));
        known.set(key, matte);
      }
      // Steps modify the mattes that they get, so return a copy.
      return { ...matte, data: matte.data.slice() };
    },

    /** Whether there is time for the first full pass. */
    isTimeForFull: (): boolean => fits('full-pass', pace.estimateFirstMs(pixels)),

    leaveOut(stage: Stage): void {
      leftOut.push(stage);
    },

    /** Whether there is time for a stage that costs as much as `cost` full passes. Ask only if the stage is needed. */
    mayRun(stage: Stage, cost: number): boolean {
      // Matting is no pass, so it does not have to wait for those that were left out.
      const isInTurn = extent.leaveOut !== undefined || stage === 'matting' || leftOut.length === 0;
      const isTime = isInTurn && fits(stage, pace.estimateMs(cost, pixels));
      if (!isTime) leftOut.push(stage);
      return isTime;
    },
  };
}
