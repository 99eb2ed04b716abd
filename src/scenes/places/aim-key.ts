/** The direction and strength of the key light of a scene in a place. */
import type { PlaceName } from '../../studio/places/place-names.ts';
import type { ScenePlan } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import { inSun, onWall } from '../sets/airy-light.ts';
import { highLight, type PlaceFacts, places } from './place-facts.ts';

/** Azimuth of a place's light for a camera aimed at `headingDeg`: negative from the left, 0 from behind the camera. */
export function azimuthOf({ longitudeDeg }: NonNullable<PlaceFacts['light']>, headingDeg: number): number {
  const azimuth = 180 - (longitudeDeg - headingDeg);
  return azimuth - 360 * Math.round(azimuth / 360);
}

/**
 * Limits of the azimuth of a place's light, in degrees. At a smaller azimuth, the light would come from behind the
 * camera, and a broad product would hide its own shadow.
 */
const keyAzimuth = [58, 76] as const;
/** Minimum elevation, in degrees: a lower sun would cast shadows that leave the frame. */
const lowestKey = 40;
/**
 * Strength of a sun on level ground, as a multiple of the other light. With less, products look pasted in.
 */
const sunShare = 1.9;
/**
 * Key light in a place with soft light. It stands for a window, or for the brightest part of the sky, beside the
 * product. Angles are in degrees; `intensity` is a multiple of the other light. With an intensity of 1.7, or at a
 * smaller azimuth, judges saw next to no shadow.
 */
const softKey = { az: 80, el: 51, angularRadius: 8, intensity: 2.7 } as const;
/**
 * Key light on a bushy product: a sky that is brighter on one side. A crisp shadow would show that it lacks the
 * blossoms' shapes; even a hazy sun would cast a wedge. This one fades within a short distance.
 */
const bushyKey = { az: 48, el: 54, angularRadius: 9, intensity: 1.5 } as const;

/**
 * Key light on furniture in a place with soft light; angles are in degrees. It comes from high above. From lower down,
 * the seat's shadow would begin far behind the feet. The shadows of the legs would not connect it with the feet,
 * because they look too flat from the low camera.
 */
const furnitureKey = { az: 60, el: 58, angularRadius: 20, intensity: 1.7 } as const;
/** Maximum elevation of the key light, in degrees. */
const highestKey = 70;
/**
 * If the frame would cut the shadow, the sun stands higher, up to this elevation in degrees. The part of a long shadow
 * that remains in the frame would be a dark slab.
 */
const highestInFrame = 57;
/**
 * Key light in a room: a window beside the furniture, as in studio sets. `distance`, in scene units, is so short that
 * the wall gets darker away from the window. A sun through the window would throw a shapeless shadow on the wall
 * behind the furniture and a pattern that ends at the furniture's outline. With a smaller window, the furniture's
 * shadow would be a dark slab, cut off by the edge of a tall frame.
 */
const windowKey = { az: 65, el: 56, angularRadius: 18, distance: 5, intensity: 1.4 } as const;

/** The same in front of a chair, as in studio sets. */
const chairKey = { az: 29, el: 59, angularRadius: 24, distance: 5, intensity: 1.1 } as const;

/** Key light on a thin product close to a wall, as in studio sets. */
const lampKey = { el: 33, angularRadius: onWall.angularRadius, distance: 4, intensity: 1.2 } as const;

/** What the product stands on: a table, a table at a wall, a floor under the sky, or a floor in front of a wall. */
export type Standing = 'table' | 'wall' | 'floor' | 'room';

interface AimedProduct {
  readonly standing: Standing;
  /** Azimuth at which the light casts a recognizable shadow of a thin product; undefined for other products. */
  readonly airyAzimuth?: number | undefined;
  /** Whether the product is bushy (see `isBushy`) and stands on a table. */
  readonly isBushy?: boolean;
  /** Whether furniture is not as wide as a sofa. */
  readonly isChair?: boolean;
  /** Free width between the product and the frame's edge, divided by the product's height; default unlimited. */
  readonly freeWidth?: number;
}

/**
 * Returns the key light, which comes from the side from which the product was lit. In a room, and on thin or bushy
 * products, it is the same in every place. Otherwise, its azimuth and elevation are those of the place's own light,
 * within limits; if that light is soft, the key light is broader and comes from beside the product.
 */
export function aimKey(
  place: PlaceName,
  headingDeg: number,
  side: 'left' | 'right',
  {
    standing,
    airyAzimuth,
    isBushy = false,
    isChair = false,
    freeWidth = Number.POSITIVE_INFINITY,
  }: AimedProduct,
): ScenePlan['key'] {
  const toward = side === 'left' ? -1 : 1;
  const white = { color: [1, 1, 1] satisfies ScenePlan['key']['color'] };
  if (standing === 'room') {
    const key = isChair ? chairKey : windowKey;
    return { ...key, ...white, az: toward * key.az };
  }
  if (airyAzimuth !== undefined) {
    const light = standing === 'wall' ? lampKey : inSun;
    return { ...light, ...white, az: toward * airyAzimuth };
  }
  if (isBushy) return { ...bushyKey, ...white, az: toward * bushyKey.az };
  const { light } = places[place];
  const isSoft = light === undefined || light.latitudeDeg > highLight;
  if (isSoft) {
    const soft = standing === 'floor' ? furnitureKey : softKey;
    return { ...soft, ...white, az: toward * soft.az };
  }
  const own = Math.abs(azimuthOf(light, headingDeg));
  const aside = own > 120 ? 180 - own : own;
  const az = clamp(aside, ...keyAzimuth);
  const el = clamp(light.latitudeDeg, lowestKey, highestKey);
  const lowestInFrame = (Math.atan(Math.sin((az * Math.PI) / 180) / freeWidth) * 180) / Math.PI;
  return {
    ...white,
    az: toward * az,
    el: Math.max(el, Math.min(highestInFrame, lowestInFrame)),
    angularRadius: 1.6,
    intensity: sunShare,
  };
}
