/**
 * Step: the shade around a product on a level floor in soft light. It is dark in a narrow line where the product touches
 * the floor, and fades out within a tenth of the product's size.
 */
import { type Box, blurGaussian, clamp, smoothstep } from 'packshot-pixels';
import { findEdge, gapAt } from './ground/column-edges.ts';
import type { Grid } from './ground/grid.ts';
import { makeSilhouette, type PlacedSubject } from './ground/silhouette.ts';
import { findStandingLine } from './ground/standing-line.ts';

/**
 * Two Gaussian falloffs: the gap below the product's rounded edges, and the light of the room that the product hides.
 * `sigma` is the width on the floor as a fraction of the product's size (the geometric mean of its sides), `depth` the
 * fraction of light removed at the outline of a broad base. `npm run eval:contact` fits them to photos in `samples/`.
 */
const FALLOFFS = [
  { sigma: 0.015, depth: 0.76 },
  { sigma: 0.094, depth: 0.6 },
] as const;
/** Height divided by width of a circle on the floor as cameras of product photos see it; fitted like `FALLOFFS`. */
const FORESHORTENING = 0.5;
/** The distance, in widths of a falloff, within which nearly all of its shade lies. */
const REACH = 2;
/** The blur needs this many widths, so that the shade ends without an edge. */
const MARGIN = 3;
/**
 * A falloff is at most this wide, as a fraction of the foot's width. At a distance of half its width, a foot hides only
 * half as much light as a long wall: light arrives past both sides of it.
 */
const NARROW = 0.5;
/**
 * The blur covers half of the surroundings of a point on a long edge, but less of those on a leg. In photos, the ground is
 * as dark at the outline of a leg as at that of a broad base, so the shade of a leg is raised to that of a broad base,
 * by the factor that a foot as narrow as `NARROW` allows loses, 1 / erf(1 / sqrt 2).
 */
const EDGE = 0.5;
const MOST_GAIN = 1.46;
/** Up to this height above the ground, as a fraction of the product's, its outline touches the ground: one cell. */
const FIRM = 0.013;
/** In the picture, no visible lower edge of a base is steeper: the outline beyond is a side that leaves the ground. */
const STEEPEST = 1;

/**
 * Multiplies `kept`, the fraction of light in each cell of the grid. `strength` is 0 to 1, `spread` the width of the shade
 * as a multiple of the usual one.
 */
export function shadeContact(
  kept: Float32Array,
  grid: Grid,
  subject: PlacedSubject,
  strength: number,
  spread = 1,
): void {
  const { width, height } = subject.image;
  const size = Math.sqrt(width * height) / grid.cellPx;
  // The narrow line stays dark in a weak shadow: however much light fills the room, none reaches the gap.
  const strengths = [1 - (1 - strength) ** 2, strength] as const;
  for (const foot of findFeet(subject, grid, size)) {
    for (const [at, { sigma, depth }] of FALLOFFS.entries()) {
      const width = spread * sigma * size;
      const { box, covered } = blurFoot(foot, Math.min(width, NARROW * foot.gap.length), REACH * width);
      const absorbed = -2 * Math.log(1 - depth);
      multiply(kept, grid, box, (cell) => 1 - strengths[at]! * (1 - Math.exp(-absorbed * covered[cell]!)));
    }
  }
}

/** A range of columns near the ground. Positions are in cells of the grid; arrays have one value per column. */
interface Foot {
  readonly from: number;
  /** Row of the ground below the outline. */
  readonly ground: Float32Array;
  /** Row of the footprint's rear edge. */
  readonly rear: Float32Array;
  /** Height of the outline above the ground. */
  readonly gap: Float32Array;
}

interface Outline extends Omit<Foot, 'from' | 'rear'> {
  /** Row above which the product has an opening. */
  readonly top: Float32Array;
}

function findFeet(subject: PlacedSubject, grid: Grid, size: number): Foot[] {
  const outline = findOutline(subject, grid);
  if (!subject.lies) raiseSides(outline);
  const highest = REACH * FALLOFFS[1].sigma * size;
  const left = Math.floor(subject.x / grid.cellPx);
  const feet: Foot[] = [];
  for (let from = 0; from < outline.gap.length; from++) {
    let to = from;
    while (to < outline.gap.length && outline.gap[to]! < highest) to++;
    const [ground, gap, top] = [outline.ground, outline.gap, outline.top].map((row) => row.slice(from, to));
    if (gap!.includes(0)) {
      const rear = findRear({ ground: ground!, gap: gap!, top: top! }, highest);
      feet.push({ from: left + from, ground: ground!, gap: gap!, rear });
    }
    from = Math.max(from, to);
  }
  return feet;
}

