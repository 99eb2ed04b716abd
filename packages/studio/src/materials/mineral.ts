/** Mineral surfaces: plaster, concrete, marble, travertine, terrazzo, sand and pebble. */
import { smoothstep } from 'packshot-pixels';
import { type Cell, fadeOf, fbm, findCell, findPoint, hashInteger, noise } from '../noise.ts';
import { mixAlbedo, type Surface, setAlbedo } from './material.ts';

type Rgb = ArrayLike<number>;

export function makePlaster(color: Rgb, s: number): Surface {
  return {
    roughness: 0.9,
    f0: 0.02,
    bump: 0.024,
    paint: (x, y, z, finest, out) => {
      const f = finest * s;
      const tone =
        1 +
        0.08 * fbm(2 * s * x, 2 * s * y, 2 * s * z, 4, 2 * f) +
        0.07 * fbm(0.7 * s * x + 9, 0.7 * s * y, 0.7 * s * z, 3, 0.7 * f);
      setAlbedo(out, color, tone);
    },
    // Trowel strokes in all directions, more pronounced in some places than in others.
    relief: (x, y, z, finest) =>
      (0.4 + 0.5 * noise(0.8 * s * x, 0.8 * s * y, 0.8 * s * z + 5)) *
        fbm(6 * s * x + 2 * s * y, 6 * s * y - 2 * s * x, 6 * s * z, 4, 7 * s * finest) +
      0.06 * fbm(31 * s * x, 31 * s * y, 31 * s * z, 1, 31 * s * finest),
  };
}

/** Radius of the largest pores, in cells of the noise. */
const LARGEST_PORE = 0.15;

export function makeConcrete(color: Rgb, s: number): Surface {
  const cell: Cell = { nearest: 0, second: 0, hash: 0 };
  /** Depth of an air bubble at the point, 0 to 1. One cell in three contains a bubble. */
  const pore = (x: number, y: number, z: number, finest: number): number => {
    const reach = LARGEST_PORE + 0.02 + 4 * s * finest;
    if (!findPoint(6 * s * x, 6 * s * y, 6 * s * z, reach, cell) || cell.hash % 3 !== 0) {
      return 0;
    }
    const radius = 0.05 + (LARGEST_PORE - 0.05) * ((cell.hash >>> 8) & 255) ** 2 * 255 ** -2;
    const blur = 0.02 + 4 * s * finest;
    return smoothstep(radius + blur, radius - blur, cell.nearest) * Math.min(1, radius / blur);
  };
  /** Darkness of a grain of aggregate at the point, 0 to 1. Every second cell contains a grain. */
  const grain = (x: number, y: number, z: number, finest: number): number => {
    const blur = 0.03 + 12 * s * finest;
    if (!findPoint(26 * s * x, 26 * s * y, 26 * s * z, 0.2 + blur, cell) || cell.hash % 2 !== 0) return 0;
    const radius = 0.05 + 0.13 * (((cell.hash >>> 8) & 255) / 255) ** 2;
    return smoothstep(radius + blur, radius - blur, cell.nearest) * Math.min(1, radius / blur);
  };
  return {
    roughness: 0.75,
    f0: 0.03,
    bump: 0.05,
    paint: (x, y, z, finest, out) => {
      const f = finest * s;
      const tone =
        1 +
        0.3 * fbm(0.9 * s * x, 0.9 * s * y, 0.9 * s * z, 5, 0.9 * f) +
        0.14 * fbm(7 * s * x, 7 * s * y, 7 * s * z, 4, 7 * f) +
        // Sand. It fades later than other noise, because concrete without any sharp detail looks out of focus.
        0.3 * fbm(46 * s * x, 46 * s * y, 46 * s * z, 2, 20 * f);
      setAlbedo(out, color, tone * (1 - 0.5 * pore(x, y, z, finest)) * (1 - 0.45 * grain(x, y, z, finest)));
    },
    relief: (x, y, z, finest) =>
      0.22 * fbm(3 * s * x, 3 * s * y, 3 * s * z, 4, 3 * s * finest) +
      0.1 * fbm(17 * s * x, 17 * s * y, 17 * s * z, 2, 17 * s * finest) -
      0.25 * pore(x, y, z, finest),
  };
}

/**
 * Unit direction of the veins, and the fraction by which coordinates along this direction are shortened, which
 * stretches the texture.
 */
const VEIN_X = 0.74;
const VEIN_Y = 0.5;
const VEIN_Z = -0.45;
const VEIN_STRETCH = 0.62;

/**
 * Veins are the zero crossings of a warped noise. Stretching the noise along one direction makes long veins that fork
 * and join; without stretching, the veins would form closed cells. A vein thinner than a pixel is drawn one pixel wide,
 * but paler.
 */
