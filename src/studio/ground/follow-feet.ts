/** Walks from foot to foot along the lower part of a subject's convex hull, here called the lower hull. */

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
const LEG = { steepest: 1.6, highest: 0.34, above: 0.06, length: 0.06 } as const;
/** A smaller rise, in rows, is still within one foot, because the end of a leg is rounded. */
const ONE_CELL = 1;
/** A contour that is at most this far above the ground, as a fraction of the subject's height, counts as touching. */
export const TOUCHING = 0.04;

interface Outline {
  readonly contour: Float32Array;
  /** Number of contiguous rows above the contour that belong to the subject. */
  readonly stretch: Float32Array;
  readonly rows: number;
  readonly rowsPerColumn: number;
}

/**
 * Returns the row of the ground in each column. It follows the lower hull from the lowest point to both sides, and is
 * level beyond the outermost feet.
 */
export function followFeet(outline: Outline): Float32Array {
  const { contour } = outline;
  let lowest = 0;
  for (let column = 0; column < contour.length; column++) {
    if (contour[column]! > contour[lowest]!) {
      lowest = column;
    }
  }
  const ground = new Float32Array(contour.length).fill(contour[lowest]!);
  for (const side of [-1, 1]) {
    let at = lowest;
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
  return ground;
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
