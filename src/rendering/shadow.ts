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
const SLICE_EDGES = [0, 0.015, 0.04, 0.08, 0.14, 0.23, 0.36, 0.55, 0.77, 1.01] as const;

/** sin of the camera's height over the ground, about 19 degrees: product photos lie between 5 and 30. */
const FORESHORTENING = 0.33;

/** A body is taken for as deep as it is wide, but no deeper than this share of its height: shoes, boxes, benches. */
const DEPTH_LIMIT = 0.55;

/** A softbox at the left front, 60 degrees up, about 12 degrees in radius: shift and blur per unit of height. */
const KEY_SHIFT_X = 0.4;
const KEY_SHIFT_BACK = 0.1;
const KEY_PENUMBRA = 0.22;
const KEY_DEPTH = 0.6;
const KEY_FADE = 0.8;

/** Light from the whole room: no direction, and a blur almost as wide as the slice is high. */
const ROOM_PENUMBRA = 0.75;
const ROOM_DEPTH = 0.65;
const ROOM_PER_SLICE = 0.36;

/** Two blurs of the contact itself, in shares of the subject's size: the dark line and the occlusion around it. */
const CONTACTS = [
  { sigma: 0.0042, depth: 0.72 },
  { sigma: 0.017, depth: 0.55 },
] as const;

/** Visibility of the light per grid cell: 1 is unshadowed, exactly so away from the subject. */
export function makeShadow(
  silhouette: Silhouette,
  support: SupportLine,
  shadow: Exclude<Shadow, { kind: 'none' }>,
): Float32Array {
  const { grid } = silhouette;
  const size = subjectSize(silhouette, support);
  const sums = columnSums(silhouette);
  const slices = SLICE_EDGES.slice(0, -1).map((from, index): Slice => {
    const edges = { from: from * size.height, to: SLICE_EDGES[index + 1]! * size.height };
    return { cover: sliceCover(sums, grid, support, edges), height: (edges.from + edges.to) / 2 };
  });
  const visibility = new Float32Array(grid.width * grid.height).fill(1);
  const caster: Caster = { slices, support, size };
  if (shadow.kind === 'cast') {
    multiplyThrown(visibility, grid, caster);
  }
  multiplyRoom(visibility, grid, caster);
  multiplyContact(visibility, grid, caster);
  for (let i = 0; i < visibility.length; i++) {
    visibility[i] = 1 - shadow.strength * fadeOut(1 - visibility[i]!);
  }
  return visibility;
}

interface Slice {
  /** Per column of the grid, the share of the slice that the subject fills. */
  readonly cover: Float32Array;
  /** Of its middle above the ground, in cells. */
  readonly height: number;
}

interface Caster {
  readonly slices: readonly Slice[];
  readonly support: SupportLine;
  readonly size: SubjectSize;
}

/** The key light's shadow, by the sharpest slice at each point; at a third of the grid's resolution, at which it is still smooth. */
function multiplyThrown(visibility: Float32Array, grid: Grid, { slices, support, size }: Caster): void {
  const band = groundBand(grid, support, { above: 0.75 * size.height, below: 0.6 * size.height, step: 3 });
  const dark = new Float32Array(band.width * band.height);
  for (const { cover, height } of slices) {
    const slice = drawFootprint(cover, support, band, {
      shiftX: KEY_SHIFT_X * height,
      shiftBack: KEY_SHIFT_BACK * height,
      depthLimit: DEPTH_LIMIT * size.height,
    });
    soften(slice, band, 0.008 * size.mean + KEY_PENUMBRA * height);
    // Other lights fill the shadow of what is high up; as dark as at the foot it looked like a stain on the wall.
    const weight = 1 - KEY_FADE * (height / size.height);
    for (let i = 0; i < dark.length; i++) {
      dark[i] = Math.max(dark[i]!, weight * slice[i]!);
    }
  }
  multiplyBand(
    visibility,
    grid,
    dark.map((share) => 1 - KEY_DEPTH * Math.min(1, share)),
    band,
  );
}

/** What the subject hides of the room's light: each slice takes its share. Very smooth, so a sixth of the resolution. */
function multiplyRoom(visibility: Float32Array, grid: Grid, { slices, support, size }: Caster): void {
  const band = groundBand(grid, support, { above: size.height, below: grid.height, step: 6 });
  const open = new Float32Array(band.width * band.height).fill(1);
  for (const { cover, height } of slices) {
    const dim = drawFootprint(cover, support, band, {
      shiftX: 0,
      shiftBack: 0,
      depthLimit: DEPTH_LIMIT * size.height,
    });
    soften(dim, band, 0.025 * size.mean + ROOM_PENUMBRA * height);
    for (let i = 0; i < open.length; i++) {
      open[i] = open[i]! * (1 - ROOM_PER_SLICE * Math.min(1, dim[i]!));
    }
  }
  multiplyBand(
    visibility,
    grid,
    open.map((share) => 1 - ROOM_DEPTH * (1 - share)),
    band,
  );
}