export function makeMarble(color: Rgb, vein: Rgb, s: number): Surface {
  const line = (value: number, width: number, blur: number): number => {
    const wide = Math.sqrt(width * width + blur * blur);
    const near = value / wide;
    return (width / wide) * Math.exp(-near * near);
  };
  return {
    roughness: 0.17,
    f0: 0.045,
    paint: (wx, wy, wz, finest, out) => {
      const f = finest * s;
      const along = VEIN_STRETCH * s * (VEIN_X * wx + VEIN_Y * wy + VEIN_Z * wz);
      const x = wx * s - VEIN_X * along;
      const y = wy * s - VEIN_Y * along;
      const z = wz * s - VEIN_Z * along;
      const w1 = fbm(0.9 * x + 3.1, 0.9 * y, 0.9 * z, 4, 0.9 * f);
      const w2 = fbm(0.9 * x, 0.9 * y + 7.7, 0.9 * z, 4, 0.9 * f);
      const n = noise(0.9 * x + 1.25 * w1, 0.9 * y + 1.25 * w2, 0.9 * z);
      const width = 0.022 + 0.085 * Math.max(0, 0.3 + w2);
      const mask = smoothstep(-0.35, 0.15, fbm(0.6 * x + 21, 0.6 * y, 0.6 * z, 2, 0));
      const main = 0.58 * line(n, width, f) + 0.32 * Math.exp(-Math.abs(n) / (2.6 * width));
      const n2 = noise(1.7 * x + 1.7 * w2, 1.7 * y + 1.7 * w1, 1.7 * z + 5);
      const fine = line(n2, 0.024, 2 * f) * smoothstep(-0.15, 0.3, w1);
      const n3 = noise(3.9 * x + 2 * w1, 3.9 * y, 3.9 * z + 2 * w2);
      const hair = line(n3, 0.026, 4.5 * f) * smoothstep(0, 0.35, w2);
      const cloud = Math.max(0, w1 + 0.3 * w2);
      const share = mask * main + 0.5 * fine + 0.26 * hair + 0.2 * cloud;
      mixAlbedo(out, color, vein, Math.min(1, share), 1);
    },
  };
}

/**
 * Limestone deposited by springs: thin wavy layers of cream and tan with low contrast, and long rows of holes
 * from decayed plants. Without the holes it would look like wood.
 */
export function makeTravertine(color: Rgb, tan: Rgb, s: number): Surface {
  /** Vertical position relative to the layers, which undulate gently. */
  const bedOf = (x: number, y: number, z: number): number =>
    y + 0.14 * fbm(0.8 * x, 0.6 * y + 5, 0.8 * z, 2, 0) + 0.02 * noise(5 * x, 3 * y, 5 * z);
  const hole = (x: number, bed: number, z: number, f: number): number => {
    // Holes cluster along some layers.
    const crowd = noise(0.9 * x + 4, 5.5 * bed, 0.9 * z);
    if (crowd < 0) {
      return 0;
    }
    const limit = 0.5 - 0.26 * Math.min(0.6, crowd);
    const long = noise(13 * x, 30 * bed, 13 * z);
    const round = noise(26 * x, 42 * bed + 7, 26 * z) - 0.04;
    return smoothstep(limit, limit + 0.1 + 14 * f, Math.max(long, round)) / (1 + 40 * f);
  };
  return {
    roughness: 0.45,
    f0: 0.035,
    bump: 0.035,
    paint: (wx, wy, wz, finest, out) => {
      const [x, y, z, f] = [wx * s, wy * s, wz * s, finest * s];
      const bed = bedOf(x, y, z);
      const layer = fbm(0.5 * x, 6 * bed, 0.5 * z, 3, 6 * f);
      const fine = fbm(2.2 * x, 31 * bed, 2.2 * z, 2, 31 * f);
      const cloud = fbm(1.6 * x + 5, 1.6 * y, 1.6 * z, 4, 1.6 * f);
      const share = 0.34 + 0.8 * layer + 0.4 * fine + 0.5 * cloud;
      const tone = (1 + 0.1 * cloud) * (1 - 0.36 * hole(x, bed, z, f));
      mixAlbedo(out, color, tan, Math.min(1, Math.max(0, share)), tone);
    },
    relief: (wx, wy, wz, finest) => {
      const [x, y, z] = [wx * s, wy * s, wz * s];
      const bed = bedOf(x, y, z);
      return -0.5 * hole(x, bed, z, finest * s) + 0.1 * fbm(5 * x, 16 * bed, 5 * z, 2, 16 * s * finest);
    },
  };
}

