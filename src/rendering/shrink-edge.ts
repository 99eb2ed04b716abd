/** Step: shrinks the subject's outline by eroding its soft alpha. */
import type { Edge, RgbaImage } from 'packshot-pixels';
import type { RenderTarget } from './render-target.ts';

/** Longer side of the full version's canvas; the mutation `edge.shrinkPx` counts pixels of this canvas. */
const FULL_LONG_EDGE_PX = 2000;

/** Shrinks by `shrinkPx` pixels of the full canvas, converted to pixels of the target. */
export function shrinkOnCanvas(
  subject: RgbaImage,
  shrinkPx: number,
  { longEdgePx }: Pick<RenderTarget, 'longEdgePx'>,
  cutEdges?: readonly Edge[],
): RgbaImage {
  if (shrinkPx === 0) return subject;
  return shrinkEdge(subject, (shrinkPx * longEdgePx) / FULL_LONG_EDGE_PX, cutEdges);
}

/**
 * Grayscale erosion (Serra 1982) with a disc: each alpha becomes the minimum within `radiusPx`, so a soft edge moves
 * inward and stays soft. A fractional radius interpolates between the two neighboring integers. Colors are unchanged,
 * except that fully transparent pixels become black. Outside the picture alpha is 0, except beyond `cutEdges`: there
 * the subject continues and has no outline to erode.
 */
export function shrinkEdge(subject: RgbaImage, radiusPx: number, cutEdges: readonly Edge[] = []): RgbaImage {
  const small = Math.floor(radiusPx);
  const share = radiusPx - small;
  const alpha = new Uint8Array(subject.width * subject.height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = subject.data[4 * i + 3]!;
  const low = small === 0 ? alpha : erode(alpha, subject, small, cutEdges);
  const high = share === 0 ? low : erode(alpha, subject, small + 1, cutEdges);
  const data = new Uint8Array(subject.data);
  for (let i = 0; i < alpha.length; i++) {
    const eroded = Math.round(low[i]! + (high[i]! - low[i]!) * share);
    data[4 * i + 3] = eroded;
    if (eroded === 0) data.fill(0, 4 * i, 4 * i + 3);
  }
  return { width: subject.width, height: subject.height, data };
}

function erode(
  alpha: Uint8Array,
  { width, height }: RgbaImage,
  radius: number,
  cutEdges: readonly Edge[],
): Uint8Array {
  // The disc is a stack of horizontal runs: `reach[d]` is half the length of the run at distance d from the center.
  const reach = Array.from({ length: radius + 1 }, (_, d) =>
    Math.floor(Math.sqrt((radius + 0.3) ** 2 - d * d)),
  );
  const result = new Uint8Array(alpha.length).fill(255);
  const runs = reach.map((half) => minimumAlongRows(alpha, width, half, cutEdges));
  for (let y = 0; y < height; y++) {
    for (let d = -radius; d <= radius; d++) {
      const source = y + d;
      if (source < 0 || source >= height) {
        if (!cutEdges.includes(source < 0 ? 'top' : 'bottom')) result.fill(0, y * width, (y + 1) * width);
        continue;
      }
      const run = runs[Math.abs(d)]!;
      for (let x = 0; x < width; x++) {
        const value = run[source * width + x]!;
        if (value < result[y * width + x]!) result[y * width + x] = value;
      }
    }
  }
  return result;
}

function minimumAlongRows(
  alpha: Uint8Array,
  width: number,
  half: number,
  cutEdges: readonly Edge[],
): Uint8Array {
  const result = new Uint8Array(alpha);
  const [beyondLeft, beyondRight] = [
    cutEdges.includes('left') ? 255 : 0,
    cutEdges.includes('right') ? 255 : 0,
  ];
  for (let shift = 1; shift <= half; shift++) {
    for (let row = 0; row < alpha.length; row += width) {
      for (let x = 0; x < width; x++) {
        const left = x >= shift ? alpha[row + x - shift]! : beyondLeft;
        const right = x + shift < width ? alpha[row + x + shift]! : beyondRight;
        const least = left < right ? left : right;
        if (least < result[row + x]!) result[row + x] = least;
      }
    }
  }
  return result;
}