function multiplyContact(visibility: Float32Array, grid: Grid, { slices, support, size }: Caster): void {
  const reach = 0.08 * size.mean + 4;
  const band = groundBand(grid, support, {
    above: FORESHORTENING * size.mean + reach,
    below: reach,
    step: 1,
  });
  for (const [index, { sigma, depth }] of CONTACTS.entries()) {
    const cover = slices[index]!.cover;
    const width = Math.max(0.9, sigma * size.mean);
    const dark = drawFootprint(cover, support, band, {
      shiftX: 0,
      // The rounded lower edge of most things hides its own contact: it reaches a little in front of the outline.
      shiftBack: -0.6 * width,
      depthLimit: 0.3 * size.height,
    });
    blurGaussian(dark, band, { sigmaX: width, sigmaY: Math.max(0.8, width * 0.55) });
    for (let i = 0; i < dark.length; i++) {
      // A blurred edge stands at one half on the contour: doubled, the contact is full there and fades outside.
      dark[i] = 1 - depth * Math.min(1, 2 * dark[i]!);
    }
    multiplyBand(visibility, grid, dark, band);
  }
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
  while (
    top < grid.height &&
    !coverage.subarray(top * grid.width, (top + 1) * grid.width).some((c) => c >= 0.5)
  ) {
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

/** Some rows of the grid, at its resolution or coarser. */
interface Band {
  /** First row, in cells of the grid. */
  readonly top: number;
  /** Cells of the grid per cell of the band, along each side. */
  readonly step: number;
  readonly width: number;
  readonly height: number;
}

/** The rows that a shadow can reach: what lies above or below stays lit, and costs nothing. */
function groundBand(
  grid: Grid,
  support: SupportLine,
  { above, below, step }: { readonly above: number; readonly below: number; readonly step: number },
): Band {
  let high = grid.height;
  let low = 0;
  for (let x = support.firstColumn; x <= support.lastColumn; x++) {
    high = Math.min(high, support.ground[x]!);
    low = Math.max(low, support.ground[x]!);
  }
  const top = Math.max(0, Math.floor(high - above));
  const bottom = Math.min(grid.height, Math.ceil(low + below));
  return {
    top,
    step,
    width: Math.ceil(grid.width / step),
    height: Math.max(1, Math.ceil((bottom - top) / step)),
  };
}

/** Multiplies the band into the rows that it covers, enlarging it bilinearly. */
function multiplyBand(visibility: Float32Array, grid: Grid, light: Float32Array, band: Band): void {
  const { top, step, width, height } = band;
  const last = Math.min(grid.height, top + height * step);
  for (let y = top; y < last; y++) {
    const v = Math.min(height - 1, Math.max(0, (y - top + 0.5) / step - 0.5));
    const upper = Math.floor(v) * width;
    const lower = Math.min(height - 1, Math.floor(v) + 1) * width;
    const down = v - Math.floor(v);
    for (let x = 0; x < grid.width; x++) {
      const u = Math.min(width - 1, Math.max(0, (x + 0.5) / step - 0.5));
      const left = Math.floor(u);
      const right = Math.min(width - 1, left + 1);
      const across = u - left;
      const a = light[upper + left]! * (1 - across) + light[upper + right]! * across;
      const b = light[lower + left]! * (1 - across) + light[lower + right]! * across;
      const cell = y * grid.width + x;
      visibility[cell] = visibility[cell]! * (a + (b - a) * down);
    }
  }
}

/**
 * Lays a slice on the ground. Each run of columns is taken for a round body as deep as it is wide (Igarashi et al. 1999),
 * up to a limit, with its front on the support line.
 */
function drawFootprint(
  cover: Float32Array,
  { ground, rise }: SupportLine,
  band: Band,
  {
    shiftX,
    shiftBack,
    depthLimit,
  }: { readonly shiftX: number; readonly shiftBack: number; readonly depthLimit: number },
): Float32Array {
  const footprint = new Float32Array(band.width * band.height);
  const { step } = band;
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
      // What lies low hides no deep footprint: a laptop's corner, the toe of a shoe.
      const hidden = 0.8 * rise[column]!;
      const depth = Math.max(1.5, Math.min(FORESHORTENING * Math.min(chord, depthLimit), hidden));
      const front = ground[column]! - shiftBack - band.top;
      fillColumn(footprint, band, (column + 0.5 + shiftX) / step - 0.5, {
        from: (front - depth) / step,
        to: front / step,
        value: Math.min(1, cover[column]!) / step,
      });
    }
    x = end;
  }
  return footprint;
}

function fillColumn(
  target: Float32Array,
  { width, height }: Band,
  x: number,
  { from, to, value }: { readonly from: number; readonly to: number; readonly value: number },
): void {
  const left = Math.floor(x);
  const share = x - left;
  for (let y = Math.max(0, Math.floor(from)); y < Math.min(height, to); y++) {
    const inside = Math.min(y + 1, to) - Math.max(y, from);
    const cell = y * width + left;
    if (left >= 0 && left < width) {
      target[cell] = target[cell]! + value * inside * (1 - share);
    }
    if (left + 1 >= 0 && left + 1 < width) {
      target[cell + 1] = target[cell + 1]! + value * inside * share;
    }
  }
}

function soften(data: Float32Array, band: Band, sigmaCells: number): void {
  const sigma = sigmaCells / band.step;
  blurGaussian(data, band, { sigmaX: sigma, sigmaY: sigma * FORESHORTENING * 1.3 });
}
