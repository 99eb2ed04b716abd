/** Marks on the photo that have not been applied yet. */
import type { CorrectionInput } from '../../../clients/typescript/src/packshot-client.ts';

export type Stroke = NonNullable<CorrectionInput['strokes']>[number];
export type Mode = Stroke['mode'];

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

export const begin = (mode: Mode, radius: number, x: number, y: number): Stroke => ({
  mode,
  radius,
  points: [[Math.round(x), Math.round(y)]],
});

/** SVG path data; a dot is a line of length zero. */
export function toPath({ points }: Stroke): string {
  const [first, ...others] = points.map((point) => point.join(' '));
  return `M${first}L${others.length > 0 ? others.join('L') : first}`;
}
