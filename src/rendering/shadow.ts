/** Step: how much light still reaches the ground around the subject. */
import type { Shadow } from '../recipes/catalogue.ts';
import { blurGaussian } from './gaussian-blur.ts';
import type { Grid, Silhouette } from './silhouette.ts';
import type { SupportLine } from './support-line.ts';

/**
 * The subject is cut into slices by height above the ground. Each slice lays its footprint on the ground, moved along
 * the key light and blurred in proportion to its height, as a light of that size would: dark and tight at the contact,
 * wide and faint above, and each leg throws its own. The ground is seen from above at a low angle, so all
 * distances into the depth are foreshortened.
 */
const SLICE_EDGES = [0, 0.012, 0.03, 0.06, 0.1, 0.16, 0.25, 0.37, 0.52, 0.72, 1.01] as const;

/** sin of the camera's height over the ground, about 19 degrees: product photos lie between 5 and 30. */
const FORESHORTENING = 0.33;

/** A softbox at the left front, 60 degrees up, about 12 degrees in radius: shift and blur per unit of height. */
const KEY_SHIFT_X = 0.4;
const KEY_SHIFT_BACK = 0.1;
const KEY_PENUMBRA = 0.22;
const KEY_DEPTH = 0.5;

/** Light from the whole room: no direction, and a blur almost as wide as the slice is high. */
const ROOM_PENUMBRA = 0.75;
const ROOM_DEPTH = 0.55;

const CONTACT_DEPTH = 0.8;

/** Visibility of the light per grid cell: 1 is unshadowed, exactly so away from the subject. */
export function makeShadow(
  silhouette: Silhouette,
  support: SupportLine,
  shadow: Exclude<Shadow, { kind: 'none' }>,
): Float32Array {
  const { grid } = silhouette;
  const size = subjectSize(silhouette, support);
  const sums = columnSums(silhouette);
  const band = groundBand(grid, support, size);
  const key = new Float32Array(band.grid.width * band.grid.height);
  const room = new Float32Array(key.length).fill(1);
  const contact = new Float32Array(key.length);
  for (let slice = 0; slice + 1 < SLICE_EDGES.length; slice++) {
    const from = SLICE_EDGES[slice]! * size.height;
    const to = SLICE_EDGES[slice + 1]! * size.height;
    const height = (from + to) / 2;
    const cover = sliceCover(sums, grid, support, { from, to });
    const footprint = (shiftX: number, shiftBack: number): Float32Array =>
      drawFootprint(cover, support, band, { shiftX, shiftBack, depthLimit: 0.8 * size.height });
    if (slice < 2) {
      addContact(contact, footprint(0, 0), band.grid, size.mean * (slice === 0 ? 0.0045 : 0.016), slice === 0 ? 1 : 0.6);
    }
    if (shadow.kind === 'cast') {
      const thrown = footprint(KEY_SHIFT_X * height, KEY_SHIFT_BACK * height);
      soften(thrown, band.grid, 0.006 * size.mean + KEY_PENUMBRA * height);
      for (let i = 0; i < key.length; i++) {
        key[i] = Math.max(key[i]!, thrown[i]!);
      }
    }
    const dim = footprint(0, 0);
    soften(dim, band.grid, 0.02 * size.mean + ROOM_PENUMBRA * height);
    for (let i = 0; i < room.length; i++) {
      room[i] = room[i]! * (1 - 0.3 * Math.min(1, dim[i]!));
    }
  }
  const visibility = new Float32Array(grid.width * grid.height).fill(1);
  const offset = band.top * grid.width;
  for (let i = 0; i < key.length; i++) {
    const dark =
      1 -
      (1 - CONTACT_DEPTH * Math.min(1, contact[i]!)) *
        (1 - KEY_DEPTH * Math.min(1, key[i]!)) *
        (1 - ROOM_DEPTH * (1 - room[i]!));
    visibility[offset + i] = 1 - shadow.strength * fadeOut(dark);
  }
  return visibility;
}

/** Ends the blur's endless tail at 1 %, where an 8-bit picture could only show its contour. */
function fadeOut(dark: number): number {
  const start = 0.01;
  return dark <= start ? 0 : (dark - start) / (1 - start);
}

interface SubjectSize {
  readonly height: number;
  /** Geometric mean of both sides, in cells: what the small blurs scale with. */
  readonly mean: number;
}

function subjectSize({ grid, coverage }: Silhouette, support: SupportLine): SubjectSize {
  let top = 0;
  while (top < grid.height && !coverage.subarray(top * grid.width, (top + 1) * grid.width).some((c) => c >= 0.5)) {
    top++;
  }
  const bottom = support.outline.reduce((low, y) => (y > low ? y : low), 0);
  const height = Math.max(1, bottom - top);
  return { height, mean: Math.sqrt(height * (support.lastColumn - support.firstColumn + 1)) };
}

