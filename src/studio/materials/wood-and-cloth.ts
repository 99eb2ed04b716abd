/** Wood, cloth and leaves. */
import { fadeOf, fbm, hashUnit, noise, smoothstep } from '../noise.ts';
import { mixAlbedo, type Surface, setAlbedo } from './material.ts';

type Rgb = ArrayLike<number>;

/** Growth rings, fibers and pores per unit across the grain; along it, features are dozens of times longer. */
const RINGS = 36;
const FIBERS = 48;
const PORES = 120;
/** Width of the joint between two boards, in world units. */
const JOINT = 0.005;

/**
 * Boards along x, `plankWidth` wide in y + z (for floors and fronts alike), with one in the middle. Each
 * board is cut from its own log and differs in tone and figure: some show cathedral grain, some straight
 * grain. Detail finer than a pixel fades to the mean, earlier than in other materials, because floors are
 * seen at grazing angles and would streak.
 */
export function makeWood(color: Rgb, dark: Rgb, s: number, plankWidth: number): Surface {
  const seam = (across: number, finest: number): number => {
    const t = across / plankWidth;
    const edge = (0.5 - Math.abs(t - Math.round(t))) * plankWidth;
    const blur = JOINT / 2 + finest;
    return smoothstep(blur, 0, edge) * Math.min(1, (1.5 * JOINT) / blur);
  };
  const fiber = (x: number, across: number, offset: number, finest: number): number =>
    fbm(1.3 * s * x + offset, FIBERS * s * across, offset, 2, 1.4 * FIBERS * s * finest);
  return {
    roughness: 0.4,
    f0: 0.035,
    bump: 0.02,
    translucency: 0,
    paint: (x, y, z, finest, out) => {
      const across = y + z;
      const plank = Math.round(across / plankWidth);
      const random = (salt: number): number => hashUnit(plank * 101 + salt);
      const offset = 37 * random(7);
      const local = across - plank * plankWidth;
      const bend = fbm(0.5 * s * x + offset, 1.3 * s * local, offset, 3, 0);
      // Rings are cones: a board cut beside the heartwood shows nested arches where its axis is near the
      // surface.
      const heart = local + plankWidth * (random(3) - 0.5);
      const axis = 0.05 + 0.12 * random(9) + 0.13 * Math.abs(s * x * 0.7 + 3 * bend + 5 * random(11) - 2.5);
      const ring = RINGS * s * (Math.sqrt(heart * heart + axis * axis) + 0.13 * bend);
      const saw = ring - Math.floor(ring);
      // Early wood darkens slowly into late wood, which ends abruptly; every year differs.
      const late = smoothstep(0.1, 0.9, saw) * smoothstep(1, 0.93, saw);
      const year = 0.55 + 0.9 * hashUnit(Math.floor(ring) * 13 + plank);
      const rings = (late * year - 0.45) * fadeOf(1.25 * RINGS * s * finest);
      const pore = Math.max(
        0,
        fbm(5 * s * x + offset, PORES * s * across, 2, 1, 1.3 * PORES * s * finest) - 0.1,
      );
      const share =
        0.3 +
        0.22 * (random(5) - 0.5) +
        0.3 * rings +
        0.34 * fiber(x, across, offset, finest) +
        0.7 * pore +
        // Broad streaks, the only grain visible from far away.
        0.4 * fbm(0.3 * s * x + offset, 6.5 * s * across, offset, 2, 6.5 * s * finest) +
        0.25 * bend;
      const tone = 1 + 0.16 * (random(13) - 0.5) + 0.1 * bend;
      mixAlbedo(out, color, dark, Math.min(1, Math.max(0, share)), tone * (1 - 0.7 * seam(across, finest)));
    },
    relief: (x, y, z, finest) => {
      const across = y + z;
      const offset = 37 * hashUnit(Math.round(across / plankWidth) * 101 + 7);
      return -0.2 * fiber(x, across, offset, finest) - 0.8 * seam(across, finest);
    },
  };
}

/** Threads per unit: finer than this would blur at product scale, coarser looks like knitwear. */
const LINEN_THREADS = 230;
/** Slubs per unit: about every third thread is thicker or darker for a stretch. */
const LINEN_SLUBS = 52;

/**
 * A plain weave of slightly irregular threads; both directions fade to their mean before a pixel is half a
 * thread wide.
 */
export function makeLinen(color: Rgb, s: number): Surface {
  const frequency = LINEN_THREADS * s;
  const weave = (x: number, across: number, finest: number): number => {
    const share = fadeOf(frequency * finest);
    if (share === 0) {
      return 0;
    }
    const a = Math.PI * (frequency * x + 0.5 * noise(3 * s * x, 50 * s * across, 1));
    const b = Math.PI * (frequency * across + 0.5 * noise(50 * s * x, 3 * s * across, 2));
    // Warp and weft alternate on top, with a rounded profile. The mean of |sin| is 2 / pi.
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
    translucency: 0,
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

/** Woven silk: smooth, with slight irregularities along the thread. */
export function makeSatin(color: Rgb, s: number): Surface {
  return {
    roughness: 0.34,
    f0: 0.19,
    bump: 0.002,
    translucency: 0,
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
