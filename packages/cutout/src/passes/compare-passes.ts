/** Compares the first two passes over a photo: whether they found the same product, and what they show together. */
import type { Box, Matte, RgbImage } from 'packshot-pixels';
import { movePlace } from '../steps/doubtful-places.ts';
import { enlargeMatte } from '../steps/enlarge-matte.ts';
import { measureSoftness } from '../steps/matte-evidence.ts';
import { type Comparison, findContradictions } from './contradictions.ts';
import { measurePasses, type PassMeasures } from './measure-passes.ts';
import { pasteClosePass } from './mix-passes.ts';

/** Minimum agreement of the two passes for having found the same product. */
const SAME_AGREEMENT = 0.97;

export interface FirstPasses extends Comparison {
  /** Matte of the photo's part `crop`, or of the whole photo if `crop` is `null`. */
  readonly close: Matte;
  readonly crop: Box | null;
  /** The result of the close pass, with the coarse one around it. Covers the whole photo, at any resolution. */
  readonly matte: Matte;
  readonly softness: number;
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
  return {
    close,
    crop,
    matte,
    softness,
    agreement,
    disputed: disputed.map((place) => movePlace(place, coarse, all)),
    isAgreed: agreement >= SAME_AGREEMENT,
    measures: measurePasses(small, coarse),
  };
}
