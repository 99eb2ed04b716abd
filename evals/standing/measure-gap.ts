/** Compares the ground that the studio draws below a product with the points at which a seeded solid stands. */
import { makeSilhouette } from '../../packages/studio/src/ground/silhouette.ts';
import { findStandingLine } from '../../packages/studio/src/ground/standing-line.ts';
import type { Pose } from './draw-poses.ts';

/** A larger gap is visible as floating; in heights of the product. */
export const maxGap = 0.015;
/** A part of the outline that is at most this far above the ground, in heights of the product, stands on it. */
const standing = 0.004;
/** Distance of the outline from that of the silhouette, in rows, at which a column shows another part. */
const otherPart = 1.3;

/** Largest distance of the drawn ground from a visible contact, in heights of the product. */
export function measureGap({ image, outline }: Pose): number {
  const { width, height } = image;
  const silhouette = makeSilhouette(image);
  const { columns, rows } = silhouette;
  const { contour, ground } = findStandingLine(silhouette, width / height);
  const gaps = outline.map(([row, rise], x) => {
    const column = Math.min(columns - 1, Math.floor((x * columns) / width));
    const isSeen = row >= 0 && Math.abs((row * rows) / height - contour[column]!) < otherPart;
    if (!isSeen || rise > standing * height) return 0;
    const near = [...ground.subarray(Math.max(0, column - 1), column + 2)];
    return Math.min(...near.map((drawn) => Math.abs(drawn - contour[column]!))) / rows;
  });
  return Math.max(0, ...gaps);
}
