/** A place's light for the ray tracer: radiance by direction, and importance sampling of directions. */
import { AMBIENT_SHARE, type Sky } from '../sky.ts';
import type { KeyLight } from '../studio-scene.ts';
import { drawNumber } from './alias-table.ts';
import { addRadiance, luminanceOf, type Panorama } from './panorama.ts';
import type { PlaceView } from './place-backdrop.ts';
import type { PlaceLight } from './place-light.ts';
import { type Lamp, measureUpward } from './take-light-out.ts';

export interface EnvironmentLight {
  /**
   * Samples a direction in proportion to luminance, from a random number of 0 to 1. Writes its unit vector, and
   * its radiance divided by its probability density.
   */
  readonly draw: (random: number, direction: Float64Array, radiance: Float64Array) => void;
}

/** Maximum radiance in reflections: brighter single lamps would only cause noise at these sample counts. */
const MAX_MIRRORED = 2;

export function openPlaceLight({ light, setting }: Pick<PlaceView, 'light' | 'setting'>): {
  readonly sky: Sky;
  readonly environment: EnvironmentLight;
} {
  const { mirrored, broad } = light;
  const heading = setting.headingDeg;
  const seen = new Float64Array(3);
  const one = Float64Array.of(1, 1, 1);
  const lookUp = (panorama: Panorama, x: number, y: number, z: number) => {
    seen.fill(0);
    const turns = Math.atan2(x, -z) / (2 * Math.PI) + heading / 360 + 0.5;
    const up = Math.atan2(y, Math.sqrt(x * x + z * z)) / Math.PI;
    const column = (turns - Math.floor(turns)) * panorama.width;
    addRadiance(panorama, column, (0.5 - up) * panorama.height, one, seen);
  };
  const adder =
    (panorama: Panorama): Sky['add'] =>
    (x, y, z, weight, out) => {
      lookUp(panorama, x, y, z);
      for (let c = 0; c < 3; c++) out[c] = out[c]! + weight[c]! * Math.min(MAX_MIRRORED, seen[c]!);
    };
  return {
    sky: {
      add: adder(mirrored),
      addBroad: adder(broad),
      ambient: Float64Array.from(measureUpward(broad), (channel) => AMBIENT_SHARE * channel),
    },
    environment: makeEnvironment(light, heading),
  };
}

function makeEnvironment({ soft, table, power }: PlaceLight, headingDeg: number): EnvironmentLight {
  const { width, height, data } = soft;
  return {
    draw: (random, direction, radiance) => {
      const pixel = drawNumber(table, random);
      const longitude = (((pixel % width) + 0.5) / width - 0.5 - headingDeg / 360) * 2 * Math.PI;
      const latitude = (0.5 - (Math.floor(pixel / width) + 0.5) / height) * Math.PI;
      const flat = Math.cos(latitude);
      direction[0] = flat * Math.sin(longitude);
      direction[1] = Math.sin(latitude);
      direction[2] = -flat * Math.cos(longitude);
      const luminance = luminanceOf(data, pixel * 3);
      // The probability density per steradian is the pixel's luminance divided by the total power.
      for (let c = 0; c < 3; c++) {
        radiance[c] = luminance > 0 ? (data[pixel * 3 + c]! * power) / luminance : 0;
      }
    },
  };
}

/** Converts the lamp to the key light of a camera that looks toward `headingDeg`. */
export function aimLamp(
  { longitudeDeg, latitudeDeg, radiusDeg, radiance }: Lamp,
  headingDeg: number,
): KeyLight {
  // A key light's azimuth is measured from the direction behind the camera.
  const azimuth = 180 - (longitudeDeg - headingDeg);
  return {
    azimuthDeg: azimuth - 360 * Math.round(azimuth / 360),
    elevationDeg: latitudeDeg,
    radiusDeg,
    color: radiance,
    intensity: 1,
  };
}
