/** Whether the outline of an opening in a matte follows an edge of the photo. */
import type { Box, RgbImage } from '../../pixels.ts';
import { growBox } from '../marked-area.ts';
import { cutWindow } from './cut-window.ts';
import { type Lab, toLab } from './lab-photo.ts';
import { boundPixels } from './matte-bounds.ts';

/** Colors are averaged up to this distance on both sides of the outline, so that texture and soft edges matter less. */
const REACH_PX = 4;

/**
 * Share of the outline of `pixels`, 0 to 1, across which the mean colors differ by at least `least` in OKLab.
 * `open` is 1 outside the subject and contains `pixels`. Returns 1 if there is no outline.
 */
export function shareOnEdges(
  photo: RgbImage,
  pixels: Int32Array | readonly number[],
  open: Uint8Array,
  least: number,
): number {
  const window = growBox(boundPixels(pixels, photo), { x: REACH_PX, y: REACH_PX }, photo);
  const lab = toLab(cutWindow(photo, window));
  let outline = 0;
  let onEdges = 0;
  for (const i of pixels) {
    if (!meetsClosed(i, open, photo.width)) continue;
    outline++;
    if (measureContrast({ lab, window, open, width: photo.width }, i) >= least) onEdges++;
  }
  return outline === 0 ? 1 : onEdges / outline;
}

/** Whether one of the four neighbors is not open. */
export const meetsClosed = (i: number, open: Uint8Array, width: number): boolean =>
  open[i - 1] === 0 || open[i + 1] === 0 || open[i - width] === 0 || open[i + width] === 0;

interface Scene {
  /** Colors of the photo within `window`. */
  readonly lab: Lab;
  readonly window: Box;
  /** Covers the whole photo, whose width is `width`. */
  readonly open: Uint8Array;
  readonly width: number;
}

/** OKLab distance between the mean colors on the two sides of the outline, near a pixel. */
function measureContrast({ lab: { data }, window, open, width }: Scene, i: number): number {
  const x = i % width;
  const y = (i - x) / width;
  const right = Math.min(window.x + window.width - 1, x + REACH_PX);
  const bottom = Math.min(window.y + window.height - 1, y + REACH_PX);
  const counts = [0, 0];
  const sums = [0, 0, 0, 0, 0, 0];
  for (let v = Math.max(0, y - REACH_PX); v <= bottom; v++) {
    for (let u = Math.max(0, x - REACH_PX); u <= right; u++) {
      const side = open[v * width + u]!;
      const p = 3 * ((v - window.y) * window.width + u - window.x);
      counts[side]!++;
      for (let c = 0; c < 3; c++) sums[3 * side + c]! += data[p + c]!;
    }
  }
  const [closed = 0, opened = 0] = counts;
  return Math.hypot(...[0, 1, 2].map((c) => sums[c]! / closed - sums[3 + c]! / opened));
}
