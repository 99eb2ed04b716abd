/**
 * Runs the passes over a photo, stage by stage, while there is time before the cutout is due.
 *
 * The passes over a photo never cost more than `MOST_LOOKS`: a stage that could exceed this is not started,
 * however much time is left. A stage that would probably take too long is skipped, and so are the passes of all later
 * stages. The photo and the list of skipped stages determine the cutout, so a later cut can reproduce it with
 * `leaveOut`. If there is no time for even one full pass, a coarse pass replaces it, provided the engine has
 * coarse passes.
 */
import type { Matte, RgbImage } from '../pixels.ts';
import type { LookPace } from './look-pace.ts';
import type { RemovalEngine, Resolution } from './removal-engine.ts';

/** Maximum total cost of all passes over a photo; a full pass costs 1. */
const MOST_LOOKS = 4;
/** Approximate costs of passes at medium and reduced resolution as a fraction of a full one. */
export const MEDIUM_SHARE = 0.53;
export const REDUCED_SHARE = 0.39;

export const stages = [
  'full-look',
  'whole-look',
  'exposure-views',
  'second-look',
  'far-look',
  'half-looks',
  'matte-soft-edges',
] as const;
export type Stage = (typeof stages)[number];

/**
 * How many passes to run: all that the photo needs, those that fit before the due time, or those of an earlier cut of
 * the same photo.
 */
export interface Extent {
  /** When the cutout should be finished, in milliseconds of `Date.now()`. */
  readonly dueAt?: number | undefined;
  /** The stages that an earlier cut skipped; `dueAt` is then ignored. */
  readonly leaveOut?: readonly Stage[] | undefined;
}

export interface LookOptions {
  readonly signal: AbortSignal;
  readonly extent: Extent;
  readonly pace: LookPace;
  /**
   * Results of earlier passes over this photo, in order. This cut appends the results of its own passes. A
   * coarse pass that replaces a full one is not included.
   */
  readonly remembered: Matte[];
  /** Maximum number of new passes in this call. If the photo needs more, `MoreLooksNeeded` is thrown. */
  readonly mostNewLooks: number;
  readonly clock: () => number;
}

/** The allowed number of passes was run; their results are kept for the next call. */
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
  const tooMany = new Error('too many looks');
  let asked = 0;
  let spent = 0;
  let newLooks = 0;

  const mayTake = (stage: Stage, estimateMs: number): boolean => {
    if (extent.leaveOut) return !extent.leaveOut.includes(stage);
    return extent.dueAt === undefined || clock() + estimateMs <= extent.dueAt;
  };
  const mayLookFully = () => mayTake('full-look', pace.estimateFirstMs(pixels));

  function costOf(part: RgbImage, resolution: Resolution): number {
    if (resolution === 'full') return 1;
    if (resolution === 'shaped') return engine.measureShapedShare?.(part) ?? 1;
    if (resolution === 'medium') return MEDIUM_SHARE;
    return resolution === 'reduced' ? REDUCED_SHARE : (engine.coarseShare ?? 1);
  }

  async function look(part: RgbImage, resolution: Resolution = 'full'): Promise<Matte> {
    const index = asked++;
    const cost = costOf(part, resolution);
    spent += cost;
    let matte = remembered[index];
    if (!matte) {
      if (newLooks === options.mostNewLooks) throw new MoreLooksNeeded();
      newLooks++;
      const startedAt = clock();
      matte = await engine.predictMatte(part, { signal, resolution });
      pace.noteLook(clock() - startedAt, cost);
      remembered[index] = matte;
    }
    // Steps modify the mattes that they get, so return a copy.
    return { ...matte, data: matte.data.slice() };
  }

  async function lookCoarsely(share: number): Promise<Matte> {
    const startedAt = clock();
    const matte = await engine.predictMatte(photo, { signal, resolution: 'coarse' });
    pace.noteLook(clock() - startedAt, share);
    return matte;
  }

  /**
   * A coarse pass also measures the machine's current speed. It may show that there is time for a full pass after all.
   */
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
    /**
     * The stages that would have run another pass or matting, but were skipped because of the time or of `leaveOut`.
     * Stages that were skipped because of `MOST_LOOKS` are not included.
     */
    leftOut: leftOut as readonly Stage[],

    /**
     * For fast mode, and for engines without coarse passes: runs the first pass, which covers the whole photo. It is
     * coarse only if the engine has coarse passes and there is no time for a full one.
     */
    first: lookAtWhole,

    /** For quality mode with coarse passes: runs the first pass, which is always coarse and covers the whole photo. */
    coarse: (): Promise<Matte> => look(photo, 'coarse'),

    /** Runs the first full pass, over the photo or a part of it. Returns `null` if there is no time for that pass. */
    async full(part: () => Promise<RgbImage>, resolution: 'full' | 'shaped' = 'full'): Promise<Matte | null> {
      if (mayLookFully()) return look(await part(), resolution);
      leftOut.push('full-look');
      return null;
    },

    /**
     * Runs `work`, which may request passes that cost up to `looks` full passes. If it requests a pass, but that cost
     * does not fit into the remaining time or the remaining `MOST_LOOKS`, resolves to `otherwise`. Work that requests
     * no pass is never skipped.
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

    /**
     * Like `refine`, for a step that is not a pass but takes as long as one. `work` calls `begin` before its
     * expensive part.
     */
    async refineEdges<T>(stage: Stage, work: (begin: () => void) => Promise<T>, otherwise: T): Promise<T> {
      return orLeaveOut(stage, () => work(allow(stage, 1, { isLook: false })), otherwise);
    },
  };

  function allow(stage: Stage, looks: number, { isLook = true } = {}): () => void {
    let begun = false;
    return () => {
      if (begun) return;
      if (isLook && spent + looks > MOST_LOOKS) throw tooMany;
      const isInTurn = extent.leaveOut !== undefined || !isLook || leftOut.length === 0;
      if (!isInTurn || !mayTake(stage, pace.estimateMs(looks, pixels))) throw noTime;
      begun = true;
    };
  }

  async function orLeaveOut<T>(stage: Stage, work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error !== noTime && error !== tooMany) throw error;
      if (error === noTime) leftOut.push(stage);
      return otherwise;
    }
  }
}
