/** Lists the outlines of a matte as closed lines of evenly spaced points, at sub-pixel accuracy. */
import type { Matte } from '../../pixels.ts';

/** Alpha at which the outline is drawn. */
const OUTLINE = 128;

/**
 * Positions are in pixels: a pixel's center has whole coordinates. The subject lies to the right of the direction from
 * each point to the next.
 */
export interface Outline {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** `spacing` is the distance between two points, in pixels. Outlines with fewer than `fewest` points are left out. */
export function listOutlines(matte: Matte, spacing: number, fewest: number): Outline[] {
  const { width, data } = matte;
  const seen = new Uint8Array(data.length);
  const outlines: Outline[] = [];
  for (let i = 0; i < data.length; i++) {
    // Start at a pixel whose upper side belongs to an outline that was not followed yet. Each outline has such a pixel.
    if (data[i]! < OUTLINE || seen[i] === 1 || (i >= width && data[i - width]! >= OUTLINE)) continue;
    const outline = spaceEvenly(walkAround(matte, i, seen), spacing);
    if (outline.x.length >= fewest) outlines.push(outline);
  }
  return outlines;
}

/** Walks along pixel sides, and marks in `seen` the pixels whose upper side it passes. Returns x and y in turn. */
function walkAround({ width, height, data }: Matte, start: number, seen: Uint8Array): number[] {
  const alphaAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? -1 : data[y * width + x]!;
  const points: number[] = [];
  let y = Math.floor(start / width);
  let x = start - y * width;
  // The direction of the walk. To its right is the pixel (x, y) of the subject, to its left a pixel of the backdrop.
  let [dx, dy] = [1, 0];
  do {
    if (dx === 1) seen[y * width + x] = 1;
    const own = alphaAt(x, y);
    const beyond = alphaAt(x + dy, y - dx);
    const share = beyond < 0 ? 0.5 : (own - OUTLINE + 0.5) / Math.max(1, own - beyond);
    points.push(x + dy * share, y - dx * share);
    if (alphaAt(x + dx, y + dy) < OUTLINE) {
      [dx, dy] = [-dy, dx];
      continue;
    }
    x += dx;
    y += dy;
    if (alphaAt(x + dy, y - dx) < OUTLINE) continue;
    x += dy;
    y -= dx;
    [dx, dy] = [dy, -dx];
  } while (y * width + x !== start || dx !== 1);
  return points;
}

function spaceEvenly(points: readonly number[], spacing: number): Outline {
  const n = points.length / 2;
  const lengths = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) {
    const j = 2 * ((i + 1) % n);
    lengths[i + 1] =
      lengths[i]! + Math.hypot(points[j]! - points[2 * i]!, points[j + 1]! - points[2 * i + 1]!);
  }
  const count = Math.max(1, Math.round(lengths[n]! / spacing));
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let k = 0, i = 0; k < count; k++) {
    const at = (k * lengths[n]!) / count;
    while (lengths[i + 1]! < at) i++;
    const t = (at - lengths[i]!) / Math.max(1e-6, lengths[i + 1]! - lengths[i]!);
    const j = 2 * ((i + 1) % n);
    x[k] = points[2 * i]! + t * (points[j]! - points[2 * i]!);
    y[k] = points[2 * i + 1]! + t * (points[j + 1]! - points[2 * i + 1]!);
  }
  return { x, y };
}
