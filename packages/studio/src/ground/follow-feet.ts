/** Walks from foot to foot along the lower part of a subject's convex hull, here called the lower hull. */
import { isStraight } from './base-edges.ts';

/**
 * Maximum slope from one foot to the next. Steeper parts of the lower hull are usually overhangs rather than receding
 * ground.
 */
const MAX_SLOPE = 0.28;
/**
 * Limits for the outline of a round base seen from above, which rises toward its sides: the rise, as a fraction of the
 * horizontal distance from the lowest point, and the slope. A circle seen from 15 degrees above has risen by 0.19 of
 * its radius where its slope reaches 1. The side of a ball rises by more.
 */
const ROUND_RISE = 0.25;
const MAX_ROUND_SLOPE = 1;
/**
 * Limits for a leg or wheel further back. `steepest` is the maximum slope to its foot. The others are fractions of the
 * subject's height: the foot's maximum height above the lowest point, the minimum height above this foot that the
 * outline reaches between the feet, and the leg's minimum length.
 */
export const LEG = { steepest: 1.6, highest: 0.34, above: 0.06, length: 0.06 } as const;
/**
 * The base of a product with upright sides rises toward its ends by any slope up to `steepest`. There, the outline turns
 * into a side that leans outward by at most `lean` (a fraction of its height) over `length` (a fraction of the product's
 * height). The sides of bowls and balls lean more. The slopes of two perpendicular edges on the ground, and of both halves
 * of a circle, multiply to at most the square of the sine of the camera's elevation: `product` is that of 38 degrees.
 */
const BASE = { steepest: 4, lean: 0.15, length: 0.15, product: 0.38 } as const;
/** A smaller rise, in rows, is still within one foot, because the end of a leg is rounded. */
const ONE_CELL = 1;
/** A contour that is at most this far above the ground, as a fraction of the subject's height, counts as touching. */
export const TOUCHING = 0.04;

interface Outline {
  readonly contour: Float32Array;
  /** First and last covered column of each row; -1 for an empty row. */
  readonly ends: readonly [Float32Array, Float32Array];
  /** Number of contiguous rows above the contour that belong to the subject. */
  readonly stretch: Float32Array;
  readonly rows: number;
  readonly rowsPerColumn: number;
}

/**
 * Returns the row of the ground in each column. It follows the lower hull from the lowest point to both sides, and is
 * level beyond the outermost feet. `isFromAbove`: whether a base with straight edges and upright sides rises so steeply that the camera looked
 * down on it from more than 38 degrees.
 */
export function followFeet(outline: Outline): {
  readonly ground: Float32Array;
  readonly isFromAbove: boolean;
} {
  const { contour } = outline;
  let lowest = 0;
  for (let column = 0; column < contour.length; column++) {
    if (contour[column]! > contour[lowest]!) {
      lowest = column;
    }
  }
  const ground = new Float32Array(contour.length).fill(contour[lowest]!);
  const bases = [-1, 1].map((side) => findBaseSide(outline, lowest, side));
  const isBase = bases.reduce((product, { slope }) => product * slope, 1) <= BASE.product;
  for (const [index, side] of [-1, 1].entries()) {
    const { end } = bases[index]!;
    let at = isBase ? end : lowest;
    for (let column = lowest; column !== at + side; column += side) ground[column] = contour[column]!;
    for (;;) {
      const { next, slope } = findFlattest(contour, at, side);
      if (next < 0 || !isFoot(outline, { lowest, at, next, slope })) {
        break;
      }
      for (let column = at; column !== next + side; column += side) {
        ground[column] = contour[at]! - slope * Math.abs(column - at);
      }
      at = next;
    }
    for (let column = at; column >= 0 && column < contour.length; column += side) {
      ground[column] = contour[at]!;
    }
  }
  return { ground, isFromAbove: !isBase && bases.every((base) => base.isStraight) };
}

interface BaseSide {
  /** Column in which the base ends; the lowest point's column if there is no upright side. */
  readonly end: number;
  /** From the lowest point to the end, rise over run in pixels. */
  readonly slope: number;
  /** Whether the base is a straight edge; the bottom of a bowl or a guitar is round. */
  readonly isStraight: boolean;
}

