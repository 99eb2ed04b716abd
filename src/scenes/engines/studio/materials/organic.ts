/** Wood, cloth and leaves (scenes, 3.10). */
import { fbm, hashUnit, noise, smoothstep } from '../noise.ts';
import { mixAlbedo, type Surface, setAlbedo } from './material.ts';

type Rgb = ArrayLike<number>;

/**
 * Boards along x, `plankWidth` wide in y + z (which serves floors and fronts alike). Each board is cut from its own log:
 * cathedral rings run along the board, fibres and pores are far longer than wide and fade where a pixel is wider.
 */
export function makeWood(color: Rgb, dark: Rgb, s: number, plankWidth: number): Surface {
  const gap = 0.006 / plankWidth;
  const offsetOf = (plank: number): number => 37 * hashUnit(plank * 101 + 7);
  const seam = (across: number, finest: number): number => {
    const t = across / plankWidth;
    const edge = 0.5 - Math.abs(t - Math.floor(t) - 0.5);
    return smoothstep(gap + finest / plankWidth, gap * 0.4, edge);
  };
  const fibre = (x: number, across: number, offset: number, finest: number): number =>
    fbm(1.6 * s * x + offset, 55 * s * across, offset, 2, 55 * s * finest);
  return {
    roughness: 0.4,
    f0: 0.035,
    bump: 0.02,
    translucency: 0,
    paint: (x, y, z, finest, out) => {
      const across = y + z;
      const plank = Math.floor(across / plankWidth);
      const offset = offsetOf(plank);
      const local = across - (plank + 0.5) * plankWidth;
      const bend = fbm(0.55 * s * x + offset, 1.1 * s * local, offset, 3, 0);
      // A board near the log's heart: rings are hyperbolas in the cut, so their spacing opens to the sides.
      const heart = local + 0.35 * plankWidth * (hashUnit(plank * 77 + 3) - 0.5);
      const depth = Math.sqrt(heart * heart * 9 + 0.02 + 0.11 * (s * x + 4 * bend) ** 2 * 0.15);
      const ring = 5.5 * s * depth + 2.2 * bend;
      const saw = ring - Math.floor(ring);
      // Late wood: slow rise, sharp end.
      const late = smoothstep(0.15, 0.95, saw) * smoothstep(1, 0.95, saw);
      const ringShare = Math.max(0, 1 - 9 * s * finest);
      const pore = Math.max(0, fbm(3.5 * s * x + offset, 95 * s * across, 2, 1, 95 * s * finest));
      const tone = 0.94 + 0.14 * (hashUnit(plank * 31 + 5) - 0.5) + 0.16 * bend;
      const share = 0.22 + 0.5 * late * ringShare + 0.55 * fibre(x, across, offset, finest) + 0.5 * pore;
      mixAlbedo(out, color, dark, Math.min(1, Math.max(0, share)), tone * (1 - 0.75 * seam(across, finest)));
    },
    relief: (x, y, z, finest) => {
      const across = y + z;
      const offset = offsetOf(Math.floor(across / plankWidth));
      return -0.2 * fibre(x, across, offset, finest) - 0.8 * seam(across, finest);
    },
  };
}

/** Threads a unit: finer than real linen beside a bottle would be a blur, coarser is knitwear. */
const LINEN_THREADS = 140;

/** Threads over and under; where a pixel is wider than half a thread they fade into the mean, or they would moire. */
export function makeLinen(color: Rgb, s: number): Surface {
  const weave = (x: number, across: number, finest: number): number => {
    const frequency = LINEN_THREADS * s;
    const share = Math.min(1, Math.max(0, 2 - 5 * frequency * finest));
    if (share === 0) {
      return 0.5;
    }
    const a = frequency * x + 0.5 * noise(3 * s * x, 60 * s * across, 1);
    const b = frequency * across + 0.5 * noise(60 * s * x, 3 * s * across, 2);
    const over = Math.cos(Math.PI * a) * Math.cos(Math.PI * b) > 0 ? 1 : 0;
    const warp = Math.abs(Math.sin(Math.PI * a));
    const weft = Math.abs(Math.sin(Math.PI * b));
    return 0.5 + share * ((over === 1 ? 0.7 * warp + 0.3 * weft : 0.3 * warp + 0.7 * weft) - 0.6);
  };
  return {
    roughness: 1,
    f0: 0,
    bump: 0.006,
    translucency: 0,
    paint: (x, y, z, finest, out) => {
      const across = y + z;
      // Slubs: single threads that are thicker or darker over a stretch.
      const slubs =
        fbm(1.3 * s * x, 60 * s * across, 4, 2, 60 * s * finest) +
        fbm(60 * s * x, 1.3 * s * across, 6, 2, 60 * s * finest);
      const tone =
        0.92 + 0.16 * weave(x, across, finest) + 0.2 * slubs + 0.1 * fbm(0.9 * x, 0.9 * across, 3, 3, 0);
      setAlbedo(out, color, tone);
    },
    relief: (x, y, z, finest) => {
      const across = y + z;
      return (
        0.6 * weave(x, across, finest) +
        // Cloth is never laid quite flat: broad soft creases.
        9 * fbm(1.1 * x + 3, 1.6 * across, 2, 3, 0)
      );
    },
  };
}

/** Woven silk: smooth to the eye, with a slight break along the thread. */
export function makeSatin(color: Rgb, s: number): Surface {
  return {
    roughness: 0.34,
    f0: 0.1,
    bump: 0.004,
    translucency: 0,
    paint: (x, y, z, _finest, out) => {
      setAlbedo(out, color, 1 + 0.05 * fbm(1.3 * x, 1.3 * y, 1.3 * z, 2, 0));
    },
    relief: (x, y, z, finest) => fbm(7 * s * x, 7 * s * y, 7 * s * z, 2, 7 * s * finest),
  };
}

export function makeLeaf(color: Rgb, pale: Rgb): Surface {
  return {
    roughness: 0.5,
    f0: 0.04,
    bump: 0,
    translucency: 0.38,
    paint: (x, y, z, finest, out) => {
      const age = fbm(2.2 * x, 2.2 * y, 2.2 * z, 3, 2.2 * finest);
      mixAlbedo(out, color, pale, Math.min(1, Math.max(0, 0.25 + 0.7 * age)), 1 + 0.3 * age);
    },
  };
}

export function makePetal(color: Rgb, tip: Rgb): Surface {
  return {
    roughness: 0.7,
    f0: 0.03,
    bump: 0,
    translucency: 0.35,
    paint: (x, y, z, finest, out) => {
      const share = 0.5 + 0.9 * fbm(5 * x, 5 * y, 5 * z, 2, 5 * finest);
      mixAlbedo(out, color, tip, Math.min(1, Math.max(0, share)), 1);
    },
  };
}
