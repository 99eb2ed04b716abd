/** Key light and sky of a set. */

import type { ScenePlan } from '../../studio/scene-plan.ts';
import { clamp, hexFromOklch, type Oklch } from '../oklch.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { azimuthWithin, onWall } from './airy-light.ts';
import { type GoboWish, makeGobo } from './gobo.ts';
import type { BuiltStage } from './stage.ts';

export interface LightWish extends GoboWish {
  readonly warmth: 'day' | 'warm' | 'gold' | 'cool';
  /** Whether the set has glossy materials, such as metal or satin, which need a brighter softbox for highlights. */
  readonly hasShine: boolean;
  /** Whether the product is furniture, which is lit by a window. */
  readonly isLarge: boolean;
  /** Whether the product is furniture that is narrower than a sofa, such as a chair. */
  readonly isChair: boolean;
  /** Whether the product is on a stand. The light then comes from higher up, so that the shadow falls on the stand. */
  readonly isOnStand: boolean;
  /** Whether the product is thin and stands close to the wall, which shows its shadow. */
  readonly isAtWall: boolean;
  /** See `isBushy` in fill-frame.ts. */
  readonly isBushy: boolean;
  /** Whether the product hangs on a wall. The set is then a flat lay whose ground is that wall. */
  readonly isHung: boolean;
}

type Rgb = [number, number, number];

/**
 * Azimuths of the key light, in degrees. On a stand (`azimuthOnStand`), the light comes more from the side, so that the
 * product does not hide its own shadow. Light through a pattern also comes more from the side: without a visible
 * shadow, the product would look pasted in.
 */
const usualAzimuth = [42, 58] as const;
const azimuthOfPattern = [58, 66] as const;
/**
 * Light on a bushy product, such as a potted plant: a large softbox high above, and more light from all around. A crisp
 * shadow would show that it lacks the blossoms' shapes; this one fades within a short distance. Angles are in degrees.
 */
const onBushy = { azimuth: [38, 44], elevation: [52, 58], angularRadius: [8, 10], fill: 0.62 } as const;
const azimuthOnStand = [64, 72] as const;
/**
 * Light on a product that hangs on a wall. It comes less from the side, so that the shadow falls just beside the
 * product. The softbox is large, because a small one would cast a hard shadow on so near a wall. Angles are in degrees.
 */
const onHung = { azimuth: [28, 36], angularRadius: 9 } as const;
/** Elevations of the key light, in degrees, at which the shadow falls close to a product on a stand. */
const elevationOnStand = [46, 49] as const;

/** If the product is furniture, light through a pattern comes from this many degrees higher up. */
const higherForLarge = 12;
/**
 * Angles are in degrees, `distance` in scene units. `level` is the intensity as a multiple of that of the key light
 * without the window. `fill` is the strength of the light from all around: a room has more of it than a studio (0.42).
 */
interface Window {
  readonly az: readonly [number, number];
  readonly el: readonly [number, number];
  readonly angularRadius: readonly [number, number];
  readonly distance: number;
  readonly level: number;
  readonly fill: number;
}

/** Light on a sofa: a window beside it. The shadow of seat and legs falls to one side, and begins at the feet. */
const besideSofa: Window = {
  az: [62, 68],
  el: [54, 58],
  angularRadius: [16, 19],
  distance: 4.5,
  level: 0.78,
  fill: 1,
};
/**
 * Light on a chair: a wall of windows in front of it, so that the shade lies below the seat and reaches all feet. Light
 * from the side would make the shadow a dark patch beside the legs, and the edge of a tall picture would cut off this
 * patch.
 */
const beforeChair: Window = {
  az: [26, 32],
  el: [57, 61],
  angularRadius: [23, 26],
  distance: 4.5,
  level: 0.6,
  fill: 1.2,
};

/** Linear-light color and intensity, tuned on rendered sets. */
const keyColors: Record<LightWish['warmth'], { color: Rgb; intensity: number; env: Rgb }> = {
  day: { color: [1, 0.955, 0.89], intensity: 1.3, env: [0.97, 1, 1.04] },
  warm: { color: [1, 0.87, 0.7], intensity: 1.5, env: [0.94, 0.98, 1.06] },
  gold: { color: [1, 0.81, 0.58], intensity: 1.65, env: [0.92, 0.97, 1.08] },
  cool: { color: [0.94, 0.97, 1], intensity: 1.3, env: [0.97, 1, 1.05] },
};

