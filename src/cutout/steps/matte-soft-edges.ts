/**
 * Step: finds where the edge is fur, hair or fringe, and mattes it anew from the photo's own colours there.
 *
 * Engines cut fur with a smooth line and leave the backdrop in the fringe. Closed-form matting finds the strands, but
 * ruins hard edges (on 25 rendered photos it brought the halo from 9.8 to 15.1 when it ran everywhere). What tells
 * the two apart is how wide the engine's own doubt is: the number of mixed pixels for each pixel of contour nearby
 * is 1 to 2 along hard products and 8 to 11 along fur.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';
import { solveClosedForm } from './closed-form-matting.ts';
import { sumWindows } from './window-sums.ts';

/** Alpha between which a pixel is mixed: 5 to 95 %. */
const MIXED_FROM = 13;
const MIXED_TO = 242;
const SUBJECT = 128;
/** Lengths are meant for a longer side of 1024 px, the resolution at which the doubt was measured. */
const REFERENCE_SIDE_PX = 1024;
/**
 * The solver leaves a haze where fur and backdrop look alike: what it finds this faint or this dense is taken for
 * nothing and for all. On the furry rendered photos the error in the band fell by a tenth to a fifth.
 */
const CLEAR_BELOW = 0.08;
const SOLID_FROM = 0.96;
/** Half the window in which mixed pixels and contour are counted. */
const WINDOW_RADIUS_PX = 12;
/** Mixed pixels a contour pixel: below the first it is a hard edge, from the second on fur. */
const SOFT_FROM = 4.5;
const SOFT_FULLY = 7;
/**
 * Fur goes all around, or nearly: below this share of soft contour it is a shadow, glass or a guess. The furry photos
 * have .44 to 1, the others at most .30, and matting those made them worse on average (a bottle's halo 6.0 to 9.3).
 */
const SOFT_CONTOUR_SHARE = 0.35;
/** Distance from the contour up to which the new matte counts fully, and where it ends. */
const FULL_REACH_PX = 16;
const REACH_PX = 24;

/** `readPhoto` answers the matte's view in the matte's size; it is asked only where there is fur. */
export async function matteSoftEdges(
  matte: Matte,
  readPhoto: () => Promise<RgbImage>,
  signal: AbortSignal,
): Promise<Matte> {
  const scale = Math.max(matte.width, matte.height) / REFERENCE_SIDE_PX;
  const weights = weighSoftEdges(matte, scale);
  if (weights === null) return matte;
  const { width, height } = matte;
  const unknown = new Uint8Array(weights.length);
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2, i = y * width + 2; x < width - 2; x++, i++) if (weights[i]! > 0) unknown[i] = 1;
  }
  const alpha = Float32Array.from(matte.data, (value) => value / 255);
  const photo = await readPhoto();
  solveClosedForm({ photo, unknown, alpha }, signal);
  const data = matte.data.map((before, i) => {
    const weight = weights[i]!;
    if (weight === 0) return before;
    const solved = Math.min(255, Math.max(0, ((alpha[i]! - CLEAR_BELOW) / (SOLID_FROM - CLEAR_BELOW)) * 255));
    return Math.round(before + weight * (solved - before));
  });
  return { width, height, data };
}

/** 0 to 1 a pixel: how far the new matte is to be believed. `null` where no edge is soft. */
function weighSoftEdges(matte: Matte, scale: number): Float32Array | null {
  const { width, height, data } = matte;
  const contour = markContour(matte);
  const mixed = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) if (data[i]! > MIXED_FROM && data[i]! < MIXED_TO) mixed[i] = 1;
  const radius = Math.max(2, Math.round(WINDOW_RADIUS_PX * scale));
  const mixedNear = sumWindows(matte, mixed, radius);
  const contourNear = sumWindows(matte, contour, radius);
  const ratios = new Float32Array(data.length);
  let isAnySoft = false;
  for (let i = 0; i < data.length; i++) {
    if (contour[i] === 0) continue;
    // Contours are lines and mixed pixels are areas: on a larger grid the ratio grows with its scale.
    ratios[i] = mixedNear[i]! / contourNear[i]! / scale;
    if (ratios[i]! > SOFT_FROM) isAnySoft = true;
  }
  if (!isAnySoft) return null;
  const reach = Math.max(2, Math.round(REACH_PX * scale));
  const ratiosNear = sumWindows(matte, ratios, reach);
  const contoursNear = sumWindows(matte, contour, reach);
  const distances = measureDistances(matte, contour);
  const weights = new Float32Array(width * height);
  let softContour = 0;
  let wholeContour = 0;
  for (let i = 0; i < weights.length; i++) {
    if (contoursNear[i] === 0) continue;
    const softness = ramp(ratiosNear[i]! / contoursNear[i]!, SOFT_FROM, SOFT_FULLY);
    if (contour[i] === 1) {
      wholeContour++;
      if (softness > 0) softContour++;
    }
    const distance = distances[i]! / CHAMFER_STEP / scale;
    weights[i] = softness * (1 - ramp(distance, FULL_REACH_PX, REACH_PX));
  }
  return softContour < SOFT_CONTOUR_SHARE * wholeContour ? null : weights;
}

function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** 1 on subject pixels that meet background. */
function markContour({ width, height, data }: Matte): Uint8Array {
  const contour = new Uint8Array(data.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (data[i]! < SUBJECT) continue;
      const meets =
        (x > 0 && data[i - 1]! < SUBJECT) ||
        (x < width - 1 && data[i + 1]! < SUBJECT) ||
        (y > 0 && data[i - width]! < SUBJECT) ||
        (y < height - 1 && data[i + width]! < SUBJECT);
      if (meets) contour[i] = 1;
    }
  }
  return contour;
}
