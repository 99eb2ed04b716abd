/**
 * Step: finds where the edge is fur, hair or fringe, and recomputes the matte there from the photo's own
 * colors.
 *
 * Engines cut fur with a smooth line and leave the backdrop in the fringe. Closed-form matting finds the strands, but
 * ruins hard edges: when it ran along all edges, the halo error (defined in lab/cutouts.md) on 25 rendered photos rose
 * from 9.8 to 15.1. Fur and hard edges are distinguished by the width of the engine's uncertainty. There are 1 to 2
 * mixed pixels per contour pixel along hard edges, and 8 to 11 along fur.
 */
import {
  type Box,
  CHAMFER_STEP,
  clamp,
  cutWindow,
  findMatteBounds,
  growBox,
  type Matte,
  markContour,
  measureDistances,
  type RgbImage,
  ramp,
  sumWindows,
} from 'packshot-pixels';
import { solveClosedForm } from './closed-form-matting.ts';
import { isFur } from './tell-fur.ts';

/** A pixel whose alpha lies between these two values (5 to 95 %) is mixed. */
const MIXED_FROM = 13;
const MIXED_TO = 242;
/**
 * Lengths below are in pixels of a photo whose longer side is 1024 px. The ratios below were measured at this
 * resolution.
 */
const REFERENCE_SIDE_PX = 1024;
/**
 * The solver leaves a haze where fur and backdrop look alike. Alpha below `CLEAR_BELOW` becomes 0, alpha from
 * `SOLID_FROM` on becomes 1, and values between them are stretched linearly. This reduced the mean alpha error
 * near edges on the furry rendered photos by a tenth to a fifth.
 */
const CLEAR_BELOW = 0.08;
const SOLID_FROM = 0.96;
/** Half the width of the window in which mixed pixels and contour pixels are counted. */
const WINDOW_RADIUS_PX = 12;
/** Mixed pixels per contour pixel. Up to `SOFT_FROM`, the edge is hard; from `SOFT_FULLY` on, it is fur. */
const SOFT_FROM = 4.5;
const SOFT_FULLY = 7;
/**
 * Minimum share of the contour that is soft. Fur covers most of the contour; a smaller soft share is a
 * shadow, glass or a guess. The share is .44 to 1 in photos of furry products, and at most .30 in all others.
 * Matting the others made them worse on average (the halo error of a bottle rose from 6.0 to 9.3).
 */
const SOFT_CONTOUR_SHARE = 0.35;
/**
 * The new matte has full weight up to a distance of `FULL_REACH_PX` from the contour, and no weight beyond `REACH_PX`.
 */
const FULL_REACH_PX = 16;
const REACH_PX = 24;
/**
 * `readPhoto` returns the photo at the matte's size, or `null` to leave the matte as it is. It is called only if much of
 * the contour is soft.
 */
export async function matteSoftEdges(
  matte: Matte,
  readPhoto: () => Promise<RgbImage | null>,
  signal: AbortSignal,
): Promise<Matte> {
  const scale = Math.max(matte.width, matte.height) / REFERENCE_SIDE_PX;
  const box = findMatteBounds(matte, MIXED_FROM + 1);
  if (box === null) return matte;
  const reach = Math.max(2, Math.round(REACH_PX * scale));
  // No window around a pixel near the contour goes beyond this area.
  const margin = reach + Math.round(WINDOW_RADIUS_PX * scale) + 1;
  const area = growBox(box, { x: margin, y: margin }, matte);
  const weights = weighSoftEdges(cutWindow(matte, area), scale, reach);
  if (weights === null) return matte;
  const photo = await readPhoto();
  if (photo === null || !isFur(matte, photo, { weights, area, scale })) return matte;
  const alpha = solveEdges(matte, photo, { weights, area }, signal);
  const data = matte.data.slice();
  for (let y = 0, n = 0; y < area.height; y++) {
    for (let x = 0, i = (area.y + y) * matte.width + area.x; x < area.width; x++, i++, n++) {
      const weight = weights[n]!;
      if (weight === 0) continue;
      const before = data[i]!;
      const solved = clamp(((alpha[i]! - CLEAR_BELOW) / (SOLID_FROM - CLEAR_BELOW)) * 255, 0, 255);
      data[i] = Math.round(before + weight * (solved - before));
    }
  }
  return { width: matte.width, height: matte.height, data };
}

/** Computes alpha, about 0 to 1, from the photo's colors where `weights` is above 0. `weights` covers `area`. */
function solveEdges(
  matte: Matte,
  photo: RgbImage,
  { weights, area }: { readonly weights: Float32Array; readonly area: Box },
  signal: AbortSignal,
): Float32Array {
  const { width, height } = matte;
  const unknown = new Uint8Array(width * height);
  const alpha = new Float32Array(unknown.length);
  for (let i = 0; i < alpha.length; i++) alpha[i] = matte.data[i]! / 255;
  const right = Math.min(width - 2, area.x + area.width);
  const bottom = Math.min(height - 2, area.y + area.height);
  for (let y = Math.max(2, area.y); y < bottom; y++) {
    for (let x = Math.max(2, area.x); x < right; x++) {
      if (weights[(y - area.y) * area.width + x - area.x]! > 0) unknown[y * width + x] = 1;
    }
  }
  solveClosedForm({ photo, unknown, alpha }, signal);
  return alpha;
}

/** Returns the weight of the new matte for each pixel, 0 to 1; `null` if too little of the contour is soft. */
function weighSoftEdges(matte: Matte, scale: number, reach: number): Float32Array | null {
  const { data } = matte;
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
    // Contours are lines and mixed pixels are areas, so the ratio grows with the scale of the grid.
    ratios[i] = mixedNear[i]! / contourNear[i]! / scale;
    if (ratios[i]! > SOFT_FROM) isAnySoft = true;
  }
  if (!isAnySoft) return null;
  const ratiosNear = sumWindows(matte, ratios, reach);
  const contoursNear = sumWindows(matte, contour, reach);
  const softnessAt = (i: number) => ramp(SOFT_FROM, SOFT_FULLY, ratiosNear[i]! / contoursNear[i]!);
  let softContour = 0;
  let wholeContour = 0;
  for (let i = 0; i < contour.length; i++) {
    if (contour[i] === 0) continue;
    wholeContour++;
    if (softnessAt(i) > 0) softContour++;
  }
  if (softContour < SOFT_CONTOUR_SHARE * wholeContour) return null;
  const distances = measureDistances(matte, contour);
  const weights = new Float32Array(data.length);
  for (let i = 0; i < weights.length; i++) {
    if (contoursNear[i] === 0) continue;
    const distance = distances[i]! / CHAMFER_STEP / scale;
    weights[i] = softnessAt(i) * (1 - ramp(FULL_REACH_PX, REACH_PX, distance));
  }
  return weights;
}