export function makeTerrazzo(color: Rgb, chips: readonly Rgb[], s: number): Surface {
  const cell: Cell = { nearest: 0, second: 0, hash: 0 };
  return {
    roughness: 0.2,
    f0: 0.04,
    paint: (wx, wy, wz, finest, out) => {
      const [x, y, z] = [wx * s, wy * s, wz * s];
      // Bends the borders between cells; straight borders would look like broken glass.
      const wobble = 0.22 * noise(7 * x, 7 * y, 7 * z);
      setAlbedo(out, color, 1 + 0.08 * fbm(3 * x, 3 * y, 3 * z, 3, 3 * s * finest));
      // Chips are cut flat, so their edges are sharp: the blur is only as wide as a pixel.
      for (const [frequency, empty, border] of SIZES) {
        findCell(frequency * x + wobble, frequency * y, frequency * z + wobble, cell);
        const pick = hashInteger(cell.hash ^ 0x51ed27);
        if (pick % 4 < empty) {
          continue;
        }
        // Half the width of the blur of `nearest`. The difference of two distances changes twice as fast, so its blur
        // is twice as wide.
        const blur = Math.max(0.01, 0.6 * frequency * s * finest);
        const inside =
          smoothstep(border - 2 * blur, border + 2 * blur, cell.second - cell.nearest) *
          smoothstep(ROUND + blur, ROUND - blur, cell.nearest);
        if (inside > 0) {
          mixAlbedo(out, out, chips[pick % chips.length]!, inside, 1);
        }
      }
    },
  };
}
/**
 * Layers of chips, the larger chips on top: cells per world unit, number of empty cells out of four, and width (in
 * cells) of the mortar between chips.
 */
const SIZES = [
  [15, 2, 0.2],
  [5.6, 2, 0.16],
] as const;
/** Maximum radius of a chip, in cells. It rounds off the chip's corners. */
const ROUND = 0.52;

export function makeSand(color: Rgb, s: number): Surface {
  return {
    roughness: 1,
    f0: 0,
    bump: 0.05,
    paint: (x, y, z, finest, out) => {
      const f = finest * s;
      const tone =
        1 +
        0.16 * fbm(1.4 * s * x, 1.4 * s * y, 1.4 * s * z, 4, 1.4 * f) +
        0.34 * fbm(110 * s * x, 110 * s * y, 110 * s * z, 2, 110 * f);
      setAlbedo(out, color, tone);
    },
    relief: (x, y, z, finest) => {
      // Wind ripples fork, and occur in patches.
      const bend = 0.5 * fbm(0.8 * s * x, 0.8 * s * y, 0.8 * s * z, 3, 0);
      const patch = smoothstep(-0.3, 0.3, noise(0.7 * x, 0.7 * y + 3, 0.7 * z));
      const wave = Math.sin(s * SAND_RIPPLES * (z + y + 0.28 * x + bend));
      return (
        0.22 * wave * patch * fadeOf((SAND_RIPPLES * s * finest) / 6) +
        0.02 * fbm(130 * s * x, 130 * s * y, 130 * s * z, 1, 130 * s * finest) +
        0.05 * fbm(17 * s * x, 17 * s * y, 17 * s * z, 2, 17 * s * finest)
      );
    },
  };
}
/** Angular frequency of the ripples, in radians per world unit; the wavelength is about a quarter of a world unit. */
const SAND_RIPPLES = 24;

/** Crystals of granite per world unit, of two sizes. */
const CRYSTALS = [55, 120] as const;

/** A stone of fine crystals, such as granite: each is lighter or darker than the mean, and some are nearly black. */
export function makePebble(color: Rgb, s: number): Surface {
  const cell: Cell = { nearest: 0, second: 0, hash: 0 };
  const crystal = (x: number, y: number, z: number, frequency: number, f: number): number => {
    const share = fadeOf(0.5 * frequency * f);
    if (share === 0) return 0;
    findCell(frequency * x, frequency * y, frequency * z, cell);
    const pick = hashInteger(cell.hash ^ 0x2c1b3c6d) & 15;
    return share * (pick < 2 ? -0.4 : pick < 5 ? 0.28 : 0.02 * (pick - 9));
  };
  return {
    roughness: 0.7,
    f0: 0.03,
    bump: 0.04,
    paint: (wx, wy, wz, finest, out) => {
      const [x, y, z, f] = [wx * s, wy * s, wz * s, finest * s];
      const [large, small] = CRYSTALS;
      const grains = 0.42 * crystal(x, y, z, large, f) + 0.46 * crystal(x, y, z, small, f);
      setAlbedo(out, color, 1 + 0.14 * fbm(2 * x, 2 * y, 2 * z, 4, 2 * f) + grains);
    },
    relief: (x, y, z, finest) =>
      0.25 * fbm(4.5 * s * x, 4.5 * s * y, 4.5 * s * z, 3, 4.5 * s * finest) +
      0.16 * fbm(26 * s * x, 26 * s * y, 26 * s * z, 2, 26 * s * finest),
  };
}
