/** Where the subject stands: for each column of its silhouette, the row of the ground below it. */
import { findBaseEdges } from './base-edges.ts';
import { isCovered, type Silhouette } from './silhouette.ts';

/** Positions are in cells of the silhouette, from its top left corner. */
export interface StandingLine {
  /** Lower end of the subject in each column, in rows; -1 if the column has none. */
  readonly contour: Float32Array;
  /** The ground in each column, in rows; level beyond the outermost feet. Equals the contour at contacts. */
  readonly ground: Float32Array;
  /** Distance of the contour above the line through the feet, in rows. */
  readonly gap: Float32Array;
  /** 1 where the subject touches the ground. */
  readonly touches: Uint8Array;
}

/**
 * Maximum slope along a contiguous outline: steeper parts of the lower hull are overhangs rather than
 * receding ground.
 */
const MAX_SLOPE = 0.28;
/**
 * A round base seen from above rises toward its sides by less than this fraction of the distance from its
 * lowest point (a circle seen from 15 degrees above rises 0.21 of its radius where its slope reaches 1); a
 * ball's side rises by more.
 */
const ROUND_RISE = 0.25;
const MAX_ROUND_SLOPE = 1;
/** A leg or wheel further back: maximum slope to it, and fractions of the subject's height. */
const LEG = { steepest: 1.6, highest: 0.34, above: 0.06, length: 0.06 } as const;
/**
 * Corners of a lying product curl up: where the outline is higher above its lowest point than this fraction
 * of the height, it leaves the ground with this slope.
 */
const CURL = { from: 0.3, slope: 0.1 } as const;
/** A contour this close to the ground, as a fraction of the subject's height, touches it. */
const TOUCHING = 0.04;

/**
 * `aspect` is the box's width over its height, so that slopes are measured in true proportions. A product
 * that `lies` touches the ground along its whole lower outline, however steep.
 */
export function findStandingLine(silhouette: Silhouette, aspect: number, lies = false): StandingLine {
  const { columns, rows, coverage } = silhouette;
  const contour = new Float32Array(columns).fill(-1);
  const stretch = new Float32Array(columns);
  for (let column = 0; column < columns; column++) {
    for (let row = rows - 1; row >= 0; row--) {
      if (isCovered(silhouette, column, row)) {
        const below = row + 1 < rows ? coverage[(row + 1) * columns + column]! : 0;
        // Partial coverage gives the outline's position within a cell.
        contour[column] = row + coverage[row * columns + column]! + below;
        stretch[column] = measureStretch(silhouette, column, row);
        break;
      }
    }
  }
  // Converts slopes to rows per column. With square cells, a slope of 1 is one row per column.
  const rowsPerColumn = (rows * aspect) / columns;
  const ground = followFeet({ contour, stretch, rows, rowsPerColumn });
  const base = findBaseEdges(contour, rows, rowsPerColumn);
  if (base !== undefined) {
    for (let column = 0; column < columns; column++) {
      ground[column] = contour[Math.min(base.to, Math.max(base.from, column))]!;
    }
  }
  const touches = new Uint8Array(columns);
  const gap = ground.map((row, column) => row - contour[column]!);
  const lowest = contour.reduce((most, row) => Math.max(most, row));
  for (let column = 0; column < columns; column++) {
    if (contour[column]! >= 0 && (lies || gap[column]! <= TOUCHING * rows)) {
      if (lies) gap[column] = CURL.slope * Math.max(0, lowest - contour[column]! - CURL.from * rows);
      touches[column] = 1;
      // A round foot seen from above curves upwards: its sides are further back rather than higher.
      ground[column] = contour[column]!;
    }
  }
  bridgeFeet(ground, touches);
  return { contour, ground, gap, touches };
}

/** Counts the contiguous rows of subject above `row`. */
function measureStretch(silhouette: Silhouette, column: number, row: number): number {
  let top = row;
  while (top >= 0 && isCovered(silhouette, column, top)) {
    top--;
  }
  return row - top;
}

/** Between feet the ground is interpolated; beyond the outermost feet it is level. */
function bridgeFeet(ground: Float32Array, touches: Uint8Array): void {
  let before = -1;
  for (let column = 0; column < ground.length; column++) {
    if (touches[column] === 0) {
      continue;
    }
    const from = before < 0 ? ground[column]! : ground[before]!;
    for (let between = before + 1; between < column; between++) {
      ground[between] = from + ((ground[column]! - from) * (between - before)) / (column - before);
    }
    before = column;
  }
  if (before >= 0) {
    ground.fill(ground[before]!, before + 1);
  }
}

interface Outline {
  readonly contour: Float32Array;
  /** Number of contiguous rows of subject above the contour. */
  readonly stretch: Float32Array;
  readonly rows: number;
  readonly rowsPerColumn: number;
}

/** Walks from the lowest point to both sides along the lower hull, from foot to foot. */
function followFeet(outline: Outline): Float32Array {
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
 * Whether the outline stays within `tolerance` rows of the hull between two of its corners, as a base's does; between
 * a leg and the end of an armrest, it is far above.
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
  if (steepness <= MAX_SLOPE) {
    return true;
  }
  const rise = contour[lowest]! - contour[next]!;
  const isRound =
    steepness <= MAX_ROUND_SLOPE && rise <= ROUND_RISE * rowsPerColumn * Math.abs(next - lowest);
  if (isRound && followsOutline(contour, { at, next, slope }, TOUCHING * rows)) {
    return true;
  }
  // The outermost column of a slanted leg is short, so count its neighbors, too.
  const length = Math.max(stretch[next - 1] ?? 0, stretch[next]!, stretch[next + 1] ?? 0);
  if (steepness > LEG.steepest || rise > LEG.highest * rows || length < LEG.length * rows) {
    return false;
  }
  // A part that hangs from the side of a foot, such as a handle, does not descend again; a leg does.
  const side = Math.sign(next - at);
  for (let column = at; column !== next; column += side) {
    if (contour[next]! - contour[column]! >= LEG.above * rows) {
      return true;
    }
  }
  return false;
}
