/** Darkens the ground around a product with a round underside, as a ball would. */
import type { CanvasSize } from 'packshot-pixels';
import type { Underside } from './underside.ts';

/** Fraction of the light that a ball removes from the ground at its contact, in addition to the other falloffs. */
const BALL_DEPTH = 0.7;
/**
 * The same for the narrow gap around the contact, where neither the key light nor light from the ground arrives. The
 * gap's darkness falls off like the shade of a smaller ball. Without it, balls seemed to hover above pale stands.
 */
const GAP = { radius: 0.4, depth: 0.7 } as const;
/** Distance from a ball's contact, in radii of the ball, beyond which it does not shade the ground. */
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
  /** Lowest row of the outline (`y`), and the middle of the columns that reach about as low (`x`). */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** 0 for a flat underside, 1 for that of a ball. */
  readonly roundness: number;
}

export function measureBall({ roundness, radius }: Underside, contour: Float32Array, columnPx: number): Ball {
  const y = contour.reduce((low, row) => Math.max(low, row), 0);
  // The middle of the columns whose end is within a pixel of the lowest.
  const [from, to] = [contour.findIndex((row) => row > y - 1), contour.findLastIndex((row) => row > y - 1)];
  return { x: (from + to + 1) / 2, y, radius: radius * columnPx, roundness };
}

/**
 * Darkens the ground around a ball. The ball hides its contact with the ground. In the picture, the contact is higher
 * than the lowest point of the ball's outline, by r (1 - cos e) for a ball of radius r seen from the elevation e.
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
  const { radius, roundness } = ball;
  const contactY = ball.y - radius * (1 - Math.sqrt(1 - foreshortening ** 2)) - top;
  for (let i = 0; i < kept.length; i++) {
    const across = ((i % band.width) + 0.5 - left - ball.x) / radius;
    const along = (Math.floor(i / band.width) + 0.5 - contactY) / (foreshortening * radius);
    const squared = across * across + along * along;
    const around = BALL_DEPTH * shadeOfBall(squared);
    const inGap = GAP.depth * shadeOfBall(squared / GAP.radius ** 2);
    kept[i] = kept[i]! * (1 - roundness * around) * (1 - roundness * inGap);
  }
}
