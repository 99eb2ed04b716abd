/**
 * Step: measures how far strokes reach. Distances run along the pixels that the strokes can change, and an edge of the
 * photo counts as a detour, so that a stroke reaches less far across an edge than along one surface. They come from
 * raster scans (Toivanen, "New geodesic distance transforms for gray-scale images", 1996).
 */
import { findParts, type Lab } from 'packshot-pixels';
import type { Regions } from './split-regions.ts';

/** Two regions whose colors differ by at most this (OKLab distance) seem to have no edge between them. */
const SEEN = 0.02;
/** The detour of an edge, as a fraction of the longer side, per unit of contrast beyond that. */
const DETOUR = 4;
/** Maximum number of scans, half of them down, half up. Later scans change hardly anything. */
const MOST_SCANS = 6;

export interface Scribbles {
  readonly count: number;
  /** For each pixel under a scribble, its number, from 1; elsewhere 0. Strokes that touch are one scribble. */
  readonly at: Uint16Array;
  /** How far each scribble reaches, in pixels; `reaches[0]` is unused. */
  readonly reaches: Float64Array;
}

export interface Reached {
  /** Distance from the nearest scribble, as a fraction of that scribble's reach; infinite where no path leads. */
  readonly shares: Float32Array;
  /** The number of that scribble, or 0. */
  readonly scribbles: Uint16Array;
}

/** `reachOf` gets the diagonal of a scribble's bounding box, and returns how far the scribble reaches, in pixels. */
export function findScribbles(
  { width, height }: { readonly width: number; readonly height: number },
  isSeed: Uint8Array,
  reachOf: (extent: number) => number,
): Scribbles {
  const { parts, order } = findParts({ width, height, data: isSeed }, { min: 1, max: 1, neighbours: 8 });
  const at = new Uint16Array(isSeed.length);
  const reaches = new Float64Array(parts.length + 1);
  parts.forEach(({ start, end }, n) => {
    let [left, right, top, bottom] = [width, 0, height, 0];
    for (const i of order.subarray(start, end)) {
      const x = i % width;
      const y = (i - x) / width;
      at[i] = n + 1;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    reaches[n + 1] = reachOf(Math.hypot(right - left, bottom - top));
  });
  return { count: parts.length, at, reaches };
}

/** `isOpen` is 1 for each pixel that the scribbles can change. */
export function measureReach(
  lab: Lab,
  regions: Regions,
  { at, reaches }: Scribbles,
  isOpen: Uint8Array,
): Reached {
  const { width, height } = lab;
  const colors = averageColors(lab, regions);
  const shares = new Float32Array(at.length).fill(Number.POSITIVE_INFINITY);
  const scribbles = at.slice();
  for (let i = 0; i < at.length; i++) if (at[i] !== 0) shares[i] = 0;
  const detour = DETOUR * Math.max(width, height);
  let isChanged = false;
  const relax = (i: number, j: number, length: number): void => {
    const owner = scribbles[j]!;
    // Most pixels are no nearer this way even without edges, or out of reach.
    if (owner === 0 || shares[j]! + length / reaches[owner]! >= shares[i]!) return;
    const a = regions.of[i]!;
    const b = regions.of[j]!;
    const step = a === b ? length : length + detour * Math.max(0, measureContrast(colors, a, b) - SEEN);
    const share = shares[j]! + step / reaches[owner]!;
    if (share >= shares[i]! || share > 1) return;
    shares[i] = share;
    scribbles[i] = owner;
    isChanged = true;
  };
  for (let scan = 0; scan < MOST_SCANS; scan++) {
    if (scan % 2 === 0) isChanged = false;
    const way = scan % 2 === 0 ? -1 : 1;
    for (let n = 0; n < at.length; n++) {
      const i = way === -1 ? n : at.length - 1 - n;
      if (isOpen[i] === 0) continue;
      const x = i % width;
      const [isFirst, isLast] = way === -1 ? [x === 0, x === width - 1] : [x === width - 1, x === 0];
      if (!isFirst) relax(i, i + way, 1);
      const above = i + way * width;
      if (above < 0 || above >= at.length) continue;
      relax(i, above, 1);
      if (!isFirst) relax(i, above + way, Math.SQRT2);
      if (!isLast) relax(i, above - way, Math.SQRT2);
    }
    if (scan % 2 === 1 && !isChanged) break;
  }
  return { shares, scribbles };
}

function averageColors({ data }: Lab, { count, of }: Regions): Float64Array {
  const colors = new Float64Array(3 * count);
  const areas = new Float64Array(count);
  for (let i = 0; i < of.length; i++) {
    areas[of[i]!]!++;
    for (let c = 0; c < 3; c++) colors[3 * of[i]! + c]! += data[3 * i + c]!;
  }
  for (let n = 0; n < colors.length; n++) colors[n]! /= areas[Math.floor(n / 3)]!;
  return colors;
}

const measureContrast = (colors: Float64Array, a: number, b: number): number =>
  Math.hypot(
    colors[3 * a]! - colors[3 * b]!,
    colors[3 * a + 1]! - colors[3 * b + 1]!,
    colors[3 * a + 2]! - colors[3 * b + 2]!,
  );
