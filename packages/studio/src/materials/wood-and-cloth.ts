/** Surfaces of cloth and leaves; wood is made in `worn.ts`. */
import { fadeOf, fbm, noise } from '../noise.ts';
import { mixAlbedo, type Surface, setAlbedo } from './material.ts';

type Rgb = ArrayLike<number>;

/**
 * Threads per world unit. Finer threads would not be visible beside a product; coarser threads would look like
 * knitwear.
 */
const LINEN_THREADS = 230;
/**
 * Slubs (thick spots in the yarn) per world unit: over part of its length, about every third thread is thicker or
 * darker.
 */
const LINEN_SLUBS = 52;

/** A plain weave of slightly irregular threads. It fades to its mean before a thread is as narrow as a pixel. */
export function makeLinen(color: Rgb, s: number): Surface {
  const frequency = LINEN_THREADS * s;
  const weave = (x: number, across: number, finest: number): number => {
    const share = fadeOf(frequency * finest);
    if (share === 0) {
      return 0;
    }
    const a = Math.PI * (frequency * x + 0.5 * noise(3 * s * x, 50 * s * across, 1));
    const b = Math.PI * (frequency * across + 0.5 * noise(50 * s * x, 3 * s * across, 2));
    // Warp and weft threads alternate on top; |sin| gives them a rounded profile, with a mean of 2 / pi.
    const onTop = 0.5 + 0.5 * Math.max(-1, Math.min(1, 3 * Math.cos(a) * Math.cos(b)));
    const [warp, weft] = [Math.abs(Math.sin(a)), Math.abs(Math.sin(b))];
    return share * (0.6 * (onTop * warp + (1 - onTop) * weft) + 0.4 * warp * weft - 0.57);
  };
  const slubs = (x: number, across: number, finest: number): number => {
    const f = LINEN_SLUBS * s;
    return fbm(1.1 * s * x, f * across, 4, 2, f * finest) + fbm(f * x, 1.1 * s * across, 6, 2, f * finest);
  };
  return {
    roughness: 1,
    f0: 0,
    bump: 0.006,
    paint: (x, y, z, finest, out) => {
      const across = y + z;
      const tone =
        0.99 +
        0.17 * weave(x, across, finest) +
        0.115 * slubs(x, across, finest) +
        0.07 * fbm(0.9 * x, 0.9 * across, 3, 3, 0);
      setAlbedo(out, color, tone);
    },
    relief: (x, y, z, finest) => {
      const across = y + z;
      return (
        0.16 * weave(x, across, finest) +
        // Broad soft creases, since cloth is never perfectly flat.
        9 * fbm(1.1 * x + 3, 1.6 * across, 2, 3, 0)
      );
    },
  };
}

/** Woven silk: smooth, with slight irregularities of brightness and relief. */
export function makeSatin(color: Rgb, s: number): Surface {
  return {
    roughness: 0.34,
    f0: 0.19,
    bump: 0.002,
    paint: (x, y, z, _finest, out) => {
      setAlbedo(out, color, 0.88 + 0.05 * fbm(1.3 * x, 1.3 * y, 1.3 * z, 2, 0));
    },
    relief: (x, y, z, finest) => fbm(7 * s * x, 7 * s * y, 7 * s * z, 2, 7 * s * finest),
  };
}

export function makeLeaf(color: Rgb, pale: Rgb): Surface {
  return {
    roughness: 0.5,
    f0: 0.04,
    translucency: 0.38,
    paint: (x, y, z, finest, out) => {
      const age = fbm(2.2 * x, 2.2 * y, 2.2 * z, 2, 2.2 * finest);
      // This noise varies over about the width of a leaf, so that neighboring leaves differ.
      const own = noise(11 * x, 11 * y, 11 * z);
      const share = 0.3 + 0.6 * age + 0.55 * own;
      mixAlbedo(out, color, pale, Math.min(1, Math.max(0, share)), 1 + 0.3 * age + 0.25 * own);
    },
  };
}

export function makePetal(color: Rgb, tip: Rgb): Surface {
  return {
    roughness: 0.7,
    f0: 0.03,
    translucency: 0.35,
    paint: (x, y, z, finest, out) => {
      const share = 0.5 + 0.9 * fbm(5 * x, 5 * y, 5 * z, 2, 5 * finest);
      mixAlbedo(out, color, tip, Math.min(1, Math.max(0, share)), 1);
    },
  };
}
