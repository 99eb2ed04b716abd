/** Finds the connected parts of a picture: the product, fragments beside it, and other parts that touch the edges. */

import { findParts as listConnected, type Size } from 'packshot-pixels';

/**
 * Parts smaller than this fraction of the largest part are fragments. Others are not: the picture may show a set of
 * several products.
 */
const FRAGMENT_SHARE = 0.01;
/** A fragment is noise if it has fewer than `SPECK_PX` pixels, or less than this fraction of the picture's pixels. */
const SPECK_SHARE = 2e-6;
const SPECK_PX = 4;
/**
 * Parts are found on a grid with `GRID` cells along its shorter side. Covered cells that are at most `GAP` rows and
 * columns apart belong to the same part.
 */
const GRID = 500;
const GAP = 2;
/** A part touches an edge if it covers more than this fraction of the edge's pixels. */
const TOUCH = 0.005;

export interface Parts {
  readonly fragments: number;
  /** Number of the picture's edges that the largest part touches. */
  readonly cutEdges: number;
  /** Number of the picture's edges that other parts touch. */
  readonly otherEdges: number;
  /**
   * Number of the picture's edges on which all parts together cover more than the fraction `TOUCH`, even if no single
   * part does.
   */
  readonly touchedEdges: number;
  /** Whether the part at this pixel is the largest part, or a part that touches no edge. */
  belongs(x: number, y: number): boolean;
}

/** `stands` has one byte per pixel, nonzero where a pixel differs from the background. */
export function findParts(stands: Uint8Array, picture: Size): Parts {
  const { width, height } = picture;
  const cell = Math.max(1, Math.round(Math.min(width, height) / GRID));
  const columns = Math.ceil(width / cell);
  const rows = Math.ceil(height / cell);
  const pixels = new Uint32Array(columns * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / cell) * columns;
    for (let x = 0; x < width; x++) if (stands[y * width + x]) pixels[row + Math.floor(x / cell)]!++;
  }
  const { labels, sizes } = labelParts(pixels, columns, rows);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const main = sizes.indexOf(largest);
  const least = Math.max(SPECK_PX, SPECK_SHARE * width * height);
  const labelAt = (x: number, y: number) => labels[Math.floor(y / cell) * columns + Math.floor(x / cell)]!;
  const edges = listTouching(stands, picture, labelAt);
  const strangers = new Set(edges.flatMap(({ labels }) => labels).filter((label) => label !== main));
  return {
    fragments: sizes.filter((size) => size >= least && size < FRAGMENT_SHARE * largest).length,
    cutEdges: edges.filter(({ labels }) => labels.includes(main)).length,
    otherEdges: edges.filter(({ labels }) => labels.some((label) => label !== main)).length,
    touchedEdges: edges.filter(({ isTouched }) => isTouched).length,
    belongs: (x, y) => strangers.size === 0 || !strangers.has(labelAt(x, y)),
  };
}

/** For each edge: the parts that touch it, and whether all parts together cover enough of its pixels to touch it. */
function listTouching(
  stands: Uint8Array,
  { width, height }: Size,
  labelAt: (x: number, y: number) => number,
): { labels: number[]; isTouched: boolean }[] {
  const edges: [number, (i: number) => [number, number]][] = [
    [width, (i) => [i, 0]],
    [width, (i) => [i, height - 1]],
    [height, (i) => [0, i]],
    [height, (i) => [width - 1, i]],
  ];
  return edges.map(([length, at]) => {
    const counts = new Map<number, number>();
    for (let i = 0; i < length; i++) {
      const [x, y] = at(i);
      if (stands[y * width + x]) counts.set(labelAt(x, y), (counts.get(labelAt(x, y)) ?? 0) + 1);
    }
    const least = TOUCH * length;
    const labels = [...counts].filter(([, count]) => count > least).map(([label]) => label);
    return { labels, isTouched: [...counts.values()].reduce((sum, count) => sum + count, 0) > least };
  });
}

/** The label of each nonempty cell, and the number of pixels per label. */
function labelParts(pixels: Uint32Array, columns: number, rows: number) {
  // Cells at most `GAP` apart touch once each is a square of `GAP` cells, to the right and down.
  const [width, height] = [columns + GAP - 1, rows + GAP - 1];
  const data = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i++) {
    if (pixels[i] === 0) continue;
    const at = Math.floor(i / columns) * width + (i % columns);
    for (let y = 0; y < GAP; y++) data.fill(255, at + y * width, at + y * width + GAP);
  }
  const { parts, order } = listConnected({ width, height, data }, { min: 1, max: 255, neighbours: 8 });
  const labels = new Uint32Array(pixels.length);
  const sizes = parts.map(({ start, end }, label) => {
    let size = 0;
    for (const at of order.subarray(start, end)) {
      const [x, y] = [at % width, Math.floor(at / width)];
      if (x >= columns || y >= rows) continue;
      labels[y * columns + x] = label;
      size += pixels[y * columns + x]!;
    }
    return size;
  });
  return { labels, sizes };
}