/** The gap is infinite in an empty column. */
function findOutline({ image, x: left, y, lies }: PlacedSubject, { cellPx }: Grid): Outline {
  const silhouette = makeSilhouette(image);
  const line = findStandingLine(silhouette, image.width / image.height, lies);
  const first = Math.floor(left / cellPx);
  const count = Math.ceil((left + image.width) / cellPx) - first;
  const [ground, top] = [new Float32Array(count), new Float32Array(count)];
  const gap = new Float32Array(count).fill(Number.POSITIVE_INFINITY);
  for (let column = 0; column < count; column++) {
    const x = Math.min(image.width - 1, Math.max(0, Math.floor((first + column + 0.5) * cellPx - left)));
    const row = findEdge(image, x, image.height - 1, true);
    if (row < 0) continue;
    const share = gapAt(line, ((x + 0.5) * silhouette.columns) / image.width - 0.5) / silhouette.rows;
    gap[column] = (Math.max(0, share - FIRM) * image.height) / cellPx;
    ground[column] = (y + row + 1) / cellPx + gap[column]!;
    top[column] = (y + findEdge(image, x, row, false) + 1) / cellPx;
  }
  return { ground, gap, top };
}

/** Where the outline rises from the touching columns more steeply than a base does, the rise becomes a gap. */
function raiseSides({ ground, gap }: Outline): void {
  const level = ground.map((row, column) => (gap[column] === 0 ? row : 0));
  for (let i = 1; i < level.length; i++) level[i] = Math.max(level[i]!, level[i - 1]! - STEEPEST);
  for (let i = level.length - 2; i >= 0; i--) level[i] = Math.max(level[i]!, level[i + 1]! - STEEPEST);
  for (const [column, own] of gap.entries()) {
    // Within a cell of the level, the column is at the foot of the slope.
    const more = Math.max(0, level[column]! - 1 - ground[column]!);
    ground[column] = ground[column]! + more;
    gap[column] = own + more;
  }
}

/**
 * The rear edge mirrors the front edge at the middle between the outermost touching columns, as in the footprints of
 * boxes and of round bases. A straight front reveals no depth: then the base is as deep as wide, up to `deepest`. The
 * product hides its footprint.
 */
function findRear({ ground, gap, top }: Outline, deepest: number): Float32Array {
  const [first, last] = [gap.indexOf(0), gap.lastIndexOf(0)];
  const ends = ground[first]! + ground[last]!;
  const mirrored = ground.map((row, column) => {
    const isBase = column >= first && column <= last;
    return isBase ? Math.min(row, ends - ground[first + last - column]!) : row;
  });
  const depth = mirrored.reduce((sum, row, column) => sum + ground[column]! - row, 0) / (last - first + 1);
  const more = Math.max(0, FORESHORTENING * Math.min(last - first + 1, deepest) - depth);
  return mirrored.map((row, column) => {
    const isBase = column >= first && column <= last;
    return Math.min(ground[column]! - 1, isBase ? Math.max(row - more, top[column]!) : row);
  });
}

/**
 * The footprint, blurred: the fraction, 0 to 1, that covers the surroundings of each cell of `box`. Parts that are
 * `highest` above the ground, or higher, do not count.
 */
function blurFoot(
  { from, ground, rear, gap }: Foot,
  spread: number,
  highest: number,
): { readonly box: Box; readonly covered: Float32Array } {
  const blur = { sigmaX: spread, sigmaY: FORESHORTENING * spread };
  const [marginX, marginY] = [Math.ceil(MARGIN * blur.sigmaX), Math.ceil(MARGIN * blur.sigmaY)];
  const y = Math.floor(Math.min(...rear)) - marginY;
  const width = gap.length + 2 * marginX;
  const box = { x: from - marginX, y, width, height: Math.ceil(Math.max(...ground)) + marginY - y };
  const covered = new Float32Array(box.width * box.height);
  for (const [column, raised] of gap.entries()) {
    const share = smoothstep(highest, 0, raised);
    const [upper, lower] = [rear[column]! - y, ground[column]! - y];
    for (let row = Math.floor(upper); row < lower; row++) {
      covered[row * width + marginX + column] = share * (Math.min(row + 1, lower) - Math.max(row, upper));
    }
  }
  blurGaussian(covered, box, blur);
  const outline = Array.from(ground, (row, column) => {
    const below = Math.round(row - y) * width + marginX + column;
    return gap[column] === 0 ? (covered[below - width]! + covered[below]!) / 2 : 0;
  });
  const gain = clamp(EDGE / Math.max(...outline), 1, MOST_GAIN);
  return { box, covered: gain > 1 ? covered.map((share) => share * gain) : covered };
}

/** `shareAt` gets the index of a cell of `box`, which may extend beyond the grid. */
function multiply(
  kept: Float32Array,
  { width, height }: Grid,
  box: Box,
  shareAt: (cell: number) => number,
): void {
  for (let y = Math.max(0, box.y); y < Math.min(height, box.y + box.height); y++) {
    for (let x = Math.max(0, box.x); x < Math.min(width, box.x + box.width); x++) {
      const cell = y * width + x;
      kept[cell] = kept[cell]! * shareAt((y - box.y) * box.width + x - box.x);
    }
  }
}
