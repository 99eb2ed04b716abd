/**
 * Chooses the passes over a photo, and combines their results into a matte. A pass (a "look" in identifiers)
 * is one run of the engine on the photo or a part of it.
 */
import type { Source } from '../designs/read-image.ts';
import type { Matte, RgbImage } from '../pixels.ts';
import type { StepClock } from '../step-clock.ts';
import {
  lookAtDetail,
  lookAtWholePhoto,
  lookCloser,
  lookCoarselyThroughExposures,
  lookFromFurtherAway,
  lookThroughBrightExposures,
  lookThroughExposures,
} from './full-looks.ts';
import { type Evidence, isContested } from './steps/doubtful-cutout.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import { type ChosenView, hasBrightBorder } from './steps/exposure-views.ts';
import { followPhotoEdges } from './steps/follow-photo-edges.ts';
import { isEnough } from './steps/judge-looks.ts';
import { measureSoftness } from './steps/matte-evidence.ts';
import { matteSoftEdges } from './steps/matte-soft-edges.ts';
import { openSeenGaps } from './steps/open-seen-gaps.ts';
import { type CloseLook, isSamePart, type SecondLook } from './steps/second-look.ts';
import { fitInto, shrinkPhoto } from './steps/shrink-photo.ts';
import type { Looks } from './take-looks.ts';
import { lookByTriage, type Triaged } from './triage-looks.ts';

/**
 * `fast` runs the engine once, and again over darker copies of the photo only if the first pass was unsure and the
 * photo's border is bright, as on white paper. On other backgrounds, more exposures changed none of 79 cutouts.
 * `quality` begins with a coarse pass over the whole photo, and a full pass over the subject's part of it. If these two
 * leave any doubt, `quality` runs more passes: over the whole photo, over copies with other exposures, or closer. It
 * also computes the fine alpha of fur (matting).
 */
export type CutoutMode = 'fast' | 'quality';

/** If there was no closer pass, soft edges are matted in a copy whose longer side has at most this many pixels. */
const SOFT_SIDE_PX = 1536;
/** Minimum agreement of the passes for matting soft edges. Below it, softness is more often an error than fur. */
const SOFT_AGREEMENT = 0.95;

/**
 * If the first two passes agree, a pass from further away is run only if at least this fraction of the product is
 * semi-transparent (a veil). Softness alone is not a reason, because thin products are soft without veils.
 */
const LEAST_VEIL = 0.01;

interface Run {
  readonly looks: Looks;
  readonly clock: StepClock;
  readonly signal: AbortSignal;
  readonly mode: CutoutMode;
  /** Whether the engine offers coarse passes, which cost less than full ones. */
  readonly canTriage: boolean;
  /** Replaces the rule that decides whether the first two passes are enough. Only evaluations set it. */
  readonly isEnough?: (first: Triaged) => boolean;
}

export interface RoughMatte {
  /** At any resolution. */
  readonly matte: Matte;
  /** `null` if no engine was run. */
  readonly evidence: Evidence | null;
  /**
   * Whether semi-transparent areas (veils) and holes may be made solid. They must stay open in fur and meshes, and in
   * photos in which neither was looked for.
   */
  readonly mayClose?: boolean;
}

type SeenMatte = RoughMatte & { readonly evidence: Evidence };

/** A photo with real transparency has already been cut out by its owner, so no engine runs. */
export async function lookAtPhoto(source: Source, run: Run): Promise<RoughMatte> {
  const { looks, clock, mode } = run;
  if (source.alpha !== null) {
    return { matte: { width: source.width, height: source.height, data: source.alpha }, evidence: null };
  }
  if (mode === 'quality' && run.canTriage) return lookByStages(source, run);
  const first = await clock.run('predict-matte', () => looks.first());
  // There was no time for a full pass, so do not run the engine again. The improved cutout will start with a full pass.
  if (looks.leftOut.includes('full-look')) return followCoarseLook(source, first, clock);
  const view = await lookThroughOthers(source, first, run);
  if (mode === 'quality') return lookFurther(source, view, run);
  const { agreement, disputed } = view;
  return { matte: view.matte, evidence: { softness: measureSoftness(view.matte), agreement, disputed } };
}

