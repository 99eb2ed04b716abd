/**
 * The looks at full resolution: all of the photo, through other exposures where that is unsure, and the subject's own part.
 * They are all the looks of engines that have no cheaper ones.
 */
import type { Matte, RgbImage } from '../pixels.ts';
import type { StepClock } from '../step-clock.ts';
import { type ChosenView, chooseExposure, curveExposure } from './steps/exposure-views.ts';
import { type CloseLook, type SecondLook, takeSecondLook } from './steps/second-look.ts';
import { fitInto, shrinkPhoto } from './steps/shrink-photo.ts';
import type { Looks } from './take-looks.ts';

/** Exposure views are offered at this longer side at most: engines look at about 1024 px. */
const VIEW_SIDE_PX = 1536;
/** Most looks of a stage. */
const MOST_LOOKS = { 'exposure-views': 2, 'second-look': 1 } as const;

interface Run {
  readonly looks: Looks;
  readonly clock: StepClock;
}

export function lookThroughExposures(
  source: RgbImage,
  first: Matte,
  { looks, clock }: Run,
): Promise<ChosenView> {
  return clock.run('exposure-views', () =>
    looks.refine(
      'exposure-views',
      MOST_LOOKS['exposure-views'],
      async (look) => {
        let copy: RgbImage | null = null;
        return chooseExposure(source, first, async (gamma) => {
          copy ??= await shrinkPhoto(source, fitInto(source, VIEW_SIDE_PX));
          return look(curveExposure(copy, gamma));
        });
      },
      { matte: first, gamma: 1, agreement: 1, disputed: null, others: [] },
    ),
  );
}

export function lookCloser(
  source: RgbImage,
  view: ChosenView,
  { looks, clock, earlier = null }: Run & { readonly earlier?: CloseLook | null },
): Promise<SecondLook> {
  return clock.run('second-look', () =>
    looks.refine<SecondLook>(
      'second-look',
      MOST_LOOKS['second-look'],
      (look) =>
        takeSecondLook(
          source,
          view.matte,
          (part) => look(curveExposure(part, view.gamma)),
          view.gamma === 1 ? earlier : null,
        ),
      { matte: view.matte, agreement: null, disputed: null },
    ),
  );
}
