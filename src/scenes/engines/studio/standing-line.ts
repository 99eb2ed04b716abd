/** Where the product stands: for each column of its silhouette, the row on which the ground lies below it. */

/** One cell is a share of the product's box; rows run downwards. */
export interface Silhouette {
  readonly columns: number;
  readonly rows: number;
  /** Share of each cell that the product covers, 0 to 1. */
  readonly coverage: Float32Array;
}

export interface StandingLine {
  /** Lower end of the product in each column, in rows; -1 where there is none. */
  readonly contour: Float32Array;
  /** The ground in each column, in rows; level beyond the outermost feet. Where the product touches it is the contour. */
  readonly ground: Float32Array;
  /** How far the contour lies above the line through the feet, in rows. */
  readonly gap: Float32Array;
  /** 1 where the product touches the ground. */
  readonly touches: Uint8Array;
}

/** Columns count as product from here on; thin straps and spokes cover little of a cell. */
const COVERED = 0.4;
/** Steeper parts of the lower hull are an overhang, not ground that leads to the back; 0.18 left chairs on one leg. */
const STEEPEST = 0.28;
/** A contour this close to the ground, as a share of the product's height, stands on it (scenes, 4.2). */
const TOUCHING = 0.04;

export function isCovered({ coverage, columns }: Silhouette, column: number, row: number): boolean {
  return coverage[row * columns + column]! >= COVERED;
}

/** `aspect` is the box's width over its height: slopes are measured in true proportions. */
export function findStandingLine(silhouette: Silhouette, aspect: number): StandingLine {
  const { columns, rows, coverage } = silhouette;
  const contour = new Float32Array(columns).fill(-1);
  for (let column = 0; column < columns; column++) {
    for (let row = rows - 1; row >= 0; row--) {
      if (isCovered(silhouette, column, row)) {
        const below = row + 1 < rows ? coverage[(row + 1) * columns + column]! : 0;
        // Part covered cells tell where inside them the outline runs.
        contour[column] = row + coverage[row * columns + column]! + below;
        break;
      }
    }
  }
  // Slope 1 is as many rows as columns when cells are square in the picture.
  const rowsPerColumn = (rows * aspect) / columns;
  const ground = followHull(contour, STEEPEST * rowsPerColumn);
  const touches = new Uint8Array(columns);
  const gap = ground.map((row, column) => row - contour[column]!);
  for (let column = 0; column < columns; column++) {
    if (contour[column]! >= 0 && gap[column]! <= TOUCHING * rows) {
      touches[column] = 1;
      // A round foot seen from above curves upwards: its sides stand further back, not higher.
      ground[column] = contour[column]!;
    }
  }
  bridgeFeet(ground, touches);
  return { contour, ground, gap, touches };
}

/** Between feet the ground runs straight from one to the next, beyond the outermost it stays level. */
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

/** From the lowest point to both sides along the hull, while it rises no faster than `steepest` rows a column. */
function followHull(contour: Float32Array, steepest: number): Float32Array {
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
      let next = -1;
      let flattest = Number.POSITIVE_INFINITY;
      for (let column = at + side; column >= 0 && column < contour.length; column += side) {
        const slope =
          contour[column]! < 0
            ? Number.POSITIVE_INFINITY
            : (contour[at]! - contour[column]!) / Math.abs(column - at);
        if (slope <= flattest) {
          flattest = slope;
          next = column;
        }
      }
      if (next < 0 || flattest > steepest) {
        break;
      }
      for (let column = at; column !== next + side; column += side) {
        ground[column] = contour[at]! - flattest * Math.abs(column - at);
      }
      at = next;
    }
    for (let column = at; column >= 0 && column < contour.length; column += side) {
      ground[column] = contour[at]!;
    }
  }
  return ground;
}