function lookThroughOthers(source: RgbImage, first: Matte, run: Run): Promise<ChosenView> | ChosenView {
  if (hasBrightBorder(source)) {
    return lookThroughBrightExposures(source, { matte: first, isAgreed: false }, run);
  }
  return run.mode === 'quality' ? lookThroughExposures(source, first, run) : takeAsSeen(first);
}

/** Runs as few passes as the photo needs. */
async function lookByStages(source: RgbImage, run: Run): Promise<RoughMatte> {
  const { looks, clock } = run;
  const triaged = await lookByTriage(source, looks, clock);
  if (triaged.close === null) return followCoarseLook(source, triaged.coarse, clock);
  const seen = await lookOn(source, triaged, run);
  // On bright paper, no gaps are opened, because white parts of a product would look like gaps.
  if (hasBrightBorder(source)) return seen;
  const matte = await clock.run('open-seen-gaps', () =>
    openSeenGaps(seen.matte, triaged.coarse, source, run.signal),
  );
  return { ...seen, matte };
}

/** Runs the passes after the first two. */
async function lookOn(source: RgbImage, triaged: Triaged, run: Run): Promise<RoughMatte> {
  const triage = describeTriage(triaged);
  const isDone = run.isEnough?.(triaged) ?? (triaged.isWithin && isEnough(triaged.measures));
  // If two passes disagree on what the product is, the matte is soft because of that, not because of a mesh.
  const detail = triaged.isAgreed ? await lookAtDetail(source, triaged.matte, run) : triaged.matte;
  if (detail !== triaged.matte) return { ...triage, matte: detail };
  if (isDone) return { ...triage, mayClose: true };
  const seen = (await lookWhereUnsure(source, triaged, run)) ?? triage;
  const isClear = triaged.isAgreed && triaged.measures.veil < LEAST_VEIL;
  if (isClear || !isContested(seen.evidence)) return seen;
  const { coarse } = triaged;
  const matte = await lookFromFurtherAway(source, { matte: seen.matte, coarse }, run);
  // Semi-transparent areas may become solid: in a doubtful matte, they are more often guesses than fur.
  return { ...seen, matte, mayClose: true };
}

const describeTriage = ({ matte, softness, agreement, disputed }: Triaged): SeenMatte => ({
  matte,
  evidence: { softness, agreement, disputed },
});

async function lookWhereUnsure(source: RgbImage, triaged: Triaged, run: Run): Promise<SeenMatte | null> {
  const { close, crop, agreement, disputed } = triaged;
  const view = await lookAtWhole(source, triaged, run);
  if (view === null) return null;
  const earlier = crop && { close, crop };
  const seen = needsNoCloserLook(source, triaged, view)
    ? await drawEdges(source, view, takeAsSecond(view), run)
    : await lookFurther(source, view, run, earlier);
  const { evidence } = seen;
  if (evidence.agreement <= agreement) return seen;
  return { ...seen, evidence: { ...evidence, agreement, disputed: [...disputed, ...evidence.disputed] } };
}

/**
 * Runs a pass over the whole photo at full resolution. On bright paper, darker copies are used even if the
 * first two passes agree, because both may leave out the same part, such as a camera's white front. On other
 * backgrounds, coarse passes choose the exposure if the first two disagree; on bright paper, coarse passes
 * lost a white pot.
 */
