/**
 * Of the parts that `complete-parts` would add to a product, drops those that are only the blur of an outline.
 *
 * In a true part of the product, the photo shows the product's color, and only alpha is too low. At an outline out of
 * focus, color and alpha change together: as alpha falls, the product's color turns into the backdrop's. When such blur
 * was added, a blurred cable got a ragged white fringe.
 */
import type { Matte } from '../../pixels.ts';
import { findParts } from './connected-parts.ts';
import type { Lab } from './lab-photo.ts';

/**
 * Minimum area of a part that is judged, in pixels. In smaller parts, an error is not visible, and the correlation
 * proves nothing.
 */
const LEAST_AREA = 150;
/**
 * A part is blur if alpha explains at least this share of the variance of its color. The share is .86 in a cable out of
 * focus and .90 at the bottom of a vase, which are blur, and at most .38 in 25 other parts.
 */
const EXPLAINED = 0.65;

/** `parts` is 1 where a part of the product was added; `lab` and `matte` have the same size. Changes `parts`. */
export function dropBlurred(lab: Lab, matte: Matte, parts: Uint8Array): void {
  const found = findParts({ ...matte, data: parts }, { min: 1, max: 1, neighbours: 8 });
  for (const { start, end, area } of found.parts) {
    const pixels = found.order.subarray(start, end);
    if (area < LEAST_AREA || measureExplained(lab, matte, pixels) < EXPLAINED) continue;
    for (const i of pixels) parts[i] = 0;
  }
}

/** Squared correlation of alpha with the colors, each channel weighted by its variance. */
function measureExplained(lab: Lab, { data }: Matte, pixels: Int32Array): number {
  const n = pixels.length;
  let [alphas, squares] = [0, 0];
  for (const i of pixels) {
    alphas += data[i]!;
    squares += data[i]! ** 2;
  }
  const spread = squares / n - (alphas / n) ** 2;
  let explained = 0;
  let total = 0;
  for (let c = 0; c < 3; c++) {
    let [sum, ownSquares, products] = [0, 0, 0];
    for (const i of pixels) {
      const value = lab.data[3 * i + c]!;
      sum += value;
      ownSquares += value ** 2;
      products += value * data[i]!;
    }
    explained += (products / n - (sum / n) * (alphas / n)) ** 2;
    total += ownSquares / n - (sum / n) ** 2;
  }
  return explained / Math.max(1e-9, spread * total);
}
