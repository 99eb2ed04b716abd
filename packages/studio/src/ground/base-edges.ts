/**
 * Finds the base of a box-shaped product with a corner toward the camera: its two visible lower edges, which recede
 * from that corner.
 */

export interface BaseEdges {
  /** Columns of the left edge's left end and of the right edge's right end. */
  readonly from: number;
  readonly to: number;
  /** Elevation of the camera in degrees, 6 to 38. */
  readonly elevationDeg: number;
}

/**
 * Maximum distance of the contour from a straight edge: this number of rows or this fraction of the edge's rise,
 * whichever is larger.
 */
const STRAIGHT_ROWS = 0.9;
const STRAIGHT_SHARE = 0.08;
/**
 * Minimum rise of an edge, as a fraction of the number of rows. With a smaller rise, part of a round base's curve would
 * also pass as a straight edge.
 */
const MIN_RISE = 0.06;
/** Minimum length of each edge, and of both together, as fractions of the columns. */
const MIN_LENGTH = 0.16;
const MIN_SPAN = 0.6;
/**
 * Limits of an edge's slope, rise over run in pixels. A flatter edge faces the camera; a steeper one is a side of the
 * product rather than a receding lower edge.
 */
const SLOPES = [0.08, 0.85] as const;
const ELEVATIONS = [6, 38] as const;

/**
 * `contour` has the row of the lower end of each column, -1 for an empty column. Two edges of a rectangular base are
 * perpendicular; seen from elevation e under parallel projection, their slopes multiplied give sin(e) squared.
 * Returns undefined unless the lower outline consists of two straight edges that meet at the lowest point.
 */
export function findBaseEdges(
  contour: Float32Array,
  rows: number,
  rowsPerColumn: number,
): BaseEdges | undefined {
  let corner = 0;
  for (let column = 0; column < contour.length; column++) {
    if (contour[column]! > contour[corner]!) corner = column;
  }
  const [left, right] = [-1, 1].map((side) => followEdge(contour, corner, side));
  if (left === undefined || right === undefined || right - left < MIN_SPAN * contour.length) return undefined;
  if (Math.min(corner - left, right - corner) < MIN_LENGTH * contour.length) return undefined;
  const rises = [left, right].map((end) => contour[corner]! - contour[end]!);
  if (Math.min(...rises) < MIN_RISE * rows) return undefined;
  const slopes = [left, right].map((end, i) => rises[i]! / (rowsPerColumn * Math.abs(end - corner)));
  if (slopes.some((slope) => slope < SLOPES[0] || slope > SLOPES[1])) return undefined;
  const elevationDeg = (Math.asin(Math.sqrt(slopes[0]! * slopes[1]!)) * 180) / Math.PI;
  const isSeen = elevationDeg >= ELEVATIONS[0] && elevationDeg <= ELEVATIONS[1];
  return isSeen ? { from: left, to: right, elevationDeg } : undefined;
}

/** The farthest column such that the contour from `corner` to it is a straight line. */
function followEdge(contour: Float32Array, corner: number, side: number): number {
  let end = corner;
  for (let column = corner + side; contour[column] !== undefined && contour[column]! >= 0; column += side) {
    if (isStraight(contour, corner, column)) end = column;
  }
  return end;
}

/** Whether the contour from one column to another is a straight line. */
export function isStraight(contour: Float32Array, from: number, to: number): boolean {
  const tolerance = Math.max(STRAIGHT_ROWS, STRAIGHT_SHARE * (contour[from]! - contour[to]!));
  const slope = (contour[to]! - contour[from]!) / (to - from);
  const side = Math.sign(to - from);
  for (let column = from; column !== to; column += side) {
    const line = contour[from]! + slope * (column - from);
    if (Math.abs(contour[column]! - line) > tolerance) return false;
  }
  return true;
}
