/** The direction and strength of the key light of a scene in a place. */
import type { PlaceName } from '../../studio/places/place-names.ts';
import type { ScenePlan } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import { highLight, type PlaceFacts, places } from './place-facts.ts';

/** Azimuth of a place's light for a camera aimed at `headingDeg`: negative for light from the left, 0 from behind. */
export function azimuthOf({ longitudeDeg }: NonNullable<PlaceFacts['light']>, headingDeg: number): number {
  const azimuth = 180 - (longitudeDeg - headingDeg);
  return azimuth - 360 * Math.round(azimuth / 360);
}

/** Limits of the azimuth of a place's light, in degrees: from beside the camera to beside the product. */
const keyAzimuth = [28, 68] as const;
/** Azimuth of soft light, in degrees: from the side, so that the product does not hide its own shadow. */
const softAzimuth = 60;
/** Minimum elevation, in degrees: a lower sun would cast shadows that leave the frame. */
const lowestKey = 32;
/**
 * Strength of the key light on level ground, as a multiple of all other light: for the sun, and for the
 * brightest part of a soft sky.
 */
const sunShare = 1.5;
const softShare = 1.1;
/** Strength of the key light in a room, where a window on one side lights the furniture in front of the wall. */
const windowShare = 1.7;

/**
 * The key light comes from the side from which the product was lit. Its angle and elevation are those of the
 * place's own light, within limits. In soft light, the key light is as broad as a window.
 */
export function aimKey(
  place: PlaceName,
  headingDeg: number,
  side: 'left' | 'right',
  isRoom: boolean,
): ScenePlan['key'] {
  const { light } = places[place];
  const isSun = light !== undefined && light.latitudeDeg <= highLight;
  const toward = side === 'left' ? -1 : 1;
  const own = isSun ? azimuthOf(light, headingDeg) * toward : softAzimuth;
  return {
    az: toward * clamp(Math.abs(own) > 120 ? 180 - Math.abs(own) : Math.abs(own), ...keyAzimuth),
    el: isSun ? clamp(light.latitudeDeg, lowestKey, 70) : 48,
    angularRadius: isSun ? 1.6 : 7,
    color: [1, 1, 1],
    intensity: isSun ? sunShare : isRoom ? windowShare : softShare,
  };
}
