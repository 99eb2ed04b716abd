/** Makes a matte with a soft edge from a photo and its plain backdrop. */
import { findParts, type Lab, type Matte } from 'packshot-pixels';
import { type Backdrop, measureMean } from './keyer-backdrop.ts';
import { dropCrumbs } from './keyer-crumbs.ts';

/**
 * A pixel beside the backdrop counts as backdrop, too, if its OKLab distance from the estimated backdrop color is below
 * this. A distance of about 0.02 is just visible.
 */
const LIMIT = 0.03;
/**
 * The detected backdrop ends a few pixels before each edge. It then grows by up to this distance into similar
 * pixels.
 */
const COLLAR_PX = 5;
/** Minimum areas, as shares of the picture: smaller parts are dust, and smaller holes are product texture. */
const MIN_PART = 0.0003;
const MIN_HOLE = 0.0003;
/**
 * Maximum OKLab difference between a hole, such as in a handle or between legs, and the backdrop estimated behind it.
 */
const HOLE_DIFFERENCE = 0.015;
/**
 * Minimum lightness of a backdrop that is clipped to white. There, a white label and a hole look the same, so both stay
 * in the product.
 */
const CLIPPED_LIGHTNESS = 0.985;
/** Minimum and maximum share of the picture that a subject covers: less is dust, and more leaves no backdrop. */
const MIN_SUBJECT = 0.001;
const MAX_SUBJECT = 0.95;
/** Width of the soft edge on each side of the product's outline, in pixels. */
const EDGE_PX = 2;
/**
 * Compression blur and ringing change the backdrop's color beside an edge by up to this share of the color
 * difference across the edge.
 */
const RING_SHARE = 0.08;

export function keyMatte(photo: Lab, backdrop: Backdrop): Matte {
  const { width, height } = photo;
  const distance = measureDistance(photo, backdrop.colours);
  const outside = backdrop.seen.slice();
  openHoles(photo, backdrop, outside);
  growOutside(outside, distance, photo);
  dropDust(outside, photo);
  const subject = outside.reduce((count, value) => count + 1 - value, 0) / outside.length;
  if (subject < MIN_SUBJECT || subject > MAX_SUBJECT) {
    return { width, height, data: new Uint8Array(outside.length) };
  }
  return dropCrumbs(softenEdge(distance, outside, photo), MIN_PART * outside.length);
}

function measureDistance({ data }: Lab, { data: behind }: Lab): Float32Array {
  return Float32Array.from({ length: data.length / 3 }, (_, i) => {
    const dl = data[3 * i]! - behind[3 * i]!;
    const da = data[3 * i + 1]! - behind[3 * i + 1]!;
    const db = data[3 * i + 2]! - behind[3 * i + 2]!;
    return Math.sqrt(dl * dl + da * da + db * db);
  });
}

function openHoles(photo: Lab, { enclosed, colours }: Backdrop, outside: Uint8Array): void {
  for (const pixels of enclosed) {
    if (pixels.length < MIN_HOLE * outside.length) continue;
    const shown = measureMean(photo, pixels);
    const expected = measureMean(colours, pixels);
    const difference = Math.hypot(shown[0] - expected[0], shown[1] - expected[1], shown[2] - expected[2]);
    if (difference > HOLE_DIFFERENCE || expected[0] > CLIPPED_LIGHTNESS) continue;
    for (const index of pixels) outside[index] = 1;
  }
}

/**
 * Grows the backdrop ring by ring, up to `COLLAR_PX`, which is the thickness of edges plus their blur; also diagonally,
 * because edges are dilated by squares.
 */
function growOutside(outside: Uint8Array, distance: Float32Array, { width, height }: Lab): void {
  let ring: number[] = [];
  for (let i = 0; i < outside.length; i++) if (outside[i] === 1) ring.push(i);
  for (let step = 0; step < COLLAR_PX; step++) {
    const next: number[] = [];
    const visit = (index: number): void => {
      if (outside[index] === 1 || distance[index]! >= LIMIT) return;
      outside[index] = 1;
      next.push(index);
    };
    for (const index of ring) {
      const [x, y] = [index % width, Math.floor(index / width)];
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
        for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) visit(v * width + u);
      }
    }
    ring = next;
  }
}

function dropDust(outside: Uint8Array, { width, height }: Lab): void {
  const { parts, order } = findParts({ width, height, data: outside }, { min: 0, max: 0, neighbours: 8 });
  for (const part of parts) {
    if (part.area >= MIN_PART * outside.length) continue;
    for (let i = part.start; i < part.end; i++) outside[order[i]!] = 1;
  }
}

/**
 * Near the product's outline, a pixel's alpha is its color distance from the backdrop, divided by the greatest such
 * distance around it.
 */
function softenEdge(distance: Float32Array, outside: Uint8Array, { width, height }: Lab): Matte {
  const data = new Uint8Array(distance.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const self = outside[i]!;
      const isFar =
        (x < EDGE_PX || outside[i - EDGE_PX] === self) &&
        (x >= width - EDGE_PX || outside[i + EDGE_PX] === self) &&
        (y < EDGE_PX || outside[i - EDGE_PX * width] === self) &&
        (y >= height - EDGE_PX || outside[i + EDGE_PX * width] === self);
      data[i] = isFar ? 255 * (1 - self) : shareOf(distance, { x, y, width, height });
    }
  }
  return { width, height, data };
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function shareOf(distance: Float32Array, { x, y, width, height }: Place): number {
  let greatest = LIMIT;
  for (let v = Math.max(0, y - EDGE_PX); v <= Math.min(height - 1, y + EDGE_PX); v++) {
    for (let u = Math.max(0, x - EDGE_PX); u <= Math.min(width - 1, x + EDGE_PX); u++) {
      greatest = Math.max(greatest, distance[v * width + u]!);
    }
  }
  // Distances below half the limit are the backdrop's own grain.
  const least = Math.max(LIMIT / 2, RING_SHARE * greatest);
  const share = (distance[y * width + x]! - least) / (greatest - least);
  return Math.round(255 * Math.min(1, Math.max(0, share)));
}
