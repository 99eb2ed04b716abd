/**
 * The looks at full resolution: at the whole photo, through other exposures if that was unsure, at the
 * subject's part, and at its quarters. A look is one run of the engine. Engines without coarse looks use only
 * these; other engines use them when the triage is unsure.
 */
import type { Matte, RgbImage } from '../pixels.ts';
import type { StepClock } from '../step-clock.ts';
import type { Resolution } from './removal-engine.ts';
import { type ChosenView, chooseExposure, curveExposure } from './steps/exposure-views.ts';
import { lookAtQuarters } from './steps/quarter-looks.ts';
import { type CloseLook, type SecondLook, takeSecondLook } from './steps/second-look.ts';
import { fitInto, shrinkPhoto } from './steps/shrink-photo.ts';
import type { Looks } from './take-looks.ts';

/** Exposure views have at most this longer side, in pixels: engines work at about 1024 px. */
const VIEW_SIDE_PX = 1536;
/** Most looks of a stage. */
const MOST_LOOKS = { 'exposure-views': 2, 'second-look': 1, 'quarter-looks': 4 } as const;

/** Cost of a coarse look as a fraction of a full one. */
const COARSE_SHARE = 0.28;

interface Run {
  readonly looks: Looks;
  readonly clock: StepClock;
}

export function lookThroughExposures(
  source: RgbImage,
  first: Matte,
  { looks, clock }: Run,
): Promise<ChosenView> {
  const unchanged = { matte: first, gamma: 1, agreement: 1, disputed: [] };
  return clock.run('exposure-views', () =>
    looks.refine(
      'exposure-views',
      MOST_LOOKS['exposure-views'],
      (look) => chooseExposure(source, first, makeViews(source, look)),
      unchanged,
    ),
  );
}

/**
 * Like the above with coarse looks: they decide which exposure is best supported, and only that one gets a
 * full look. `null` if there is no time for it.
 */
export function lookCoarselyThroughExposures(
  source: RgbImage,
  coarse: Matte,
  { looks, clock }: Run,
  seen: Matte | null,
): Promise<ChosenView | null> {
  return clock.run('exposure-views', () =>
    looks.refine<ChosenView | null>(
      'whole-look',
      1 + MOST_LOOKS['exposure-views'] * COARSE_SHARE,
      async (look) => {
        const view = makeViews(source, look);
        const chosen = await chooseExposure(source, coarse, (gamma) => view(gamma, 'coarse'));
        const matte = chosen.gamma === 1 && seen !== null ? seen : await view(chosen.gamma, 'full');
        return { ...chosen, matte };
      },
      null,
    ),
  );
}

function makeViews(source: RgbImage, look: (photo: RgbImage, resolution?: Resolution) => Promise<Matte>) {
  let copy: RgbImage | null = null;
  return async (gamma: number, resolution: Resolution = 'full'): Promise<Matte> => {
    if (gamma === 1) return look(source, resolution);
    copy ??= await shrinkPhoto(source, fitInto(source, VIEW_SIDE_PX));
    return look(curveExposure(copy, gamma), resolution);
  };
}

/** `earlier` is a look at a part of the unmodified photo. */
export function lookCloser(
  source: RgbImage,
  { matte, gamma }: ChosenView,
  { looks, clock }: Run,
  earlier: CloseLook | null,
): Promise<SecondLook> {
  return clock.run('second-look', () =>
    looks.refine<SecondLook>(
      'second-look',
      MOST_LOOKS['second-look'],
      (look) =>
        takeSecondLook(
          source,
          matte,
          (part) => look(curveExposure(part, gamma)),
          gamma === 1 ? earlier : null,
        ),
      { matte, agreement: null, disputed: [] },
    ),
  );
}

/** At meshes alone. */
export function lookAtDetail(
  source: RgbImage,
  { matte, gamma }: Pick<ChosenView, 'matte' | 'gamma'>,
  { looks, clock }: Run,
): Promise<Matte> {
  return clock.run('quarter-looks', () =>
    looks.refine(
      'quarter-looks',
      MOST_LOOKS['quarter-looks'],
      (look) => lookAtQuarters(source, matte, (part) => look(curveExposure(part, gamma))),
      matte,
    ),
  );
}
