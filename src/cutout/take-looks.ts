/**
 * Asks the engine to look at a photo, stage by stage, for as long as there is time before the cutout is due.
 *
 * A stage whose looks would probably not fit is left out, and so are the looks of all stages after it. Which ones were
 * left out, together with the photo, determines the cutout: `leaveOut` repeats it. Where not even one full look fits, a
 * coarse one takes its place, if the engine has such.
 */
import type { Matte, RgbImage } from '../pixels.ts';
import type { LookPace } from './look-pace.ts';
import type { RemovalEngine, Resolution } from './removal-engine.ts';

export const stages = [
  'full-look',
  'whole-look',
  'exposure-views',
  'second-look',
  'quarter-looks',
  'matte-soft-edges',
] as const;
export type Stage = (typeof stages)[number];

/** How far to refine: to the end, until it is due, or as far as an earlier cut of the same photo. */
export interface Extent {
  /** When the cutout should be finished, in milliseconds of `Date.now()`. */
  readonly dueAt?: number | undefined;
  readonly leaveOut?: readonly Stage[] | undefined;
}

export interface LookOptions {
  readonly signal: AbortSignal;
  readonly extent: Extent;
  readonly pace: LookPace;
  /**
   * Looks at this photo in their order, from an earlier cut; this one adds its own. A coarse look in place of a full one is none
   * of them.
   */
  readonly remembered: Matte[];
  /** Throws `MoreLooksNeeded` rather than take another one after so many. */
  readonly mostNewLooks: number;
  readonly clock: () => number;
}

/** So many looks were taken as were allowed, and they are remembered for the next call. */
export class MoreLooksNeeded extends Error {
  override readonly name = 'MoreLooksNeeded';
}

type Look = (photo: RgbImage, resolution?: Resolution) => Promise<Matte>;

export type Looks = ReturnType<typeof takeLooks>;

export function takeLooks(photo: RgbImage, engine: RemovalEngine, options: LookOptions) {
  const { signal, extent, pace, remembered, clock } = options;
  const pixels = photo.width * photo.height;
  const leftOut: Stage[] = [];
  const noTime = new Error('no time');
  let asked = 0;
  let newLooks = 0;

  const mayTake = (stage: Stage, estimateMs: number): boolean => {
    if (extent.leaveOut) return !extent.leaveOut.includes(stage);
    return extent.dueAt === undefined || clock() + estimateMs <= extent.dueAt;
  };
  const mayLookFully = () => mayTake('full-look', pace.estimateFirstMs(pixels));

  async function look(part: RgbImage, resolution: Resolution = 'full'): Promise<Matte> {
    const index = asked++;
    let matte = remembered[index];
    if (!matte) {
      if (newLooks === options.mostNewLooks) throw new MoreLooksNeeded();
      newLooks++;
      const startedAt = clock();
      matte = await engine.predictMatte(part, { signal, resolution });
      pace.noteLook(clock() - startedAt, resolution === 'full' ? 1 : engine.coarseShare);
      remembered[index] = matte;
    }
    // Steps write into what they are given.
    return { ...matte, data: matte.data.slice() };
  }

  async function lookCoarsely(share: number): Promise<Matte> {
    const startedAt = clock();
    const matte = await engine.predictMatte(photo, { signal, resolution: 'coarse' });
    pace.noteLook(clock() - startedAt, share);
    return matte;
  }

  /** A coarse look tells how fast the machine is just now, so a full one may turn out to fit after all. */
  async function lookAtWhole(): Promise<Matte> {
    const { coarseShare } = engine;
    const isThere = remembered.length > 0 && !extent.leaveOut;
    if (coarseShare === undefined || isThere || mayLookFully()) return look(photo);
    const coarse = await lookCoarsely(coarseShare);
    if (mayLookFully()) return look(photo);
    leftOut.push('full-look');
    return coarse;
  }

  return {
    /** Stages that would have looked, or matted, once more. */
    leftOut: leftOut as readonly Stage[],

    /** The whole photo, without which there is no cutout: coarsely where a full look does not fit. */
    first: lookAtWhole,

    /** The whole photo, coarsely, as the first of the looks. */
    coarse: (): Promise<Matte> => look(photo, 'coarse'),

    /** The first full look, at the photo or at a part of it; `null` where it does not fit. */
    async full(part: () => Promise<RgbImage>): Promise<Matte | null> {
      if (mayLookFully()) return look(await part());
      leftOut.push('full-look');
      return null;
    },

    /**
     * Resolves to `otherwise` where `work` asks for a look and `looks` of them do not fit. Work that asks for none is never
     * left out.
     */
    async refine<T>(stage: Stage, looks: number, work: (look: Look) => Promise<T>, otherwise: T): Promise<T> {
      const begin = allow(stage, looks);
      return orLeaveOut(
        stage,
        () =>
          work((part, resolution) => {
            begin();
            return look(part, resolution);
          }),
        otherwise,
      );
    },

    /** The same for a step that costs as much as a look without being one: `work` calls `begin` before the expensive part. */
    async refineEdges<T>(stage: Stage, work: (begin: () => void) => Promise<T>, otherwise: T): Promise<T> {
      return orLeaveOut(stage, () => work(allow(stage, 1, { evenAfterOthers: true })), otherwise);
    },
  };

  function allow(stage: Stage, looks: number, { evenAfterOthers = false } = {}): () => void {
    let begun = false;
    return () => {
      if (begun) return;
      const isInTurn = extent.leaveOut !== undefined || evenAfterOthers || leftOut.length === 0;
      if (!isInTurn || !mayTake(stage, pace.estimateMs(looks, pixels))) throw noTime;
      begun = true;
    };
  }

  async function orLeaveOut<T>(stage: Stage, work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error !== noTime) throw error;
      leftOut.push(stage);
      return otherwise;
    }
  }
}
