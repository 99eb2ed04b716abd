/** Measures the pixels of a main picture: its background, the product's size, and cropped edges and borders. */
import type { Box } from '../pixels.ts';
import { countFragments } from './count-fragments.ts';
import { isFramed } from './is-framed.ts';
import { distance, type MeasuredPixels, medianOf, NOISE, share } from './pixel-samples.ts';

export interface PixelMeasures {
  /** Lowest channel value in the four corners, 0 to 255; a transparent pixel counts as 0. */
  readonly cornerDarkest: number;
  /** Fraction of the ring along the picture's edges that is exactly 255, 255, 255 and opaque. */
  readonly ringWhiteShare: number;
  /** The same, but fully transparent pixels count, too. */
  readonly ringWhiteOrClearShare: number;
  /** Fraction of the light background connected to the picture's edges that is 250 to 254; null if there is none. */
  readonly nearWhiteShare: number | null;
  readonly transparentShare: number;
  /** 1 for a line or bar along all four sides, else 0. */
  readonly framed: number;
  /** Bounding box of the product, in pixels. Null if the background is not plain, or no product was found. */
  readonly productBox: Box | null;
  /** The product's width or height as a fraction of the picture's, whichever is greater. */
  readonly fillShare: number | null;
  /** Product pixels as a fraction of all pixels. */
  readonly areaShare: number | null;
  readonly productLongestPx: number | null;
  /** Number of the picture's edges that the product touches. */
  readonly cutEdges: number | null;
  /** Number of small parts that stand apart from the product. */
  readonly fragments: number | null;
}

/** Width of the ring and side of the corner squares, as fractions of the picture's shorter side. */
const RING = 0.005;
const CORNER = 0.02;
/** A background is plain if at least this fraction of the ring has one color. */
const PLAIN = 0.85;
const NEAR_WHITE = 250;

export function measurePixels(picture: MeasuredPixels): PixelMeasures {
  const { width, height } = picture;
  const shorter = Math.min(width, height);
  const ring = listRing(picture, Math.max(1, Math.round(shorter * RING)));
  const background = findBackground(picture, ring);
  const framed = isFramed(picture) ? 1 : 0;
  const product = background && !framed ? findProduct(picture, background) : null;
  const box = product?.box ?? null;
  return {
    cornerDarkest: findCornerDarkest(picture, Math.max(2, Math.round(shorter * CORNER))),
    ringWhiteShare: share(ring, (p) => isWhite(picture, p)),
    ringWhiteOrClearShare: share(ring, (p) => isWhite(picture, p) || picture.alpha?.[p] === 0),
    nearWhiteShare: measureNearWhite(picture),
    transparentShare: picture.alpha ? share(picture.alpha, (alpha) => alpha < 255) : 0,
    framed,
    productBox: box,
    fillShare: box && Math.max(box.width / width, box.height / height),
    areaShare: product && product.pixels / (width * height),
    productLongestPx: box && Math.max(box.width, box.height),
    cutEdges: product?.cutEdges ?? null,
    fragments: product?.fragments ?? null,
  };
}

/** Lowest channel; 0 for a transparent pixel, whose visible color depends on the page. */
function darkest({ data, alpha }: MeasuredPixels, p: number): number {
  if (alpha && alpha[p]! < 255) return 0;
  return Math.min(data[p * 3]!, data[p * 3 + 1]!, data[p * 3 + 2]!);
}

const isWhite = (picture: MeasuredPixels, p: number): boolean => darkest(picture, p) === 255;

function listRing({ width, height }: MeasuredPixels, depth: number): Uint32Array {
  const ring: number[] = [];
  for (let y = 0; y < height; y++) {
    const whole = y < depth || y >= height - depth;
    for (let x = 0; x < width; x++) {
      if (!whole && x === depth) x = Math.max(x, width - depth);
      ring.push(y * width + x);
    }
  }
  return Uint32Array.from(ring);
}

function findCornerDarkest(picture: MeasuredPixels, side: number): number {
  const { width, height } = picture;
  let least = 255;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      for (const row of [y, height - 1 - y]) {
        for (const column of [x, width - 1 - x]) {
          least = Math.min(least, darkest(picture, row * width + column));
        }
      }
    }
  }
  return least;
}

/** Flood-fills from the edges through pixels of at least 250, so that light areas inside the product do not count. */
function measureNearWhite(picture: MeasuredPixels): number | null {
  const { width, height } = picture;
  const seen = new Uint8Array(width * height);
  const open = new Uint32Array(width * height);
  let count = 0;
  const visit = (p: number) => {
    if (seen[p] === 1 || darkest(picture, p) < NEAR_WHITE) return;
    seen[p] = 1;
    open[count++] = p;
  };
  for (let x = 0; x < width; x++) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    visit(y * width);
    visit(y * width + width - 1);
  }
  let near = 0;
  for (let next = 0; next < count; next++) {
    const p = open[next]!;
    if (!isWhite(picture, p)) near++;
    const x = p % width;
    if (x > 0) visit(p - 1);
    if (x < width - 1) visit(p + 1);
    if (p >= width) visit(p - width);
    if (p < width * (height - 1)) visit(p + width);
  }
  return count === 0 ? null : near / count;
}

type Background = 'transparent' | readonly [number, number, number];

function findBackground(picture: MeasuredPixels, ring: Uint32Array): Background | null {
  const { alpha } = picture;
  if (alpha && share(ring, (p) => alpha[p]! <= NOISE) >= PLAIN) return 'transparent';
  const color = [0, 1, 2].map((c) => medianOf(ring, (p) => picture.data[p * 3 + c]!));
  const plain = color as unknown as readonly [number, number, number];
  return share(ring, (p) => distance(picture, p, plain) <= NOISE) >= PLAIN ? plain : null;
}

function findProduct(picture: MeasuredPixels, background: Background) {
  const { width, height, alpha } = picture;
  const columns = new Uint32Array(width);
  const rows = new Uint32Array(height);
  const apart = new Uint8Array(width * height);
  let pixels = 0;
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const stands =
        background === 'transparent' ? alpha![p]! > NOISE : distance(picture, p, background) > NOISE;
      if (!stands) continue;
      pixels++;
      apart[p] = 1;
      columns[x]!++;
      rows[y]!++;
    }
  }
  // Ignore specks.
  const across = findSpan(columns, Math.max(2, height * 0.0005));
  const down = findSpan(rows, Math.max(2, width * 0.0005));
  if (!across || !down) return null;
  const edges = [rows[0]!, rows.at(-1)!].map((count) => count / width);
  const sides = [columns[0]!, columns.at(-1)!].map((count) => count / height);
  const cutEdges = [...edges, ...sides].filter((touched) => touched > 0.005).length;
  // A shape that reaches three sides is a floor, a wall or a shadow rather than the product.
  if (cutEdges > 2) return null;
  return {
    box: { x: across.from, y: down.from, width: across.length, height: down.length },
    pixels,
    cutEdges,
    fragments: countFragments(apart, picture),
  };
}

function findSpan(counts: Uint32Array, least: number): { from: number; length: number } | null {
  const from = counts.findIndex((count) => count >= least);
  if (from === -1) return null;
  return { from, length: counts.findLastIndex((count) => count >= least) - from + 1 };
}
