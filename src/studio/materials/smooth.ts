/** Surfaces without grain: paint, metal, water and glass. */
import { fadeOf, fbm, noise } from '../noise.ts';
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

/** Matte paint below a clear coat. */
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
 * Shallow water over a pale floor: circular waves around a stand at the origin, on top of a light swell and
 * small ripples. The caustics on the floor are painted into the albedo as zero crossings of a warped noise.
 * Lines and ripples thinner than a pixel fade, to avoid aliasing.
 */
export function makeWater(color: Rgb, s: number): Surface {
  const line = (value: number, width: number, blur: number): number => {
    const wide = width + blur;
    return width / wide / (1 + (value / wide) ** 2);
  };
  return {
    roughness: 0.03,
    f0: 0.03,
    bump: 0.05,
    translucency: 0,
    paint: (x, _y, z, finest, out) => {
      const w1 = noise(1.1 * x, 7, 1.1 * z);
      const w2 = noise(1.1 * x, 19, 1.1 * z);
      const wide = line(noise(2.1 * x + 0.8 * w1, 3, 2.6 * z + 0.8 * w2), 0.07, 1.2 * finest);
      const fine = line(noise(4.6 * x + 1.3 * w2, 11, 5.6 * z + 1.3 * w1), 0.07, 2.6 * finest);
      // Two caustic nets that amplify each other where they cross; their mean, about a fifth, is part of the
      // color.
      const light = 0.34 * wide + 0.2 * fine + 0.5 * wide * fine;
      setAlbedo(out, color, 0.8 + 0.14 * fbm(0.8 * x, 2, 0.8 * z, 2, 0) + light);
    },
    relief: (x, _y, z, finest) => {
      // The stand is wider than deep, and so are the first rings.
      const r = Math.hypot(0.85 * x, z + RING_CENTER);
      const ring = Math.sin(RING_FREQUENCY * r + 2 * noise(0.9 * x, 5, 0.9 * z)) * Math.exp(-0.95 * r);
      return (
        0.3 * ring * fadeOf((RING_FREQUENCY * finest) / Math.PI) +
        1.1 * fbm(1.5 * s * x, 1, 2.4 * s * z, 2, 2.4 * s * finest) +
        0.16 * fbm(5.5 * s * x + 3, 4, 9 * s * z, 2, 9 * s * finest)
      );
    },
  };
}
/** Distance of the stand's center behind the product, and angular frequency of the rings. */
const RING_CENTER = 0.27;
const RING_FREQUENCY = 19;

/** The body is transparent: see `shade`; its albedo tints the transmitted light. */
export function makeGlass(color: Rgb): Surface {
  return {
    roughness: 0.04,
    f0: 0.04,
    bump: 0,
    translucency: 0.85,
    paint: (_x, _y, _z, _finest, out) => setAlbedo(out, color, 1),
  };
}
