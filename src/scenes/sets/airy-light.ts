/** Light on thin products, such as plants and lamps: small enough that their shadow shows stems, blossoms and wires. */
import type { Frame, ScenePlan, Staging } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import { isAiry, isBushy, type Outline } from './fill-frame.ts';

/**
 * In a set, the shadow falls on a wall close behind the product. Only the product's front view is known. A wall shows
 * the shadow of this view undistorted; on the ground, light from the side would stretch the shadow into a streak.
 * Angles are in degrees. `fill` is the level of the light from all around. With a smaller lamp or less fill, the shadow
 * would be as dark and sharp as a second plant, and compete with the product.
 */
export const onWall = { el: [30, 35], angularRadius: 1.2, fill: 1.1, az: [14, 32] } as const;
/**
 * Outdoors, the shadow falls on the table behind the product. The light is as small as the sun, because a larger one
 * dissolves the shadows of stems, and blossoms without stems look like stains. From higher up, the shadow would be a
 * streak behind the pot; from lower down, it would end behind the table's edge.
 */
export const inSun = { el: 43, angularRadius: 0.5, intensity: 2.6 } as const;

/**
 * Whether the product is thin, stands, and can have a wall close behind it. Jewelry cannot: it is so small that the wall would
 * be only a finger's breadth away.
 */
export const suitsWall = (staging: Staging, features: { readonly fill: number }): boolean =>
  isAiry(features) && !['large', 'small-precious', 'hung'].includes(staging);

/**
 * Whether the product, such as a houseplant, stands on a table at the wall of a room in real places. In front of a
 * blurred meadow, judges took the table for a slab that a plant was pasted on.
 */
export const suitsRoom = (staging: Staging, features: Outline): boolean =>
  suitsWall(staging, features) || (isBushy(features) && !['large', 'hung'].includes(staging));

/** z coordinate of the wall behind a bushy product, in scene units: so far that its soft shadow ends on the table. */
const wallBehindBushy = -1.6;

/** z coordinate of the wall of a room behind a product on a table, in scene units. */
export const roomWallBehind = (subject: ScenePlan['subject'], features: Outline): number =>
  isBushy(features) ? wallBehindBushy : wallBehind(subject);

/**
 * z coordinate of the wall, in scene units. The wall is farther away from a wide product, because bushy plants are
 * about as deep as wide. On a wall even farther away, the shadow would leave the frame.
 */
export const wallBehind = ({ width }: ScenePlan['subject']): number => -(0.3 + 0.5 * clamp(width, 0.3, 0.8));

/** Minimum distance between the shadow and the frame's edge, in scene units. */
const margin = 0.03;

/**
 * Azimuth of the light, in degrees, at least `least` and at most `most`. In this range, the light comes as much from
 * the side as it can while a shadow that falls `depth` behind the product stays in the frame.
 */
export function azimuthWithin(
  frame: Frame,
  subject: ScenePlan['subject'],
  depth: number,
  [least, most]: readonly [number, number],
): number {
  const free = freeBeside(frame, subject, depth) - margin;
  return clamp((Math.atan2(free, depth) * 180) / Math.PI, least, most);
}

/** Width between the product and the nearer edge of the frame, `depth` behind the product, in scene units. */
export const freeBeside = (
  { height, aspect, distance }: Frame,
  { width, shift = 0 }: ScenePlan['subject'],
  depth = 0,
): number => ((height * aspect) / 2) * (1 + depth / distance) - width / 2 - Math.abs(shift);

const azimuthsInSun = [8, 24] as const;

/** Azimuth of the sun, in degrees, at which the shadow of the product's top stays in the frame. */
export function azimuthInSun(frame: Frame, subject: ScenePlan['subject']): number {
  return Math.round(
    azimuthWithin(frame, subject, subject.height / Math.tan((inSun.el * Math.PI) / 180), azimuthsInSun),
  );
}

/** Azimuth of the lamp, in degrees, at which the shadow on a wall close behind the product stays in the frame. */
export function azimuthAtWall(frame: Frame, subject: ScenePlan['subject']): number {
  return Math.round(azimuthWithin(frame, subject, -wallBehind(subject), onWall.az));
}
