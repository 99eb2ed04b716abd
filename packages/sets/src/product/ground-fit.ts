/** Measures how the product in a photo touches the ground. */
import { isCovered, type Silhouette, type StandingLine } from 'packshot-studio';
import { findFloatOdds } from './stand-odds.ts';

/** A point of the lower outline that touches the ground. The unit is the product's height. */
export interface Contact {
  /** From the left edge of the product's box. */
  readonly x: number;
  /** Above the lower edge of the product's box: how much farther back this point is, as the camera sees it. */
  readonly y: number;
}

export interface GroundFit {
  /** Both ends of each foot, from left to right. */
  readonly contacts: readonly Contact[];
  /** Log odds that a picture in which it stands there would show it floating. */
  readonly floatOdds: number;
  /** Whether the camera looked down on the base from more than 38 degrees. */
  readonly seenFromAbove: boolean;
  /**
   * Angle in degrees by which the product can be tilted sideways before it falls over: below 0, its center is not above
   * its feet.
   */
  readonly tipDeg: number;
}

/** `aspect`: width of the silhouette's box divided by its height. */
export function fitGround(silhouette: Silhouette, line: StandingLine, aspect: number): GroundFit {
  const { columns, rows } = silhouette;
  const { contour, touches, seenFromAbove } = line;
  const lowest = contour.reduce((most, row) => Math.max(most, row));
  const at = (column: number, edge: number): Contact => ({
    x: (edge / columns) * aspect,
    y: (lowest - contour[column]!) / rows,
  });
  const contacts: Contact[] = [];
  for (let column = 0; column < columns; column++) {
    if (touches[column] !== 1) continue;
    if (touches[column - 1] !== 1) contacts.push(at(column, column));
    if (touches[column + 1] !== 1) contacts.push(at(column, column + 1));
  }
  const center = findCenter(silhouette, aspect);
  const xs = contacts.map(({ x }) => x);
  const support = Math.min(center.x - Math.min(...xs), Math.max(...xs) - center.x);
  return {
    contacts,
    floatOdds: findFloatOdds(silhouette, line, aspect),
    seenFromAbove,
    tipDeg: (Math.atan2(support, center.y) * 180) / Math.PI,
  };
}

/** Center of the silhouette's area. */
function findCenter(silhouette: Silhouette, aspect: number): Contact {
  const { columns, rows } = silhouette;
  let [area, x, y] = [0, 0, 0];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!isCovered(silhouette, column, row)) continue;
      area++;
      x += column + 0.5;
      y += rows - row - 0.5;
    }
  }
  return { x: (x / area / columns) * aspect, y: y / area / rows };
}
