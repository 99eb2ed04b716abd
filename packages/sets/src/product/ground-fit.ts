/** Measures how the product in a photo touches the ground. */
import type { RgbaImage } from 'packshot-pixels';
import { findStandingLine, isCovered, makeSilhouette, type Silhouette } from 'packshot-studio';

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
  /** Distance of the outline from the fitted ground along the feet, root mean square, in product heights. */
  readonly residual: number;
  /** Whether the camera looked down on the base from more than 38 degrees. */
  readonly seenFromAbove: boolean;
  /**
   * Angle in degrees by which the product can be tilted sideways before it falls over: below 0, its center is not above
   * its feet.
   */
  readonly tipDeg: number;
}

/** `image`: the cutout, cropped to the product. */
export function fitGround(image: RgbaImage): GroundFit {
  const silhouette = makeSilhouette(image);
  const { columns, rows } = silhouette;
  const aspect = image.width / image.height;
  const { contour, touches, gap, seenFromAbove } = findStandingLine(silhouette, aspect);
  const lowest = contour.reduce((most, row) => Math.max(most, row));
  const at = (column: number, edge: number): Contact => ({
    x: (edge / columns) * aspect,
    y: (lowest - contour[column]!) / rows,
  });
  const contacts: Contact[] = [];
  const squares: number[] = [];
  for (let column = 0; column < columns; column++) {
    if (touches[column] !== 1) continue;
    squares.push((gap[column]! / rows) ** 2);
    if (touches[column - 1] !== 1) contacts.push(at(column, column));
    if (touches[column + 1] !== 1) contacts.push(at(column, column + 1));
  }
  const residual = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / Math.max(1, squares.length));
  const center = findCenter(silhouette, aspect);
  const xs = contacts.map(({ x }) => x);
  const support = Math.min(center.x - Math.min(...xs), Math.max(...xs) - center.x);
  return { contacts, residual, seenFromAbove, tipDeg: (Math.atan2(support, center.y) * 180) / Math.PI };
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
