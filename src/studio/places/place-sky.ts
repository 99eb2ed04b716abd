/** A place's light as the tracer uses it: radiance by direction, and directions by brightness. */
import { AMBIENT_SHARE, type Sky } from '../sky.ts';
import type { KeyLight } from '../studio-scene.ts';
import { drawNumber } from './alias-table.ts';
import { addRadiance, luminanceOf, type Panorama } from './panorama.ts';
import type { PlaceView } from './place-backdrop.ts';
import type { PlaceLight } from './place-light.ts';
import { type Lamp, measureUpward } from './take-light-out.ts';

export interface EnvironmentLight {
  /**
   * Chooses a direction in proportion to its luminance, for a random number from 0 to 1. Writes the unit vector,
   * and the radiance divided by the direction's probability density.
   */
  readonly draw: (random: number, direction: Float64Array, radiance: Float64Array) => void;
}

/** Reflections of single lamps above this radiance are noise at these sample counts. */
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
      // The density per steradian is the pixel's luminance over the whole power.
      for (let c = 0; c < 3; c++) {
        radiance[c] = luminance > 0 ? (data[pixel * 3 + c]! * power) / luminance : 0;
      }
    },
  };
}

/** The lamp as the key light of a camera that looks at `headingDeg`. */
export function aimLamp(
  { longitudeDeg, latitudeDeg, radiusDeg, radiance }: Lamp,
  headingDeg: number,
): KeyLight {
  // A key light's azimuth is counted from behind the camera.
  const azimuth = 180 - (longitudeDeg - headingDeg);
  return {
    azimuthDeg: azimuth - 360 * Math.round(azimuth / 360),
    elevationDeg: latitudeDeg,
    radiusDeg,
    color: radiance,
    intensity: 1,
  };
}
