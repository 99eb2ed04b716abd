/** The room that glossy surfaces in a studio reflect: a photographed apartment with a large window. */
import { luminanceOf } from 'packshot-pixels';
import { addFrom, type Panorama, shrinkPanorama } from './places/panorama.ts';
import { readPanorama } from './places/read-panorama.ts';
import { measureUpward } from './places/take-light-out.ts';
import type { StudioScene } from './studio-scene.ts';

/** Longitude of the middle of the window in the panorama, in degrees. */
const WINDOW_DEG = 48;
/**
 * Factor by which the panorama is shrunk in each direction to make the room. The room is then 128 pixels wide, enough
 * to show the window frame.
 */
const BLOCK = 4;
/** Maximum radiance, relative to a white, level card; brighter pixels would only cause noise. */
const BRIGHTEST = 5;
/** A material is glossy enough to reflect the room if its roughness is below this, or its kind in `GLOSSY_KINDS`. */
const GLOSSY_BELOW = 0.45;
const GLOSSY_KINDS: ReadonlySet<string> = new Set([
  'metal',
  'lacquer',
  'marble',
  'terrazzo',
  'satin',
  'water',
]);

let opened: Promise<Panorama> | undefined;

/** Whether the set contains a glossy material, so that the room is needed. */
export function isGlossy({ materials }: StudioScene): boolean {
  return Object.values(materials).some(
    ({ kind, roughness = 1 }) => GLOSSY_KINDS.has(kind) || roughness < GLOSSY_BELOW,
  );
}

/** Opens the room on first use; a white, level card in it has a radiance of about 1. Rejects if it cannot be read. */
export function openRoom(): Promise<Panorama> {
  opened ??= readPanorama('apartment').then(balance, (error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

/** Exposes the room and removes half of its color cast, because the set's light already has its own tint. */
function balance(panorama: Panorama): Panorama {
  const small = shrinkPanorama(panorama, BLOCK);
  const card = measureUpward(small);
  const gray = luminanceOf(card, 0);
  const data = small.data.map((value, i) => Math.min(BRIGHTEST, value / ((card[i % 3]! + gray) / 2)));
  return { ...small, data };
}

/** Adds the room's radiance from the unit direction (x, y, z) to `out`. The window is at the key light's azimuth. */
export function addRoom(
  room: Panorama,
  azimuthDeg: number,
  x: number,
  y: number,
  z: number,
  weight: ArrayLike<number>,
  out: Float64Array,
): void {
  // A key light's azimuth is 0 behind the camera; a panorama's longitude is 0 in front of it.
  addFrom(room, [x, y, z], (WINDOW_DEG - 180 + azimuthDeg) / 360, weight, out);
}
