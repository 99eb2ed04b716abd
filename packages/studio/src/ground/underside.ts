/** Estimates the shape of a product's hidden underside. */
import { ramp } from 'packshot-pixels';
import { isCovered, type Silhouette } from './silhouette.ts';

/**
 * Two measures that indicate a round underside, each with its values for a flat and for a round one. All lengths are
 * fractions of the greatest width near the bottom (up to the height `SOUGHT`). `SHARE` is the width at the height
 * `LOW`; it is 0.47 for a ball. `RISE` is the height at which the width first reaches `NEARLY`; it is 0.38 for a ball.
 * A flat base seen from above has a curved outline, too. But its `SHARE` is larger, or its `RISE` is smaller: only 0.19
 * if the camera looks down at it by 30 degrees.
 */
const SHARE = { flat: 0.68, round: 0.56 } as const;
const RISE = { flat: 0.25, round: 0.33 } as const;
const LOW = 0.06;
const NEARLY = 0.97;
/** Height up to which the greatest width is looked for, as a fraction of this width. */
const SOUGHT = 0.6;

export interface Underside {
  /** 0 for a flat underside, 1 for that of a ball. */
  readonly roundness: number;
  /** Radius of a ball of the same width, in columns. */
  readonly radius: number;
}

/**
 * Estimates the shape of a product's hidden underside from how far its sides overhang its foot. It is flat if the
 * product stands on several feet.
 */
export function findUnderside(silhouette: Silhouette, aspect: number): Underside {
  const { columns, rows } = silhouette;
  const rowsPerColumn = (rows * aspect) / columns;
  const bottom = rows - 1 - rowsBelow(silhouette);
  const widths: number[] = [];
  let widest = 0;
  for (let row = bottom; row >= 0 && widths.length <= SOUGHT * widest * rowsPerColumn + 1; row--) {
    const width = measureOneRun(silhouette, row);
    if (width === 0) break;
    widths.push(width);
    widest = Math.max(widest, width);
  }
  const size = Math.max(1, widest);
  const share = (widths[Math.round(LOW * size * rowsPerColumn)] ?? size) / size;
  const rise = widths.findIndex((width) => width >= NEARLY * size) / (size * rowsPerColumn);
  const roundness = Math.min(ramp(SHARE.flat, SHARE.round, share), ramp(RISE.flat, RISE.round, rise));
  return { roundness: widest === 0 ? 0 : roundness, radius: widest / 2 };
}

/** Number of empty rows below the silhouette. */
function rowsBelow(silhouette: Silhouette): number {
  const { columns, rows } = silhouette;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = 0; column < columns; column++) {
      if (isCovered(silhouette, column, row)) return rows - 1 - row;
    }
  }
  return 0;
}

/** Length of the only run of covered cells in a row; 0 if there are several or none. */
function measureOneRun(silhouette: Silhouette, row: number): number {
  let [length, runs] = [0, 0];
  for (let column = 0; column < silhouette.columns; column++) {
    if (!isCovered(silhouette, column, row)) continue;
    if (column === 0 || !isCovered(silhouette, column - 1, row)) runs++;
    length++;
  }
  return runs === 1 ? length : 0;
}
