/**
 * The first two passes of quality mode, for engines with coarse passes: a coarse pass finds the subject, and a
 * full pass over the subject's part of the photo gives its matte. What the two show together decides whether further
 * passes are worth their cost.
 */
import type { Box, Matte, RgbImage } from '../pixels.ts';
import type { StepClock } from '../step-clock.ts';
import { compareLooks } from './steps/compare-looks.ts';
import { movePlace, type Place } from './steps/doubtful-places.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import { measureSoftness } from './steps/matte-evidence.ts';
import { type LookMeasures, measureLooks } from './steps/measure-looks.ts';
import { cropClose, findCloseCrop, pasteCloseLook } from './steps/second-look.ts';
import type { Looks } from './take-looks.ts';

/** Minimum agreement of the two passes for having found the same product. */
const SAME_AGREEMENT = 0.97;
/** The subject extends beyond the crop if it covers more than this share of one side of the crop. Specks cover less. */
const BEYOND_SHARE = 0.004;
const SUBJECT = 128;
/**
 * A part is long if its longer side exceeds its shorter one by more than this factor, which is a little above 3:2
 * because sides are rounded. In long parts of rendered photos, outlines are better if the part is not stretched to a
 * square (edge error .0513 instead of .0549 in 17 of them, on average). In shorter parts and in whole photos, outlines
 * are worse without stretching.
 */
const LONG = 1.51;
/**
 * If the coarse pass is softer than this, the next pass is stretched to a square even in a long part. A coarse pass
 * this vague saw nothing, and cannot contradict an error of the next pass. Without stretching, there was such an error:
 * a black camera on black lost its left half.
 */
const VAGUE = 0.3;

const isLong = ({ width, height }: Pick<Box, 'width' | 'height'>): boolean =>
  Math.max(width, height) > LONG * Math.min(width, height);

export interface Triaged {
  readonly coarse: Matte;
  /** Matte of the photo's part `crop`, or of the whole photo if `crop` is `null`. */
  readonly close: Matte;
  readonly crop: Box | null;
  /** The result of the closer pass, with the coarse one around it. Covers the whole photo, at any resolution. */
  readonly matte: Matte;
  readonly softness: number;
  /** Agreement of the two passes, 0 to 1; see `compareLooks`. */
  readonly agreement: number;
  /** Where the two passes contradict each other, in source pixels, largest first. */
  readonly disputed: readonly Place[];
  /** Whether the subject ends within `crop`. If not, the coarse pass missed a part. */
  readonly isWithin: boolean;
  /** Whether both passes found the same product. */
  readonly isAgreed: boolean;
  readonly measures: LookMeasures;
}

/** Runs both passes. Returns only the coarse matte if there is no time for a full pass. */
export async function lookByTriage(
  source: RgbImage,
  looks: Looks,
  clock: StepClock,
): Promise<Triaged | { readonly coarse: Matte; readonly close: null }> {
  const coarse = await clock.run('coarse-look', () => looks.coarse());
  const crop = findCloseCrop(coarse, source);
  const close = await clock.run('close-look', () =>
    looks.full(
      async () => (crop === null ? source : cropClose(source, crop)),
      isLong(crop ?? source) && measureSoftness(coarse) <= VAGUE ? 'shaped' : 'full',
    ),
  );
  if (close === null) return { coarse, close };
  return clock.run('triage', () => triage(source, coarse, { close, crop }));
}

async function triage(
  source: RgbImage,
  coarse: Matte,
  { close, crop }: Pick<Triaged, 'close' | 'crop'>,
): Promise<Triaged> {
  const matte = crop === null ? close : await pasteCloseLook(source, coarse, { close, crop });
  const small = await enlargeMatte(matte, coarse);
  const { agreement, disputed } = compareLooks(small, coarse);
  const all = { x: 0, y: 0, width: source.width, height: source.height };
  const softness = measureSoftness(small);
  const isWithin = crop === null || !goesOnBeyond(close, crop, source);
  return {
    coarse,
    close,
    crop,
    matte,
    softness,
    agreement,
    disputed: disputed.map((place) => movePlace(place, coarse, all)),
    isAgreed: agreement >= SAME_AGREEMENT && isWithin,
    isWithin,
    measures: measureLooks(small, coarse),
  };
}

/**
 * Whether the subject crosses a side of the crop that is not a side of the photo. If so, the coarse pass
 * missed a part.
 */
function goesOnBeyond({ width, height, data }: Matte, crop: Box, photo: RgbImage): boolean {
  const isSubjectAlong = (length: number, start: number, step: number): boolean => {
    let count = 0;
    for (let n = 0; n < length; n++) if (data[start + n * step]! >= SUBJECT) count++;
    return count > BEYOND_SHARE * length;
  };
  return (
    (crop.y > 0 && isSubjectAlong(width, 0, 1)) ||
    (crop.x > 0 && isSubjectAlong(height, 0, width)) ||
    (crop.y + crop.height < photo.height && isSubjectAlong(width, (height - 1) * width, 1)) ||
    (crop.x + crop.width < photo.width && isSubjectAlong(height, width - 1, width))
  );
}
