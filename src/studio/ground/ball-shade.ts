/** Darkens the ground around a product with a round underside, as a ball would. */
import type { CanvasSize } from '../../pixels.ts';
import type { Underside } from './underside.ts';

/** Fraction of the light that a ball removes from the ground at its contact, in addition to the other falloffs. */
const BALL_DEPTH = 0.6;
/** Distance from a ball's contact, in its radii, from which its shade is left out. */
export const SHADE_REACH = 1.7;

/**
 * Fraction of evenly distributed light, 0 to 1, that a ball of radius 1 hides from level ground at a distance from its
 * contact: cos t (r / d)^2 for a ball whose center is at the distance d and at the angle t from the normal (Nusselt
 * analog), here (1 + distance^2)^-1.5. Fades to 0 at `SHADE_REACH`.
 */
export function shadeOfBall(squaredDistance: number): number {
  const hidden = (1 + squaredDistance) ** -1.5;
  const last = (1 + SHADE_REACH ** 2) ** -1.5;
  return Math.max(0, (hidden - last) / (1 - last));
}

/** A round underside as a ball; in pixels, `x` and `y` from the top left corner of the subject's box. */
export interface Ball {
  /** Middle of the lower outline. */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Fraction of the light that is lost at the contact; 0 if the underside is flat. */
  readonly depth: number;
}

export function measureBall({ roundness, radius }: Underside, contour: Float32Array, columnPx: number): Ball {
  const y = contour.reduce((low, row) => Math.max(low, row), 0);
  // The middle of the columns whose end is within a pixel of the lowest.
  const [from, to] = [contour.findIndex((row) => row > y - 1), contour.findLastIndex((row) => row > y - 1)];
  return { x: (from + to + 1) / 2, y, radius: radius * columnPx, depth: roundness * BALL_DEPTH };
}

/**
 * Darkens the ground around a ball. Its outline hides the contact with the ground, which in the picture is higher than
 * the outline's lowest point by r (1 - cos e), for a ball of radius r seen from the elevation e.
 */
export function shadeBall(
  kept: Float32Array,
  band: CanvasSize,
  {
    ball,
    left,
    top,
    foreshortening,
  }: { readonly ball: Ball; readonly left: number; readonly top: number; readonly foreshortening: number },
): void {
  const { radius, depth } = ball;
  const contactY = ball.y - radius * (1 - Math.sqrt(1 - foreshortening ** 2)) - top;
  for (let i = 0; i < kept.length; i++) {
    const across = ((i % band.width) + 0.5 - left - ball.x) / radius;
    const along = (Math.floor(i / band.width) + 0.5 - contactY) / (foreshortening * radius);
    kept[i] = kept[i]! * (1 - depth * shadeOfBall(across * across + along * along));
  }
}
