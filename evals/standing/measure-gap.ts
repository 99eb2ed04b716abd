/** Compares the ground that the studio draws below a product with the points at which a seeded solid stands. */
import { makeSilhouette, type Silhouette } from '../../packages/studio/src/ground/silhouette.ts';
import { findStandingLine, type StandingLine } from '../../packages/studio/src/ground/standing-line.ts';
import type { Pose } from './draw-poses.ts';

/** A larger gap is visible as floating; in heights of the product. */
export const maxGap = 0.015;
/** A part of the outline that is at most this far above the ground, in heights of the product, stands on it. */
const standing = 0.004;
/** Distance of the outline from that of the silhouette, in rows, at which a column shows another part. */
const otherPart = 1.3;

export interface SeenGround {
  readonly silhouette: Silhouette;
  readonly line: StandingLine;
  readonly aspect: number;
}

/** The ground that is drawn below a pose. On paper, the lower outline itself is the ground, so nothing floats there. */
export function seeGround({ image }: Pose): SeenGround {
  const silhouette = makeSilhouette(image);
  const aspect = image.width / image.height;
  return { silhouette, aspect, line: findStandingLine(silhouette, aspect) };
}

/** Largest distance of the drawn ground from a visible contact, in heights of the product. */
export function measureGap(pose: Pose, seen: SeenGround = seeGround(pose)): number {
  const { contour, ground } = seen.line;
  const gaps = listColumns(pose, seen).map(({ column, rise }) => {
    if (rise > standing) return 0;
    const near = [...ground.subarray(Math.max(0, column - 1), column + 2)];
    return Math.min(...near.map((drawn) => Math.abs(drawn - contour[column]!)));
  });
  return Math.max(0, ...gaps) / seen.silhouette.rows;
}

/** Share of the columns that are drawn as touching the ground although they are more than `height` above it. */
export function measureGlued(pose: Pose, seen: SeenGround, height: number): number {
  const glued = listColumns(pose, seen).filter(
    ({ column, rise }) => seen.line.touches[column] === 1 && rise > height,
  );
  return new Set(glued.map(({ column }) => column)).size / seen.silhouette.columns;
}

/** The true rise above the ground, in heights, of what is seen of the lower outline; pixel by pixel. */
function listColumns(
  { image, outline }: Pose,
  { silhouette: { columns, rows }, line: { contour } }: SeenGround,
): { column: number; rise: number }[] {
  return outline.flatMap(([row, rise], x) => {
    const column = Math.min(columns - 1, Math.floor((x * columns) / image.width));
    const isSeen = row >= 0 && Math.abs((row * rows) / image.height - contour[column]!) < otherPart;
    return isSeen ? [{ column, rise: rise / image.height }] : [];
  });
}
