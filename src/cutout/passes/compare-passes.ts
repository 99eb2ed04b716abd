/** Compares the first two passes over a photo: whether they found the same product, and what they show together. */
import { type Box, type Matte, type RgbImage, SUBJECT } from '../../pixels.ts';
import { movePlace } from '../steps/doubtful-places.ts';
import { enlargeMatte } from '../steps/enlarge-matte.ts';
import { measureSoftness } from '../steps/matte-evidence.ts';
import { type Comparison, findContradictions } from './contradictions.ts';
import { measurePasses, type PassMeasures } from './measure-passes.ts';
import { pasteClosePass } from './mix-passes.ts';

/** Minimum agreement of the two passes for having found the same product. */
const SAME_AGREEMENT = 0.97;
/** The subject extends beyond the crop if it covers more than this share of one side of the crop. Specks cover less. */
const BEYOND_SHARE = 0.004;

export interface FirstPasses extends Comparison {
  /** Matte of the photo's part `crop`, or of the whole photo if `crop` is `null`. */
  readonly close: Matte;
  readonly crop: Box | null;
  /** The result of the close pass, with the coarse one around it. Covers the whole photo, at any resolution. */
  readonly matte: Matte;
  readonly softness: number;
  /** Whether the subject ends within `crop`. If not, the coarse pass missed a part. */
  readonly isWithin: boolean;
  /** Whether both passes found the same product. */
  readonly isAgreed: boolean;
  readonly measures: PassMeasures;
}

export async function comparePasses(
  source: RgbImage,
  coarse: Matte,
  { close, crop }: Pick<FirstPasses, 'close' | 'crop'>,
): Promise<FirstPasses> {
  const matte = crop === null ? close : await pasteClosePass(source, coarse, { close, crop });
  const small = await enlargeMatte(matte, coarse);
  const { agreement, disputed } = findContradictions(small, coarse);
  const all = { x: 0, y: 0, width: source.width, height: source.height };
  const softness = measureSoftness(small);
  const isWithin = crop === null || !goesOnBeyond(close, crop, source);
  return {
    close,
    crop,
    matte,
    softness,
    agreement,
    disputed: disputed.map((place) => movePlace(place, coarse, all)),
    isAgreed: agreement >= SAME_AGREEMENT && isWithin,
    isWithin,
    measures: measurePasses(small, coarse),
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
