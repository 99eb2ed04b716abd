/**
 * A pass over a crop around the subject, so that the subject gets more of the engine's pixels.
 *
 * An engine processes the photo at one fixed size, so a subject that fills a third of the photo gets a third of the
 * resolution. On 50 rendered photos, a second pass over the subject's box reduced the halo error from 9.3 to 8.6. If
 * that pass were always believed, it would ruin some photos, because a part without its surroundings can be mistaken
 * for the whole product (the IoU of headphones was .53 instead of .98).
 */
import { type Box, findMatteBounds, type Matte, type RgbImage, SUBJECT, scaleBox } from 'packshot-pixels';
import { cropPhoto } from '../steps/shrink-photo.ts';
import { curveExposure, type View } from './exposures.ts';
import type { Passes } from './run-passes.ts';

/** Margin on each side of the subject's box, as a fraction of the box. A margin of 8 % gave clearly worse results. */
const MARGIN_SHARE = 0.25;
/** A close pass is worthwhile only if the crop covers at most this share of the photo's area. */
const WORTHWHILE_AREA_SHARE = 0.8;
/** Maximum longer side of the crop, in pixels. */
const MAX_SIDE_PX = 2048;
/**
 * A part is long if its longer side exceeds its shorter one by more than this factor, which is a little above 3:2
 * because sides are rounded. In long parts of rendered photos, outlines are better if the part is not stretched to a
 * square (edge error .0513 instead of .0549 in 17 of them, on average). In shorter parts and in whole photos, outlines
 * are worse without stretching.
 */
const LONG = 1.51;
export interface ClosePass {
  readonly close: Matte;
  /** The part of the photo that the matte covers, in source pixels. */
  readonly crop: Box;
}

/** Covers the whole photo, with `crop` null, if the subject fills the photo. */
export async function runClosePass(
  source: RgbImage,
  coarse: Matte,
  passes: Passes,
): Promise<{ readonly close: Matte; readonly crop: Box | null }> {
  const crop = findCloseCrop(coarse, source);
  const resolution = isLong(crop ?? source) ? 'shaped' : 'full';
  if (crop === null) return { close: await passes.run('whole', source, resolution), crop };
  return { close: await passes.run('close', await cropPhoto(source, crop, MAX_SIDE_PX), resolution), crop };
}

/** A close pass after a full one over the whole photo, in the same exposure. `null` if it would show nothing new. */
export async function runAnotherClosePass(
  source: RgbImage,
  { matte, gamma }: View,
  passes: Passes,
): Promise<ClosePass | null> {
  const crop = findCloseCrop(matte, source);
  if (crop === null || !passes.mayRun('close-pass', 1)) return null;
  const part = await cropPhoto(source, crop, MAX_SIDE_PX);
  return { close: await passes.run('close', curveExposure(part, gamma)), crop };
}

const isLong = ({ width, height }: Pick<Box, 'width' | 'height'>): boolean =>
  Math.max(width, height) > LONG * Math.min(width, height);

/** Returns the subject's box with a margin, in source pixels; `null` if a close pass would show nothing new. */
function findCloseCrop(matte: Matte, source: RgbImage): Box | null {
  const box = findMatteBounds(matte, SUBJECT);
  if (box === null) return null;
  const crop = scaleBox(box, matte, source, MARGIN_SHARE);
  const isWorthwhile = crop.width * crop.height <= WORTHWHILE_AREA_SHARE * source.width * source.height;
  return isWorthwhile ? crop : null;
}