export function makeLight(wish: LightWish, stage: BuiltStage): Pick<ScenePlan, 'key' | 'env' | 'gobo'> {
  const { random, side, palette } = stage;
  const { color, intensity, env } = keyColors[wish.warmth];
  const isDark = palette.wall.l < 0.5;
  const isHard = wish.gobo !== 'none' && wish.gobo !== 'slit';
  const azimuth = wish.isHung
    ? onHung.azimuth
    : wish.isOnStand
      ? azimuthOnStand
      : wish.isAtWall
        ? azimuthAtWall(stage, onWall.az)
        : isHard && !wish.isFlatlay
          ? azimuthOfPattern
          : wish.isBushy
            ? onBushy.azimuth
            : usualAzimuth;
  const beside: ScenePlan['key'] = {
    az: side * Math.round(random.between(azimuth[0], azimuth[1])),
    el: elevate(wish, random),
    angularRadius: chooseRadius(wish, isHard, random),
    color,
    // Dark sets absorb light, so they need a stronger key light, but not so strong that navy turns blue. The factor for
    // all other sets was tuned on rendered sets.
    intensity: isDark ? random.between(1.7, 2.1) : intensity * 1.32,
    // A flat lay is lit evenly. Light through a pattern comes from as far away as a window. All other key light comes
    // from a softbox beside the set, and falls off across the wall.
    distance: wish.isFlatlay ? 9 : isHard ? 4.6 : random.between(3, 3.6),
  };
  const isFromWindow = wish.isLarge && !isHard && !wish.isFlatlay;
  const window = wish.isChair ? beforeChair : besideSofa;
  const key = isFromWindow ? openWindow(beside, window, stage) : beside;
  // Level of the fill light: the lower, the deeper the shadows. Photographers usually use a quarter of the key light.
  const level = isFromWindow ? window.fill : wish.isAtWall ? onWall.fill : wish.isBushy ? onBushy.fill : 0.42;
  // A room reflects the light of its window. With the bluish light of a studio, the shade below a chair would be
  // purple.
  const fillColor = isFromWindow ? evenOut(color) : env;
  const tint = skyTint(palette.wall, isFromWindow ? tintShare.window : tintShare.usual);
  const scaled = (base: number): Rgb => [
    clamp(base * level * tint[0] * fillColor[0], 0, 1),
    clamp(base * level * tint[1] * fillColor[1], 0, 1),
    clamp(base * level * tint[2] * fillColor[2], 0, 1),
  ];
  return {
    key,
    env: {
      top: scaled(0.5),
      bottom: scaled(0.3),
      front: scaled(0.08),
      softbox: { direction: [0.55 * side, 0.75, 0.36], intensity: wish.hasShine || isDark ? 2.6 : 1.1 },
    },
    gobo: makeGobo(wish, stage),
  };
}

/** The same color with a mean of 1. */
function evenOut(color: Rgb): Rgb {
  const mean = (color[0] + color[1] + color[2]) / 3;
  return [color[0] / mean, color[1] / mean, color[2] / mean];
}

/** A gobo needs a small sun for sharp edges; without a gobo, a softbox is more flattering. */
function chooseRadius(wish: LightWish, isHard: boolean, random: SeededRandom): number {
  if (wish.isFlatlay) return wish.isHung ? onHung.angularRadius : 2.5;
  if (isHard) return random.between(1.1, 1.5);
  if (wish.isAtWall) return onWall.angularRadius;
  return wish.isBushy ? random.between(...onBushy.angularRadius) : random.between(3, 5);
}

/**
 * Range of azimuths, in degrees. It ends at the largest azimuth (within `limits`) at which the shadow stays in the
 * frame, and begins at most 6 degrees below it.
 */
function azimuthAtWall(
  { frame, subject, wallZ }: BuiltStage,
  limits: readonly [number, number],
): readonly [number, number] {
  const most = azimuthWithin(frame, subject, -wallZ, limits);
  return [Math.max(limits[0], most - 6), most];
}

function elevate(
  { warmth, isFlatlay, isLarge, isOnStand, isAtWall, isBushy }: LightWish,
  random: SeededRandom,
): number {
  if (isFlatlay) return 40;
  if (isAtWall) return Math.round(random.between(...onWall.el));
  if (isOnStand) return Math.round(random.between(...elevationOnStand));
  if (isBushy) return Math.round(random.between(...onBushy.elevation));
  const [lowest, highest] = warmth === 'warm' || warmth === 'gold' ? [29, 36] : [34, 44];
  return Math.round(random.between(lowest, highest)) + (isLarge ? higherForLarge : 0);
}

function openWindow(
  key: ScenePlan['key'],
  { az, el, angularRadius, distance, level }: Window,
  { random, side }: BuiltStage,
): ScenePlan['key'] {
  return {
    ...key,
    az: side * Math.round(random.between(...az)),
    el: Math.round(random.between(...el)),
    angularRadius: random.between(...angularRadius),
    distance,
    intensity: level * key.intensity,
  };
}

/**
 * How strongly the walls tint the light from all around, relative to the wall's own color. In daylight from a window,
 * the tint is weaker, because daylight hides most of it: with more tint, the shade below a chair in a pink room would
 * be purple.
 */
const tintShare = { usual: 1 / 3, window: 1 / 9 } as const;

/**
 * Color of the ambient light that the walls reflect; the mean of its channels is 1. It is tinted `share` times as
 * strongly as the wall, measured in sRGB levels.
 */
function skyTint(wall: Oklch, share: number): Rgb {
  const hex = hexFromOklch({ l: 0.8, c: Math.min(0.08, wall.c), h: wall.h });
  const value = Number.parseInt(hex.slice(1), 16);
  const channels = [value >> 16, (value >> 8) & 255, value & 255];
  const mean = (channels[0]! + channels[1]! + channels[2]!) / 3;
  const tint = channels.map((channel) => 1 + share * (channel / mean - 1));
  return [tint[0]!, tint[1]!, tint[2]!];
}