/** Running sums of coverage down each column: entry `y` holds the cells above row `y`. */
function columnSums({ grid, coverage }: Silhouette): Float32Array {
  const sums = new Float32Array((grid.height + 1) * grid.width);
  for (let i = 0; i < coverage.length; i++) {
    sums[i + grid.width] = sums[i]! + coverage[i]!;
  }
  return sums;
}

/** Per column, the covered share of the slice between two heights above the ground. */
function sliceCover(
  sums: Float32Array,
  grid: Grid,
  { ground, firmness, firstColumn, lastColumn }: SupportLine,
  { from, to }: { readonly from: number; readonly to: number },
): Float32Array {
  const cover = new Float32Array(grid.width);
  const sumAbove = (x: number, y: number): number => {
    const clamped = Math.min(grid.height, Math.max(0, y));
    const row = Math.min(grid.height - 1, Math.floor(clamped));
    const a = sums[row * grid.width + x]!;
    return a + (sums[(row + 1) * grid.width + x]! - a) * (clamped - row);
  };
  // A slice thinner than a cell says nothing: look at one cell at least.
  const thickness = Math.max(1, to - from);
  for (let x = firstColumn; x <= lastColumn; x++) {
    const low = ground[x]! - from;
    const share = (sumAbove(x, low) - sumAbove(x, low - thickness)) / thickness;
    cover[x] = share * (from === 0 ? firmness[x]! : 1);
  }
  return cover;
}

interface Band {
  readonly top: number;
  readonly grid: Grid;
}

/** The rows that a shadow can reach: what lies above or below stays lit, and costs nothing. */
function groundBand(grid: Grid, support: SupportLine, size: SubjectSize): Band {
  let high = grid.height;
  for (let x = support.firstColumn; x <= support.lastColumn; x++) {
    high = Math.min(high, support.ground[x]!);
  }
  const top = Math.max(0, Math.floor(high - 0.75 * size.height));
  return { top, grid: { ...grid, height: grid.height - top } };
}

/**
 * Lays a slice on the ground. Each run of columns is taken for a round body as deep as it is wide (Igarashi et al. 1999),
 * up to a limit, with its front on the support line.
 */
function drawFootprint(
  cover: Float32Array,
  { ground }: SupportLine,
  { top, grid }: Band,
  { shiftX, shiftBack, depthLimit }: { readonly shiftX: number; readonly shiftBack: number; readonly depthLimit: number },
): Float32Array {
  const footprint = new Float32Array(grid.width * grid.height);
  let x = 0;
  while (x < cover.length) {
    if (cover[x]! < 0.1) {
      x++;
      continue;
    }
    let end = x;
    while (end < cover.length && cover[end]! >= 0.1) {
      end++;
    }
    const radius = (end - x) / 2;
    const middle = x + radius;
    for (let column = x; column < end; column++) {
      const across = column + 0.5 - middle;
      const chord = 2 * Math.sqrt(Math.max(0, radius * radius - across * across));
      const depth = Math.max(1, FORESHORTENING * Math.min(chord, depthLimit));
      const front = ground[column]! - shiftBack - top;
      fillColumn(footprint, grid, column + shiftX, { from: front - depth, to: front + 0.5, value: cover[column]! });
    }
    x = end;
  }
  return footprint;
}

function fillColumn(
  target: Float32Array,
  grid: Grid,
  x: number,
  { from, to, value }: { readonly from: number; readonly to: number; readonly value: number },
): void {
  const left = Math.floor(x);
  const share = x - left;
  for (let y = Math.max(0, Math.floor(from)); y < Math.min(grid.height, to); y++) {
    const inside = Math.min(1, y + 1 - from) * Math.min(1, to - y);
    const amount = value * inside;
    const cell = y * grid.width + left;
    if (left >= 0 && left < grid.width) {
      target[cell] = target[cell]! + amount * (1 - share);
    }
    if (left + 1 >= 0 && left + 1 < grid.width) {
      target[cell + 1] = target[cell + 1]! + amount * share;
    }
  }
}

function soften(data: Float32Array, grid: Grid, sigma: number): void {
  blurGaussian(data, grid, { sigmaX: sigma, sigmaY: sigma * FORESHORTENING * 1.3 });
}

function addContact(target: Float32Array, footprint: Float32Array, grid: Grid, sigma: number, weight: number): void {
  const width = Math.max(0.8, sigma);
  blurGaussian(footprint, grid, { sigmaX: width, sigmaY: Math.max(0.7, width * 0.6) });
  for (let i = 0; i < target.length; i++) {
    target[i] = 1 - (1 - target[i]!) * (1 - weight * Math.min(1, footprint[i]!));
  }
}
