/** Walls and stones: plaster, concrete, marble, travertine, terrazzo, sand and pebble (scenes, 3.10). */
import { type Cell, fbm, findCell, hashInteger, noise, smoothstep } from '../noise.ts';
import { mixAlbedo, type Surface, setAlbedo } from './material.ts';

type Rgb = ArrayLike<number>;

export function makePlaster(color: Rgb, s: number): Surface {
  return {
    roughness: 0.9,
    f0: 0.02,
    bump: 0.05,
    translucency: 0,
    paint: (x, y, z, finest, out) => {
      const f = finest * s;
      const tone =
        1 +
        0.1 * fbm(2 * s * x, 2 * s * y, 2 * s * z, 4, 2 * f) +
        0.12 * fbm(0.7 * s * x + 9, 0.7 * s * y, 0.7 * s * z, 3, 0.7 * f);
      setAlbedo(out, color, tone);
    },
    // Trowel strokes run level: the y axis is scaled more.
    relief: (x, y, z, finest) =>
      0.5 * fbm(5 * s * x, 9 * s * y, 5 * s * z, 4, 9 * s * finest) +
      0.06 * fbm(31 * s * x, 31 * s * y, 31 * s * z, 1, 31 * s * finest),
  };
}

export function makeConcrete(color: Rgb, s: number): Surface {
  const cell: Cell = { nearest: 0, second: 0, hash: 0 };
  /** Depth of an air bubble at the point, 0 to 1: in one cell of eight, where the form pressed on the wall. */
  const pore = (x: number, y: number, z: number): number => {
    findCell(6 * s * x, 6 * s * y, 6 * s * z, cell);
    return cell.hash % 8 === 0 ? smoothstep(0.16, 0.1, cell.nearest) : 0;
  };
  return {
    roughness: 0.75,
    f0: 0.03,
    bump: 0.05,
    translucency: 0,
    paint: (x, y, z, finest, out) => {
      const f = finest * s;
      const tone =
        1 +
        0.3 * fbm(0.9 * s * x, 0.9 * s * y, 0.9 * s * z, 5, 0.9 * f) +
        0.18 * fbm(7 * s * x, 7 * s * y, 7 * s * z, 4, 7 * f);
      setAlbedo(out, color, tone * (1 - 0.55 * pore(x, y, z)));
    },
    relief: (x, y, z, finest) =>
      0.22 * fbm(3 * s * x, 3 * s * y, 3 * s * z, 4, 3 * s * finest) +
      0.1 * fbm(17 * s * x, 17 * s * y, 17 * s * z, 2, 17 * s * finest) -
      0.25 * pore(x, y, z),
  };
}

export function makeMarble(color: Rgb, vein: Rgb, s: number): Surface {
  return {
    roughness: 0.17,
    f0: 0.045,
    bump: 0,
    translucency: 0,
    paint: (wx, wy, wz, finest, out) => {
      const x = wx * s;
      const y = wy * s;
      const z = wz * s;
      const f = finest * s;
      const w1 = fbm(0.8 * x + 3.1, 0.8 * y, 0.8 * z, 5, 0.8 * f);
      const w2 = fbm(0.8 * x, 0.8 * y + 7.7, 0.8 * z, 5, 0.8 * f);
      // Turned off the axes: veins along an edge look printed.
      const rx = 0.8 * x + 0.6 * z;
      const rz = 0.8 * z - 0.6 * x;
      const n = noise(0.55 * rx + 1.5 * w1, 0.55 * y + 1.5 * w2, 0.55 * rz);
      const width = 0.035 + 0.09 * Math.max(0, 0.45 + w2);
      const near = Math.abs(n) / width;
      const main = 0.55 * Math.exp(-near * near) + 0.38 * Math.exp(-0.45 * near);
      const mask = smoothstep(-0.28, 0.2, fbm(0.6 * x + 21, 0.6 * y, 0.6 * z, 2, 0));
      const fine = Math.abs(noise(1.5 * rx + 2 * w2, 1.5 * y + 2 * w1, 1.5 * rz + 5)) / 0.022;
      const hair = Math.abs(noise(3.6 * rx + 2.4 * w1, 3.6 * y, 3.6 * rz + 2.4 * w2)) / 0.03;
      const share =
        main * mask * 0.95 +
        0.42 * Math.exp(-fine * fine) * smoothstep(-0.1, 0.3, w1) +
        0.16 * Math.exp(-hair * hair) +
        0.16 * Math.max(0, w1 + 0.3 * w2);
      mixAlbedo(out, color, vein, Math.min(1, share), 1);
    },
  };
}

