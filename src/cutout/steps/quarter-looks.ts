/**
 * Step: looks at the quarters of a subject that is still soft after the second look: meshes, nets and wires.
 *
 * Their gaps are only a few of the engine's pixels wide, and doubling the resolution helped most (two wire baskets: IoU
 * .896 to .920 and .833 to .859). The engine misreads a quarter of nearly any other subject, which can be detected:
 * except for meshes, such a look's agreement with the look at the whole subject is below .9.
 */
import type { Box, Matte, RgbImage } from '../../pixels.ts';
import { compareLooks } from './compare-looks.ts';
import { enlargeMatte } from './enlarge-matte.ts';
import { findMatteBounds } from './matte-bounds.ts';
import { measureSoftness } from './matte-evidence.ts';
import { cutWindow, mixLook, placeLook } from './second-look.ts';
import { cropPhoto, fitInto } from './shrink-photo.ts';

/**
 * Minimum softness at which four more looks pay off; meshes have .06 to .16, cables and fur less than .05.
 */
const SOFT = 0.055;
const MIN_AGREEMENT = 0.95;
/** Weight of the quarter in the mix: it shows finer detail but has less context. */
const SHARE = 0.5;
/** Margin on each side, as a fraction of the quarter's side. */
const MARGIN_SHARE = 0.25;
const SUBJECT = 128;
/** Maximum longer side of a quarter passed to the engine, and of the result if the matte is coarser. */
const MAX_SIDE_PX = 2048;

type Look = (part: RgbImage) => Promise<Matte>;

export async function lookAtQuarters(source: RgbImage, matte: Matte, look: Look): Promise<Matte> {
  if (measureSoftness(matte) < SOFT) return matte;
  const grid = fitInto(source, Math.max(MAX_SIDE_PX, matte.width, matte.height));
  const whole = await enlargeMatte(matte, grid);
  const mixed: Matte = { ...whole, data: whole.data.slice() };
  for (const crop of findQuarters(whole, source)) {
    const close = await look(await cropPhoto(source, crop, MAX_SIDE_PX));
    const { placed, window } = await placeLook(close, { crop, source, grid });
    if (compareLooks(cutWindow(whole, window), placed).agreement < MIN_AGREEMENT) continue;
    mixLook(mixed, placed, { window, share: SHARE });
  }
  return mixed;
}

/** The quarters with their margins, in source pixels. */
function findQuarters(matte: Matte, source: RgbImage): readonly Box[] {
  const box = findMatteBounds(matte, SUBJECT);
  if (box === null) return [];
  const across = source.width / matte.width;
  const down = source.height / matte.height;
  const halfWidth = (box.width / 2) * across;
  const halfHeight = (box.height / 2) * down;
  return [0, 1, 2, 3].map((quarter) => {
    const x = box.x * across + (quarter & 1) * halfWidth;
    const y = box.y * down + (quarter >> 1) * halfHeight;
    const from = {
      x: Math.max(0, Math.floor(x - MARGIN_SHARE * halfWidth)),
      y: Math.max(0, Math.floor(y - MARGIN_SHARE * halfHeight)),
    };
    return {
      ...from,
      width: Math.min(source.width, Math.ceil(x + (1 + MARGIN_SHARE) * halfWidth)) - from.x,
      height: Math.min(source.height, Math.ceil(y + (1 + MARGIN_SHARE) * halfHeight)) - from.y,
    };
  });
}
