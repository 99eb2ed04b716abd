/** Marks on the photo that have not been applied yet. */
import type { CorrectionInput } from '../../../clients/typescript/src/packshot-client.ts';

export type Stroke = NonNullable<CorrectionInput['strokes']>[number];
export type Mode = Stroke['mode'];
export type Point = readonly [x: number, y: number];

/** Minimum distance between points, in brush radii: points closer to each other would add no information. */
const spacing = 0.2;

/**
 * Appends a point, in pixels of the photo; returns the same stroke if the point is too close to the last one.
 */
export function extend(stroke: Stroke, x: number, y: number): Stroke {
  const [lastX = 0, lastY = 0] = stroke.points.at(-1) ?? [];
  if (Math.hypot(x - lastX, y - lastY) < Math.max(1, stroke.radius * spacing)) return stroke;
  return { ...stroke, points: [...stroke.points, [Math.round(x), Math.round(y)]] };
}

export const begin = (brush: Omit<Stroke, 'points'>, x: number, y: number): Stroke => ({
  ...brush,
  points: [[Math.round(x), Math.round(y)]],
});

/** SVG path data; a dot is a line of length zero. */
export function toPath({ points }: Stroke): string {
  const [first, ...others] = points.map((point) => point.join(' '));
  return `M${first}L${others.length > 0 ? others.join('L') : first}`;
}

/** The box between two opposite corners. */
export const boxBetween = ([ax, ay]: Point, [bx, by]: Point) => ({
  x: Math.min(ax, bx),
  y: Math.min(ay, by),
  width: Math.abs(ax - bx),
  height: Math.abs(ay - by),
});
