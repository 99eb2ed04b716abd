/** Whether the outline of an opening in a matte follows an edge of the photo. */
import type { Lab } from './lab-photo.ts';

/** Colors are averaged up to this distance on both sides of the outline, so that texture and soft edges matter less. */
const REACH_PX = 4;

/**
 * Share of the outline of `pixels`, 0 to 1, across which the mean colors differ by at least `least` in OKLab.
 * `open` is 1 outside the subject and contains `pixels`. Returns 1 if there is no outline.
 */
export function shareOnEdges(lab: Lab, pixels: Iterable<number>, open: Uint8Array, least: number): number {
  let outline = 0;
  let onEdges = 0;
  for (const i of pixels) {
    if (!meetsClosed(i, open, lab.width)) continue;
    outline++;
    if (measureContrast(lab, i, open) >= least) onEdges++;
  }
  return outline === 0 ? 1 : onEdges / outline;
}

/** Whether one of the four neighbors is not open. */
export const meetsClosed = (i: number, open: Uint8Array, width: number): boolean =>
  open[i - 1] === 0 || open[i + 1] === 0 || open[i - width] === 0 || open[i + width] === 0;

/** OKLab distance of the mean colors of both sides around a pixel. */
function measureContrast({ width, height, data }: Lab, i: number, open: Uint8Array): number {
  const x = i % width;
  const y = (i - x) / width;
  const counts = [0, 0];
  const sums = [0, 0, 0, 0, 0, 0];
  for (let v = Math.max(0, y - REACH_PX); v <= Math.min(height - 1, y + REACH_PX); v++) {
    for (let u = Math.max(0, x - REACH_PX); u <= Math.min(width - 1, x + REACH_PX); u++) {
      const n = v * width + u;
      const side = open[n]!;
      counts[side]!++;
      for (let c = 0; c < 3; c++) sums[3 * side + c]! += data[3 * n + c]!;
    }
  }
  const [closed = 0, opened = 0] = counts;
  return Math.hypot(...[0, 1, 2].map((c) => sums[c]! / closed - sums[3 + c]! / opened));
}
