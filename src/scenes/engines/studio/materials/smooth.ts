/** Surfaces without grain: paint, metal, water and glass (scenes, 3.10). */
import { fbm, noise } from '../noise.ts';
import { type Surface, setAlbedo } from './material.ts';

type Rgb = ArrayLike<number>;

export function makeMattePaint(color: Rgb): Surface {
  return {
    roughness: 0.7,
    f0: 0.03,
    bump: 0,
    translucency: 0,
    paint: (x, y, z, finest, out) => {
      setAlbedo(out, color, 1 + 0.05 * fbm(1.3 * x, 1.3 * y, 1.3 * z, 3, 1.3 * finest));
    },
  };
}

/** Matte paint under a clear coat. */
export function makeLacquer(color: Rgb): Surface {
  return { ...makeMattePaint(color), roughness: 0.14, f0: 0.05 };
}

export function makeMetal(color: Rgb): Surface {
  return {
    roughness: 0.26,
    f0: 0.9,
    bump: 0,
    translucency: 0,
    paint: (_x, _y, _z, _finest, out) => setAlbedo(out, color, 1),
  };
}

/**
 * Shallow water over a pale floor: rings spread from the product at the origin over a light swell; the net of light on
 * the floor (caustics) is drawn into the albedo as the ridges of a warped noise.
 */
export function makeWater(color: Rgb, s: number): Surface {
  return {
    roughness: 0.03,
    f0: 0.03,
    bump: 0.05,
    translucency: 0,
    paint: (x, _y, z, finest, out) => {
      const w1 = 0.5 * noise(1.3 * x, 7, 1.3 * z);
      const w2 = 0.5 * noise(1.3 * x, 19, 1.3 * z);
      const net = 1 - Math.abs(noise(2.3 * x + w1, 3, 2.9 * z + w2)) * 1.25;
      const finer = 1 - Math.abs(noise(5.1 * x + 2 * w2, 11, 6.3 * z + 2 * w1)) * 1.25;
      const fade = Math.max(0, 1 - 12 * finest);
      const light = fade * (0.55 * Math.max(0, net) ** 8 + 0.28 * Math.max(0, finer) ** 7);
      setAlbedo(out, color, 0.86 + 0.16 * fbm(0.8 * x, 2, 0.8 * z, 2, 0) + light);
    },
    relief: (x, _y, z, finest) => {
      const r = Math.hypot(x, z + 0.35);
      return (
        0.2 * Math.sin(13 * r) * Math.exp(-0.7 * r) +
        1.2 * fbm(1.5 * s * x, 1, 2.4 * s * z, 2, 2.4 * s * finest)
      );
    },
  };
}

/** The body is seen through: see `shade`; its albedo tints what passes. */
export function makeGlass(color: Rgb): Surface {
  return {
    roughness: 0.04,
    f0: 0.04,
    bump: 0,
    translucency: 0.85,
    paint: (_x, _y, _z, _finest, out) => setAlbedo(out, color, 1),
  };
}
