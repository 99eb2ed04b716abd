/** Finds where the subject stands: for each column of its silhouette, the row of the ground. */
import { findParts } from 'packshot-pixels';
import { findBaseEdges } from './base-edges.ts';
import { followFeet, LEG, TOUCHING } from './follow-feet.ts';
import { isCovered, type Silhouette } from './silhouette.ts';

/** Positions are in cells of the silhouette, from its top left corner. */
export interface StandingLine {
  /** Row of the subject's lower end in each column; -1 if the column is empty. */
  readonly contour: Float32Array;
  /**
   * Row of the ground in each column. It equals the contour where the subject touches the ground, and is level beyond
   * the outermost feet.
   */
  readonly ground: Float32Array;
  /**
   * Height of the contour above the line through the feet, in rows. For a lying product, it is the assumed height of
   * its curled corners above the ground, and 0 elsewhere.
   */
  readonly gap: Float32Array;
  /** 1 for each column in which the subject touches the ground. */
  readonly touches: Uint8Array;
  /** Whether the camera looked down on the base from more than 38 degrees. */
  readonly seenFromAbove: boolean;
}

/**
 * The corners of a lying product curl up: where the outline is higher above its lowest point than the fraction `from`
 * of the product's height, its gap to the ground is assumed to be `slope` times the excess.
 */
const CURL = { from: 0.3, slope: 0.1 } as const;
/** Minimum area of a thing that stands for itself, and maximum height of its foot: fractions of the silhouette. */
const PART = { area: 0.02, highest: 0.34 } as const;
/**
 * `aspect` is the width of the subject's box divided by its height; it makes slopes comparable if cells are not square.
 * A product that `lies` touches the ground along its whole lower outline, however steep.
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
  const ground = new Float32Array(columns);
  let seenFromAbove = false;
  const owners = assignColumns(silhouette, contour);
  const ends = findEnds(silhouette);
  for (const part of new Set(owners)) {
    // Each of several things stands on its own foot.
    const own = contour.map((row, column) => (owners[column] === part ? row : -1));
    const { ground: followed, isFromAbove } = followFeet({
      contour: own,
      ends,
      stretch,
      rows,
      rowsPerColumn,
    });
    seenFromAbove ||= isFromAbove;
    for (let column = 0; column < columns; column++)
      if (owners[column] === part) ground[column] = followed[column]!;
  }
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
      // The outline of a round foot, seen from above, curves upwards at the sides, which are further back rather than
      // higher.
      ground[column] = contour[column]!;
    }
  }
  for (const column of findRearFeet({ contour, ground, touches, rows })) {
    touches[column] = 1;
    ground[column] = contour[column]!;
    gap[column] = 0;
  }
  bridgeFeet(ground, touches);
  return { contour, ground, gap, touches, seenFromAbove };
}

/**
 * For each column, the number of the part of the subject that reaches down farthest there. Parts are connected, diagonally
 * too; one that is small or that ends high up belongs to the part before it, as a blossom does.
 */
function assignColumns(silhouette: Silhouette, contour: Float32Array): Int32Array {
  const { columns, rows } = silhouette;
  const data = Uint8Array.from({ length: columns * rows }, (_, cell) =>
    isCovered(silhouette, cell % columns, Math.floor(cell / columns)) ? 1 : 0,
  );
  const { parts, order } = findParts(
    { width: columns, height: rows, data },
    { min: 1, max: 1, neighbours: 8 },
  );
  const labels = new Int32Array(data.length).fill(-1);
  const stands = parts.map(({ area, start, end }, part) => {
    for (const cell of order.subarray(start, end)) labels[cell] = part;
    // The last pixel of a part is in its lowest row.
    const lowestRow = Math.floor(order[end - 1]! / columns);
    return area >= PART.area * data.length && lowestRow >= (1 - PART.highest) * rows;
  });
  const main = stands.indexOf(true);
  return Int32Array.from(contour, (row, column) => {
    for (let y = Math.min(rows - 1, Math.max(0, Math.ceil(row))); y >= 0; y--) {
      const part = labels[y * columns + column]!;
      if (part >= 0) return stands[part] ? part : main;
    }
    return main;
  });
}

/** First and last covered column of each row; -1 for an empty row. */
function findEnds(silhouette: Silhouette): [Float32Array, Float32Array] {
  const { columns, rows } = silhouette;
  const [first, last] = [new Float32Array(rows).fill(-1), new Float32Array(rows).fill(-1)];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!isCovered(silhouette, column, row)) continue;
      if (first[row]! < 0) first[row] = column;
      last[row] = column;
    }
  }
  return [first, last];
}

/** Counts the contiguous covered rows from `row` upwards. */
function measureStretch(silhouette: Silhouette, column: number, row: number): number {
  let top = row;
  while (top >= 0 && isCovered(silhouette, column, top)) {
    top--;
  }
  return row - top;
}

/** Columns of feet that stand farther back, between the front feet: the outline rises from each to both sides. */
function findRearFeet({
  contour,
  ground,
  touches,
  rows,
}: Pick<StandingLine, 'contour' | 'ground' | 'touches'> & { readonly rows: number }): number[] {
  const riseBeside = (column: number, way: number): number => {
    let most = 0;
    for (let at = column + way; contour[at]! <= contour[column]! + 0.5; at += way)
      most = Math.max(most, contour[column]! - contour[at]!);
    return most;
  };
  const [first, last] = [touches.indexOf(1), touches.lastIndexOf(1)];
  return [...contour.keys()].filter(
    (column) =>
      column > first &&
      column < last &&
      touches[column] === 0 &&
      ground[column]! - contour[column]! <= LEG.highest * rows &&
      Math.min(riseBeside(column, -1), riseBeside(column, 1)) >= LEG.above * rows,
  );
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