/** Follows the outline from its lowest point to the end of the base, if the product has an upright side there. */
function findBaseSide(
  { contour, ends, rows, rowsPerColumn }: Outline,
  lowest: number,
  side: number,
): BaseSide {
  const none = { end: lowest, slope: 0, isStraight: false };
  let end = lowest;
  for (let column = lowest + side; contour[column] !== undefined && contour[column]! >= 0; column += side) {
    const rise = contour[column - side]! - contour[column]!;
    if (rise < -ONE_CELL || rise > BASE.steepest * rowsPerColumn + ONE_CELL) break;
    end = column;
  }
  const edge = ends[side < 0 ? 0 : 1];
  const foot = Math.round(contour[end]!) - 2;
  const top = Math.max(0, Math.round(foot - BASE.length * rows));
  if (end === lowest || top >= foot || edge[top]! < 0) return none;
  const lean = ((edge[top]! - end) * side * rowsPerColumn) / (foot - top);
  const slope = (contour[lowest]! - contour[end]!) / Math.abs(end - lowest);
  const isUpright = lean <= BASE.lean && lean >= -1;
  const step = { at: lowest, next: end, slope };
  if (!isUpright || !followsOutline(contour, step, TOUCHING * rows)) return none;
  return { end, slope: slope / rowsPerColumn, isStraight: isStraight(contour, lowest, end) };
}

/** The next corner of the lower hull; `slope` in rows per column; `next` is -1 at the end. */
function findFlattest(
  contour: Float32Array,
  at: number,
  side: number,
): { readonly next: number; readonly slope: number } {
  let next = -1;
  let slope = Number.POSITIVE_INFINITY;
  for (let column = at + side; column >= 0 && column < contour.length; column += side) {
    const rise = (contour[at]! - contour[column]!) / Math.abs(column - at);
    if (contour[column]! >= 0 && rise <= slope) {
      slope = rise;
      next = column;
    }
  }
  return { next, slope };
}

interface Step {
  readonly lowest: number;
  readonly at: number;
  readonly next: number;
  readonly slope: number;
}

/**
 * Whether the outline between two corners of the hull stays within `tolerance` rows of the hull. The outline of a base
 * does; between a leg and the end of an armrest, the outline is far above the hull.
 */
function followsOutline(
  contour: Float32Array,
  { at, next, slope }: Pick<Step, 'at' | 'next' | 'slope'>,
  tolerance: number,
): boolean {
  const side = Math.sign(next - at);
  for (let column = at; column !== next; column += side) {
    const hull = contour[at]! - slope * Math.abs(column - at);
    if (hull - contour[column]! > tolerance) return false;
  }
  return true;
}

function isFoot(
  { contour, stretch, rows, rowsPerColumn }: Outline,
  { lowest, at, next, slope }: Step,
): boolean {
  const steepness = slope / rowsPerColumn;
  const rise = contour[lowest]! - contour[next]!;
  if (steepness <= MAX_SLOPE || rise <= ONE_CELL) {
    return true;
  }
  const isRound =
    steepness <= MAX_ROUND_SLOPE && rise <= ROUND_RISE * rowsPerColumn * Math.abs(next - lowest);
  if (isRound && followsOutline(contour, { at, next, slope }, TOUCHING * rows)) {
    return true;
  }
  // The outermost column of a slanted leg is short, so the neighboring columns are considered, too, except those that
  // end clearly higher up: they may belong to another part. For example, one leaf may end above the tip of another.
  const level = contour[next]! - TOUCHING * rows;
  const length = Math.max(
    ...[next - 1, next, next + 1].map((column) => (contour[column]! > level ? stretch[column]! : 0)),
  );
  if (steepness > LEG.steepest || rise > LEG.highest * rows || length < LEG.length * rows) {
    return false;
  }
  // On the way to another leg, the outline rises and descends again. A part attached to the side of a foot, such as a
  // handle, only rises.
  const side = Math.sign(next - at);
  for (let column = at; column !== next; column += side) {
    if (contour[next]! - contour[column]! >= LEG.above * rows) {
      return true;
    }
  }
  return false;
}
