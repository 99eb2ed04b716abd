/** Key light and sky of a set. */

import type { ScenePlan } from '../../studio/scene-plan.ts';
import { clamp, hexFromOklch, type Oklch } from '../oklch.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { type GoboWish, makeGobo } from './gobo.ts';
import type { BuiltStage } from './stage.ts';

export interface LightWish extends GoboWish {
  readonly warmth: 'day' | 'warm' | 'gold' | 'cool';
  /** Whether the set has glossy materials, such as metal or satin, which need a brighter softbox for highlights. */
  readonly hasShine: boolean;
  /**
   * Whether the product is furniture. Light from higher up casts its shadow below it, so that the shadow connects the
   * feet.
   */
  readonly isLarge: boolean;
  /** Light from higher up keeps the shadow on the stand, where it shows that the product stands there. */
  readonly isOnStand: boolean;
  /** Whether the product is thin, as a plant is: the shadow of its upper parts would fall apart into blotches. */
  readonly isAiry: boolean;
  /** Whether it stands on a broad base, such as a pot. */
  readonly hasBase: boolean;
}

type Rgb = [number, number, number];

/**
 * Azimuths of the key light, in degrees. On a stand, the light comes more from the side; otherwise, the product would
 * hide its own shadow. So does light through a pattern, where a product without a shadow would look pasted in.
 */
const usualAzimuth = [42, 58] as const;
const azimuthOfPattern = [58, 66] as const;
const azimuthOnStand = [64, 72] as const;
/** Elevations of the key light, in degrees, at which the shadow falls close to the product. */
const elevations = { onStand: [46, 49], ofAiry: [48, 52] } as const;
/**
 * Key light on thin products, such as plants: from the side, so that the shadow of the pot and the leaves shows beside
 * the pot. If the product has a base, its shadow fades with the distance of the part that casts it, in scene units:
 * those of blossoms would be detached blotches, because those of the stalks are too thin to connect them with the pot's. `fill` is the level
 * of the light from all around, low because the shadow is small.
 */
export const onAiry = { az: [50, 62], shadowReach: 0.7, fill: 0.34 } as const;

/** How much higher the sun through a pattern is for furniture, in degrees. */
const higherForLarge = 12;
/**
 * Softbox for furniture, high above and so large that the seat's shadow has no edges. Below a chair, the shadow of a
 * smaller softbox looks like a dark slab between the legs; from lower down, it would fall behind the feet.
 * Angles are in degrees; `level` is the intensity relative to other softboxes. It is below 1, because the floor
 * receives more light from above than from the side, and because `fill`, the level of the light from all around, is
 * higher than for other products: a room has light from all sides.
 */
const overhead = { az: [36, 48], el: [71, 75], angularRadius: [28, 30], level: 0.58, fill: 1 } as const;

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
  const isThin = wish.isAiry && !wish.isLarge && !wish.isFlatlay;
  const azimuth = wish.isOnStand
    ? azimuthOnStand
    : isThin
      ? onAiry.az
      : isHard && !wish.isFlatlay
        ? azimuthOfPattern
        : usualAzimuth;
  const beside: ScenePlan['key'] = {
    az: side * Math.round(random.between(azimuth[0], azimuth[1])),
    el: elevate(wish, random),
    // A gobo needs a small sun for sharp edges; without a gobo, a softbox is more flattering.
    angularRadius: wish.isFlatlay ? 2.5 : isHard ? random.between(1.1, 1.5) : random.between(3, 5),
    color,
    // Dark sets absorb light, so they need a stronger key light, but not so strong that navy turns blue. A gobo
    // blocks a third of the key light.
    intensity: isDark ? random.between(1.7, 2.1) : intensity * 1.32,
    // Without a pattern, the key light is a softbox beside the set, and its light falls off across the wall. A
    // window is farther away. A flat lay is lit evenly.
    distance: wish.isFlatlay ? 9 : isHard ? 4.6 : random.between(3, 3.6),
    ...(isThin && wish.hasBase ? { shadowReach: onAiry.shadowReach } : {}),
  };
  const isOverhead = wish.isLarge && !isHard && !wish.isFlatlay;
  const key = isOverhead ? raiseKey(beside, stage) : beside;
  // Level of the fill light: the lower, the deeper the shadows. Photographers usually use a quarter of the key light.
  const level = isOverhead ? overhead.fill : isThin ? onAiry.fill : 0.42;
  const tint = skyTint(palette.wall);
  const scaled = (base: number): Rgb => [
    clamp(base * level * tint[0] * env[0], 0, 1),
    clamp(base * level * tint[1] * env[1], 0, 1),
    clamp(base * level * tint[2] * env[2], 0, 1),
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

function elevate({ warmth, isFlatlay, isLarge, isOnStand, isAiry }: LightWish, random: SeededRandom): number {
  if (isFlatlay) return 40;
  if (isAiry) return Math.round(random.between(...elevations.ofAiry));
  if (isOnStand) return Math.round(random.between(...elevations.onStand));
  const [lowest, highest] = warmth === 'warm' || warmth === 'gold' ? [29, 36] : [34, 44];
  return Math.round(random.between(lowest, highest)) + (isLarge ? higherForLarge : 0);
}

function raiseKey(key: ScenePlan['key'], { random, side }: BuiltStage): ScenePlan['key'] {
  return {
    ...key,
    az: side * Math.round(random.between(...overhead.az)),
    el: Math.round(random.between(...overhead.el)),
    angularRadius: random.between(...overhead.angularRadius),
    intensity: overhead.level * key.intensity,
  };
}

/**
 * Color of ambient light reflected by the walls, at unit brightness: its tint is a third of that of the wall's sRGB
 * levels.
 */
function skyTint(wall: Oklch): Rgb {
  const hex = hexFromOklch({ l: 0.8, c: Math.min(0.08, wall.c), h: wall.h });
  const value = Number.parseInt(hex.slice(1), 16);
  const channels = [value >> 16, (value >> 8) & 255, value & 255];
  const mean = (channels[0]! + channels[1]! + channels[2]!) / 3;
  const tint = channels.map((channel) => 1 + (channel / mean - 1) / 3);
  return [tint[0]!, tint[1]!, tint[2]!];
}
