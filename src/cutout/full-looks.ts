/**
 * The looks at full resolution: all of the photo through other exposures where that is unsure, the subject's own part, and
 * its halves. They are all the looks of engines that have no cheaper ones, and of photos that the triage is unsure of.
 */
import type { Matte, RgbImage } from '../pixels.ts';
import type { StepClock } from '../step-clock.ts';
import type { Resolution } from './removal-engine.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import {
  type ChosenView,
  chooseExposure,
  curveExposure,
  GENTLE_GAMMA,
  hasBrightBorder,
} from './steps/exposure-views.ts';
import { isMesh, lookAtHalves } from './steps/half-looks.ts';
import { type CloseLook, type SecondLook, takeSecondLook } from './steps/second-look.ts';
import { fitInto, shrinkPhoto } from './steps/shrink-photo.ts';
import type { Looks } from './take-looks.ts';

/** Exposure views have at most this longer side, in pixels: engines work at about 1024 px. */
const VIEW_SIDE_PX = 1536;
/** Most looks of a stage. */
const MOST_LOOKS = { 'exposure-views': 2, 'second-look': 1, 'half-looks': 2 } as const;

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

/** The gentler of the exposures for bright paper alone, for a matte on which two looks agree but which is soft. */
export function lookThroughGentleExposure(
  source: RgbImage,
  seen: Matte,
  { looks, clock }: Run,
): Promise<ChosenView> {
  const unchanged = { matte: seen, gamma: 1, agreement: 1, disputed: [] };
  return clock.run('exposure-views', () =>
    looks.refine(
      'exposure-views',
      1,
      async (look) => {
        const other = await makeViews(source, look)(GENTLE_GAMMA);
        const first = await enlargeMatte(seen, other);
        const chosen = await chooseExposure(source, first, async () => other, [GENTLE_GAMMA]);
        return chosen.gamma === 1 ? { ...chosen, matte: seen } : chosen;
      },
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

/**
 * At meshes alone; elsewhere `matte` itself. On bright paper through the gentler of its exposures, which drew the wires of a
 * basket better than the photo as it is (IoU .918 against .902).
 */
export async function lookAtDetail(source: RgbImage, matte: Matte, { looks, clock }: Run): Promise<Matte> {
  return clock.run('half-looks', async () => {
    if (!(await isMesh(matte))) return matte;
    const gamma = hasBrightBorder(source) ? GENTLE_GAMMA : 1;
    return looks.refine(
      'half-looks',
      MOST_LOOKS['half-looks'],
      (look) => lookAtHalves(source, matte, (part) => look(curveExposure(part, gamma))),
      matte,
    );
  });
}
