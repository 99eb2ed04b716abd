/** Finds where the subject stands: for each column of its silhouette, the row of the ground. */
import { findBaseEdges } from './base-edges.ts';
import { followFeet, TOUCHING } from './follow-feet.ts';
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
}

/**
 * The corners of a lying product curl up: where the outline is higher above its lowest point than the fraction `from`
 * of the product's height, its gap to the ground is assumed to be `slope` times the excess.
 */
const CURL = { from: 0.3, slope: 0.1 } as const;
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
      // The outline of a round foot, seen from above, curves upwards at the sides, which are further back rather than
      // higher.
      ground[column] = contour[column]!;
    }
  }
  bridgeFeet(ground, touches);
  return { contour, ground, gap, touches };
}

/** Counts the contiguous covered rows from `row` upwards. */
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