export function makeTravertine(color: Rgb, tan: Rgb, s: number): Surface {
  const band = (x: number, y: number, z: number, f: number): number => {
    const bend = 0.35 * fbm(0.7 * x, 0.7 * y, 0.7 * z, 2, 0);
    return fbm(0.35 * x, 5 * y + 2.4 * bend, 0.35 * z, 4, 5 * f);
  };
  const pit = (x: number, y: number, z: number, layer: number): number =>
    layer < 0.1 ? 0 : smoothstep(0.5, 0.62, noise(7 * x, 40 * y, 7 * z) + 0.25 * layer);
  return {
    roughness: 0.45,
    f0: 0.035,
    bump: 0.035,
    translucency: 0,
    paint: (wx, wy, wz, finest, out) => {
      const [x, y, z, f] = [wx * s, wy * s, wz * s, finest * s];
      const layer = band(x, y, z, f);
      const fine = fbm(1.2 * x, 24 * y, 1.2 * z, 3, 24 * f);
      const cloud = fbm(1.1 * x + 5, 1.1 * y, 1.1 * z, 3, 0);
      const share = smoothstep(-0.35, 0.5, layer + 0.35 * fine + 0.3 * cloud);
      mixAlbedo(out, color, tan, share, (1 + 0.08 * fine) * (1 - 0.4 * pit(x, y, z, layer)));
    },
    relief: (wx, wy, wz, finest) => {
      const [x, y, z] = [wx * s, wy * s, wz * s];
      return (
        -0.5 * pit(x, y, z, band(x, y, z, finest * s)) + 0.12 * fbm(4 * x, 20 * y, 4 * z, 2, 20 * s * finest)
      );
    },
  };
}

export function makeTerrazzo(color: Rgb, chips: readonly Rgb[], s: number): Surface {
  const cell: Cell = { nearest: 0, second: 0, hash: 0 };
  return {
    roughness: 0.2,
    f0: 0.04,
    bump: 0,
    translucency: 0,
    paint: (wx, wy, wz, finest, out) => {
      const [x, y, z] = [wx * s, wy * s, wz * s];
      // Bent cell walls: straight ones would look like broken glass.
      const wobble = 0.22 * noise(7 * x, 7 * y, 7 * z);
      setAlbedo(out, color, 1 + 0.08 * fbm(3 * x, 3 * y, 3 * z, 3, 3 * s * finest));
      // The border between cells is blurred over a pixel; chips are cut flat, so their edges are sharp.
      for (const [frequency, empty, border] of SIZES) {
        findCell(frequency * x + wobble, frequency * y, frequency * z + wobble, cell);
        const pick = hashInteger(cell.hash ^ 0x51ed27);
        if (pick % 4 < empty) {
          continue;
        }
        const blur = Math.max(0.02, frequency * s * finest);
        const inside =
          smoothstep(border, border + blur, cell.second - cell.nearest) *
          smoothstep(ROUND, ROUND - blur, cell.nearest);
        if (inside > 0) {
          mixAlbedo(out, out, chips[pick % chips.length]!, inside, 1);
        }
      }
    },
  };
}
/** Small chips, then large ones over them: cells per unit, empty cells of four, and the mortar between chips. */
const SIZES = [
  [15, 2, 0.2],
  [5.6, 2, 0.16],
] as const;
/** Chips end this far from their middle, in cells: it rounds off the corners. */
const ROUND = 0.52;

export function makeSand(color: Rgb, s: number, ripple: number): Surface {
  return {
    roughness: 1,
    f0: 0,
    bump: 0.05,
    translucency: 0,
    paint: (x, y, z, finest, out) => {
      const f = finest * s;
      const tone =
        1 +
        0.16 * fbm(1.4 * s * x, 1.4 * s * y, 1.4 * s * z, 4, 1.4 * f) +
        0.4 * fbm(90 * s * x, 90 * s * y, 90 * s * z, 2, 90 * f);
      setAlbedo(out, color, tone);
    },
    relief: (x, y, z, finest) => {
      const bend = 1.3 * fbm(0.8 * s * x, 0, 0.8 * s * z, 3, 0);
      const wave = Math.sin((s * (z + 0.28 * x) + bend) * 9);
      // Wind ripples come in patches.
      const patch = smoothstep(-0.25, 0.25, noise(0.7 * x, 3, 0.7 * z));
      return (
        0.11 * ripple * wave * patch * 0.55 * 2 +
        0.07 * fbm(45 * s * x, 45 * s * y, 45 * s * z, 2, 45 * s * finest)
      );
    },
  };
}

export function makePebble(color: Rgb, s: number): Surface {
  const cell: Cell = { nearest: 0, second: 0, hash: 0 };
  return {
    roughness: 0.7,
    f0: 0.03,
    bump: 0.04,
    translucency: 0,
    paint: (wx, wy, wz, finest, out) => {
      const [x, y, z] = [wx * s, wy * s, wz * s];
      findCell(22 * x, 22 * y, 22 * z, cell);
      const speck = smoothstep(0.3, 0.2, cell.nearest) * ((cell.hash & 3) === 0 ? 1 : 0);
      const light = (cell.hash & 4) === 0 ? 0.35 : -0.3;
      setAlbedo(out, color, (1 + 0.35 * fbm(3 * x, 3 * y, 3 * z, 4, 3 * s * finest)) * (1 + light * speck));
    },
    relief: (x, y, z, finest) => fbm(6 * s * x, 6 * s * y, 6 * s * z, 4, 6 * s * finest),
  };
}
