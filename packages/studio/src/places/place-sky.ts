/** A place's light for the ray tracer: radiance by direction, and importance sampling of directions. */
import { luminanceOf } from 'packshot-pixels';
import { AMBIENT_SHARE, type Sky } from '../sky.ts';
import type { KeyLight } from '../studio-scene.ts';
import { drawNumber } from './alias-table.ts';
import { addFrom, type Panorama } from './panorama.ts';
import type { PlaceView } from './place-backdrop.ts';
import { type BalancedLight, fadeColor, type PlaceLight } from './place-light.ts';
import { measureUpward } from './take-light-out.ts';

export interface EnvironmentLight {
  /**
   * Samples a direction in proportion to luminance; `random` is 0 to 1. Writes the direction's unit vector to
   * `direction`, and its radiance divided by its probability density to `radiance`.
   */
  readonly draw: (random: number, direction: Float64Array, radiance: Float64Array) => void;
}

/**
 * Maximum radiance of the place in reflections and in indirect light. Few samples are taken, so brighter lamps would
 * only cause noise.
 */
const MAX_MIRRORED = 2;

export function openPlaceLight({ light, setting }: Pick<PlaceView, 'light' | 'setting'>): {
  readonly sky: Sky;
  readonly environment: EnvironmentLight;
} {
  const { mirrored, broad, fill } = light;
  const heading = setting.headingDeg;
  const toRight = setting.isMirrored ? -1 : 1;
  const seen = new Float64Array(3);
  const one = Float64Array.of(1, 1, 1);
  const adder =
    (panorama: Panorama, gain: BalancedLight['fill']): Sky['add'] =>
    (x, y, z, weight, out) => {
      seen.fill(0);
      addFrom(panorama, [toRight * x, y, z], heading / 360, one, seen);
      for (let c = 0; c < 3; c++) out[c] = out[c]! + gain[c]! * weight[c]! * Math.min(MAX_MIRRORED, seen[c]!);
    };
  return {
    sky: {
      add: adder(mirrored, [1, 1, 1]),
      addBroad: adder(broad, fill),
      ambient: Float64Array.from(measureUpward(broad), (channel, c) => fill[c]! * AMBIENT_SHARE * channel),
    },
    environment: makeEnvironment(light, heading, toRight),
  };
}

function makeEnvironment(
  { soft, table, power, fill }: BalancedLight,
  headingDeg: number,
  toRight: 1 | -1,
): EnvironmentLight {
  const { width, height, data } = soft;
  return {
    draw: (random, direction, radiance) => {
      const pixel = drawNumber(table, random);
      const longitude = (((pixel % width) + 0.5) / width - 0.5 - headingDeg / 360) * 2 * Math.PI;
      const latitude = (0.5 - (Math.floor(pixel / width) + 0.5) / height) * Math.PI;
      const flat = Math.cos(latitude);
      direction[0] = toRight * flat * Math.sin(longitude);
      direction[1] = Math.sin(latitude);
      direction[2] = -flat * Math.cos(longitude);
      const luminance = luminanceOf(data, pixel * 3);
      // The probability density per steradian is the pixel's luminance divided by the total power.
      for (let c = 0; c < 3; c++) {
        const channel = fadeColor(data[pixel * 3 + c]!, luminance);
        radiance[c] = luminance > 0 ? (fill[c]! * channel * power) / luminance : 0;
      }
    },
  };
}

/** Below this fraction of the place's light, a lamp is too weak to give the key light its color. */
const COLORED_LAMP = 0.03;
/** Fraction of the lamp's color cast that is kept. It is low, because the product was photographed in whiter light. */
const LAMP_TINT = 0.2;
/**
 * Fraction of the soft light's color cast that is removed. Shadows are lit only by the soft light. With its full color
 * cast, a shadow on a pale table would look like a stain: yellow in a room, blue at dusk.
 */
const SHADE_BALANCE = 0.9;

/**
 * Balances the planned key light with the place's soft light. The key light has the nearly neutral color of the
 * balanced soft light, mixed with some of the lamp's color (`LAMP_TINT`) unless the lamp is too weak. The planned
 * `intensity` is the key light on level ground as a multiple of the soft light. The key light's direction is
 * independent of the place's sun, because under a low sun or an overcast sky the product would have no shadow.
 */
export function balanceLight(
  place: PlaceLight,
  key: KeyLight,
): { readonly key: KeyLight; readonly light: BalancedLight } {
  const { lamp, sky, card } = place;
  const tint = luminanceOf(lamp.radiance, 0) > COLORED_LAMP * card ? LAMP_TINT : 0;
  const cast = sky.map((channel) => channel / luminanceOf(sky, 0));
  const shade = cast.map((channel) => channel ** (1 - SHADE_BALANCE));
  const hue = [0, 1, 2].map(
    (c) =>
      (tint * lamp.radiance[c]!) / Math.max(1e-6, luminanceOf(lamp.radiance, 0)) + (1 - tint) * shade[c]!,
  );
  const share = key.intensity / (1 + key.intensity);
  const steep = Math.sin((key.el * Math.PI) / 180);
  const gain = (share * card) / (luminanceOf(hue, 0) * steep);
  const level = ((1 - share) * card) / luminanceOf(sky, 0) / luminanceOf(shade, 0);
  const fillOf = (c: number): number => (level * shade[c]!) / cast[c]!;
  return {
    key: { ...key, color: [hue[0]! * gain, hue[1]! * gain, hue[2]! * gain], intensity: 1 },
    light: { ...place, fill: [fillOf(0), fillOf(1), fillOf(2)] },
  };
}
