/** Makes gaps of a matte transparent. */
import type { Matte, RgbImage } from '../../pixels.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';
import { solveClosedForm } from './closed-form-matting.ts';
import { meetsClosed } from './photo-edges.ts';

/**
 * Distance from a gap's outline within which alpha is computed again. The callers grow gaps by color, and a grown gap
 * may stop as much as 2 px short of the edge in the photo.
 */
const RIM_PX = 4;

/** Clears the gaps, and computes the alpha of their rims from the photo's colors. */
export function openGaps(
  matte: Matte,
  photo: RgbImage,
  gaps: readonly (readonly number[])[],
  signal: AbortSignal,
): Matte {
  const isGap = new Uint8Array(matte.data.length);
  for (const gap of gaps) for (const i of gap) isGap[i] = 1;
  const contour = new Uint8Array(isGap.length);
  for (const gap of gaps) for (const i of gap) if (meetsClosed(i, isGap, matte.width)) contour[i] = 1;
  const distances = measureDistances(matte, contour);
  const unknown = new Uint8Array(isGap.length);
  const alpha = new Float32Array(isGap.length);
  for (let i = 0; i < alpha.length; i++) {
    if (distances[i]! <= RIM_PX * CHAMFER_STEP) unknown[i] = 1;
    if (isGap[i] === 0) alpha[i] = matte.data[i]! / 255;
  }
  solveClosedForm({ photo, unknown, alpha }, signal);
  const data = matte.data.slice();
  for (let i = 0; i < data.length; i++) {
    if (isGap[i] === 0 && unknown[i] === 0) continue;
    data[i] = Math.min(data[i]!, Math.round(255 * Math.min(1, Math.max(0, alpha[i]!))));
  }
  return { ...matte, data };
}
