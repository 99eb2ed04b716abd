/** Smooth surfaces: paint, metal and water. */
import { smoothstep } from 'packshot-pixels';
import { type Cell, fadeOf, fbm, findCell, noise } from '../noise.ts';
import { type Surface, setAlbedo } from './material.ts';

type Rgb = ArrayLike<number>;

export function makeMattePaint(color: Rgb): Surface {
  return {
    roughness: 0.7,
    f0: 0.03,
    paint: (x, y, z, finest, out) => {
      setAlbedo(out, color, 1 + 0.05 * fbm(1.3 * x, 1.3 * y, 1.3 * z, 3, 1.3 * finest));
    },
  };
}

/** Matte paint below a clear coat. */
export function makeLacquer(color: Rgb): Surface {
  return { ...makeMattePaint(color), roughness: 0.14, f0: 0.05 };
}

export function makeMetal(color: Rgb): Surface {
  return {
    roughness: 0.26,
    f0: 0.9,
    paint: (_x, _y, _z, _finest, out) => setAlbedo(out, color, 1),
  };
}

/** Absorption of the water per world unit of path, and the mean length of a path through it. */
const ABSORPTION = 2;
const MEAN_PATH = 0.55;
/** Half-width of a caustic line, in units of the noise value: how far from zero the noise may be on the line. */
const LIGHT_LINE = 0.06;

/**
 * Clear shallow water over a bed of sand and pebbles. Its surface has a light swell, small ripples, and circular waves
 * around a stand near the origin. `paint` gives the color of the bed at (x, z) at a water depth of -y, tinted by Beer's
 * law. Caustics on the bed are zero crossings of a warped noise.
 */
export function makeWater(color: Rgb, s: number): Surface {
  const cell: Cell = { nearest: 0, second: 0, hash: 0 };
  return {
    roughness: 0.03,
    f0: 0.02,
    bump: 0.028,
    paint: (x, y, z, finest, out) => {
      const path = y < 0 ? -y : MEAN_PATH;
      const clear = Math.exp(-ABSORPTION * path);
      const bend = 0.12 * noise(3 * x, 2, 3 * z);
      findCell(9 * (x + bend), 4, 12 * (z - bend), cell);
      // One cell in four contains a pebble.
      const lies = (cell.hash & 0x300) === 0 ? smoothstep(0.4, 0.25, cell.nearest) : 0;
      const shade = 1 - lies * (0.1 + 0.35 * ((cell.hash & 255) / 255));
      const warped = noise(2.3 * x + 0.9 * bend, 3, 2.8 * z + noise(1.3 * x, 7, 1.3 * z));
      const wide = LIGHT_LINE + 3 * finest;
      const gathered = (0.28 * (LIGHT_LINE / wide)) / (1 + (warped / wide) ** 2);
      const tone = (0.85 + 0.3 * fbm(1.2 * x, 2, 1.2 * z, 3, 1.2 * finest) + gathered) * shade;
      for (let c = 0; c < 3; c++) {
        out[c] = BED[c]! * tone * clear + color[c]! * (1 - clear);
      }
      setAlbedo(out, out, 1);
    },
    relief: (x, _y, z, finest) => {
      // The stand is wider than it is deep, and so are the innermost waves.
      const r = Math.hypot(0.85 * x, z + RING_CENTER);
      const ring = Math.sin(RING_FREQUENCY * r + 2 * noise(0.9 * x, 5, 0.9 * z)) * Math.exp(-0.95 * r);
      return (
        0.3 * ring * fadeOf((RING_FREQUENCY * finest) / Math.PI) +
        0.9 * fbm(1.5 * s * x, 1, 2.4 * s * z, 2, 2.4 * s * finest) +
        0.1 * fbm(5.5 * s * x + 3, 4, 9 * s * z, 2, 9 * s * finest)
      );
    },
  };
}
/** Linear color of the bed. */
const BED = [0.62, 0.53, 0.41] as const;
/** Distance of the stand's center behind the product, and angular frequency of the circular waves. */
const RING_CENTER = 0.27;
const RING_FREQUENCY = 19;