async function lookAtWhole(
  source: RgbImage,
  { coarse, close, crop, matte, agreement, isAgreed }: Triaged,
  run: Run,
): Promise<ChosenView | null> {
  const seen = crop === null ? close : null;
  if (hasBrightBorder(source)) return lookThroughBrightExposures(source, { matte, isAgreed }, run);
  if (!isAgreed) return lookCoarselyThroughExposures(source, coarse, run, seen);
  const whole = crop === null ? close : await lookAtWholePhoto(source, { close, crop, agreement }, run);
  return whole && takeAsSeen(whole);
}

/**
 * Whether no closer pass is needed after the pass over the whole photo. If the first two passes agree, one is needed.
 * If they disagree, the pass over the whole photo has decided between them, and further passes would only look for lost
 * parts. So on bright paper, no closer pass is needed. Elsewhere, one is needed only in two cases: if the subject
 * extends beyond the part of the photo that the first closer pass covered; or if the first closer pass already shows
 * what the new one would show, so that its result can be reused.
 */
function needsNoCloserLook(
  source: RgbImage,
  { isAgreed, isWithin, crop }: Triaged,
  { matte, gamma }: ChosenView,
): boolean {
  if (isAgreed || hasBrightBorder(source)) return !isAgreed;
  return isWithin && (gamma !== 1 || crop === null || !isSamePart(source, matte, crop));
}

const takeAsSeen = (matte: Matte): ChosenView => ({ matte, gamma: 1, agreement: 1, disputed: [] });

const takeAsSecond = ({ matte }: ChosenView): SecondLook => ({ matte, agreement: null, disputed: [] });

/** `earlier` is a pass over the subject's part of the photo. */
async function lookFurther(
  source: RgbImage,
  view: ChosenView,
  run: Run,
  earlier: CloseLook | null = null,
): Promise<SeenMatte> {
  return drawEdges(source, view, await lookCloser(source, view, run, earlier), run);
}

/**
 * Mattes the soft edges of `second`, which combines `view` with a closer pass over the subject. Without a closer pass,
 * `second` has the matte of `view` itself.
 */
async function drawEdges(
  source: RgbImage,
  view: ChosenView,
  second: SecondLook,
  run: Run,
): Promise<SeenMatte> {
  const { looks, clock, signal } = run;
  const softness = measureSoftness(view.matte);
  const closer = run.canTriage ? second.matte : await lookAtDetail(source, second.matte, run);
  const drawn = await clock.run('matte-soft-edges', () =>
    looks.refineEdges(
      'matte-soft-edges',
      (begin) => matteFur(source, { ...second, matte: closer }, { begin, signal }),
      { matte: closer, isFur: false },
    ),
  );
  const agreement = second.agreement ?? 1;
  const disputed =
    agreement < view.agreement
      ? [...second.disputed, ...view.disputed]
      : [...view.disputed, ...second.disputed];
  const evidence = { softness, agreement: Math.min(agreement, view.agreement), disputed };
  return { matte: drawn.matte, evidence, mayClose: !drawn.isFur && closer === second.matte };
}

async function followCoarseLook(source: RgbImage, coarse: Matte, clock: StepClock): Promise<RoughMatte> {
  const matte = await clock.run('follow-photo-edges', () => followPhotoEdges(coarse, source));
  return { matte, evidence: { softness: measureSoftness(matte), agreement: 1, disputed: [] } };
}

async function matteFur(
  source: RgbImage,
  { matte, agreement }: SecondLook,
  { begin, signal }: { readonly begin: () => void; readonly signal: AbortSignal },
): Promise<{ readonly matte: Matte; readonly isFur: boolean }> {
  if (agreement !== null && agreement < SOFT_AGREEMENT) return { matte, isFur: false };
  const grid = agreement === null ? fitInto(source, SOFT_SIDE_PX) : matte;
  const fitting = await enlargeMatte(matte, grid);
  const readPhoto = async () => {
    begin();
    return shrinkPhoto(source, grid);
  };
  const drawn = await matteSoftEdges(fitting, readPhoto, signal);
  return { matte: drawn, isFur: drawn !== fitting };
}
