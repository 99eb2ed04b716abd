/** Which looks a photo gets, and the matte that they make of it together. */
import type { Source } from '../designs/read-image.ts';
import type { Matte, RgbImage } from '../pixels.ts';
import type { StepClock } from '../step-clock.ts';
import {
  lookAtDetail,
  lookCloser,
  lookCoarselyThroughExposures,
  lookThroughExposures,
} from './full-looks.ts';
import type { Evidence } from './steps/doubtful-cutout.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import { type ChosenView, hasBrightBorder } from './steps/exposure-views.ts';
import { followPhotoEdges } from './steps/follow-photo-edges.ts';
import { measureSoftness } from './steps/matte-evidence.ts';
import { matteSoftEdges } from './steps/matte-soft-edges.ts';
import type { CloseLook, SecondLook } from './steps/second-look.ts';
import { fitInto, shrinkPhoto } from './steps/shrink-photo.ts';
import type { Looks } from './take-looks.ts';
import { lookByTriage, type Triaged } from './triage-looks.ts';

/**
 * `fast` asks the engine once, and through other exposures only where it was unsure. `quality` looks coarsely first, then at the
 * subject's part of the photo; where those two are unsure, as in `fast` and closer, and mattes fur anew.
 */
export type CutoutMode = 'fast' | 'quality';

/** Soft edges are matted at this longer side where there was no second look. */
const SOFT_SIDE_PX = 1536;
/** Soft edges are matted where the looks agree at least so much: elsewhere a soft matte means a wrong one. */
const SOFT_AGREEMENT = 0.95;

interface Run {
  readonly looks: Looks;
  readonly clock: StepClock;
  readonly signal: AbortSignal;
  readonly mode: CutoutMode;
  /** Whether the engine has looks that cost less than full ones. */
  readonly canTriage: boolean;
}

export interface RoughMatte {
  /** In any size. */
  readonly matte: Matte;
  /** `null` where no engine was asked. */
  readonly evidence: Evidence | null;
}

/** A photo that brings real transparency was cut out by its owner, who knows best: no engine is asked. */
export async function lookAtPhoto(source: Source, run: Run): Promise<RoughMatte> {
  const { looks, clock, mode } = run;
  if (source.alpha !== null) {
    return { matte: { width: source.width, height: source.height, data: source.alpha }, evidence: null };
  }
  if (mode === 'quality' && run.canTriage) return lookByStages(source, run);
  const first = await clock.run('predict-matte', () => looks.first());
  // Nothing more is asked of the engine; the better cutout begins with a full look.
  if (looks.leftOut.includes('full-look')) return followCoarseLook(source, first, clock);
  const view = await lookThroughExposures(source, first, run);
  if (mode === 'quality') return lookFurther(source, view, run);
  const { agreement, disputed } = view;
  return { matte: view.matte, evidence: { softness: measureSoftness(view.matte), agreement, disputed } };
}

/** As few looks as the photo needs. */
async function lookByStages(source: RgbImage, run: Run): Promise<RoughMatte> {
  const { looks, clock } = run;
  const triaged = await lookByTriage(source, looks, clock);
  if (triaged.close === null) return followCoarseLook(source, triaged.coarse, clock);
  const { close, crop, matte, softness, agreement, disputed } = triaged;
  const triage: RoughMatte = { matte, evidence: { softness, agreement, disputed } };
  if (triaged.isSure) return triage;
  const view = await lookAtWhole(source, triaged, run);
  if (view === null) return triage;
  const { matte: drawn, evidence } = await lookFurther(source, view, run, {
    earlier: crop && { close, crop },
    isMeshPossible: triaged.isAgreed,
  });
  if (evidence.agreement <= agreement) return { matte: drawn, evidence };
  return {
    matte: drawn,
    evidence: { ...evidence, agreement, disputed: [...disputed, ...evidence.disputed] },
  };
}

/**
 * All of the photo at full resolution. On bright paper full looks through other exposures are offered to any soft matte: the first two
 * looks agreed to leave out a camera's white front, and coarse ones lost a twig of an orchid. Elsewhere a coarse one is offered
 * where the first two do not agree.
 */
async function lookAtWhole(
  source: RgbImage,
  { coarse, close, crop, isAgreed }: Triaged,
  run: Run,
): Promise<ChosenView | null> {
  const seen = crop === null ? close : null;
  const isBright = hasBrightBorder(source);
  if (!isAgreed && !isBright) return lookCoarselyThroughExposures(source, coarse, run, seen);
  const whole =
    seen ??
    (await run.clock.run('whole-look', () =>
      run.looks.refine<Matte | null>('whole-look', 1, (look) => look(source), null),
    ));
  if (whole === null) return null;
  if (isBright) return lookThroughExposures(source, whole, run);
  return { matte: whole, gamma: 1, agreement: 1, disputed: [] };
}

interface Seen {
  /** A look at the subject's part of the photo. */
  readonly earlier: CloseLook | null;
  /** Not where two looks do not even agree on what the product is: that is another reason for a soft matte. */
  readonly isMeshPossible: boolean;
}

async function lookFurther(
  source: RgbImage,
  view: ChosenView,
  run: Run,
  { earlier, isMeshPossible }: Seen = { earlier: null, isMeshPossible: true },
): Promise<RoughMatte & { readonly evidence: Evidence }> {
  const { looks, clock, signal } = run;
  const softness = measureSoftness(view.matte);
  const second = await lookCloser(source, view, run, earlier);
  const { gamma } = view;
  const closer = isMeshPossible
    ? await lookAtDetail(source, { matte: second.matte, gamma }, run)
    : second.matte;
  const matte = await clock.run('matte-soft-edges', () =>
    looks.refineEdges(
      'matte-soft-edges',
      (begin) => matteFur(source, { ...second, matte: closer }, { begin, signal }),
      closer,
    ),
  );
  const agreement = second.agreement ?? 1;
  const disputed =
    agreement < view.agreement
      ? [...second.disputed, ...view.disputed]
      : [...view.disputed, ...second.disputed];
  return { matte, evidence: { softness, agreement: Math.min(agreement, view.agreement), disputed } };
}

async function followCoarseLook(source: RgbImage, coarse: Matte, clock: StepClock): Promise<RoughMatte> {
  const matte = await clock.run('follow-photo-edges', () => followPhotoEdges(coarse, source));
  return { matte, evidence: { softness: measureSoftness(matte), agreement: 1, disputed: [] } };
}

async function matteFur(
  source: RgbImage,
  { matte, agreement }: SecondLook,
  { begin, signal }: { readonly begin: () => void; readonly signal: AbortSignal },
): Promise<Matte> {
  if (agreement !== null && agreement < SOFT_AGREEMENT) return matte;
  const grid = agreement === null ? fitInto(source, SOFT_SIDE_PX) : matte;
  const fitting = await enlargeMatte(matte, grid);
  const readPhoto = async () => {
    begin();
    return shrinkPhoto(source, grid);
  };
  return matteSoftEdges(fitting, readPhoto, signal);
}
