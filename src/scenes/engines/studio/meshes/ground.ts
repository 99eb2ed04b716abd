/** What the set stands in and hangs in: cyclorama, dune, draped cloth, curtain, and the plane of a flat-lay. */
import { fbm, noise, smoothstep } from '../noise.ts';
import { type Mesh, makeGridMesh } from './mesh.ts';

/** A rectangle of ground, in world units. */
export interface Plot {
  readonly fromX: number;
  readonly toX: number;
  readonly fromZ: number;
  readonly toZ: number;
}

/** Height field over a plot; rows run from the camera to the back so that faces look up. Cells are finer in the middle. */
function makeField(plot: Plot, cells: number, heightAt: (x: number, z: number) => number): Mesh {
  return makeGridMesh({
    columns: cells + 1,
    rows: cells + 1,
    place: (column, row, out, offset) => {
      const x = spread(plot.fromX, plot.toX, column / cells);
      const z = spread(plot.toZ, plot.fromZ, row / cells);
      out[offset] = x;
      out[offset + 1] = heightAt(x, z);
      out[offset + 2] = z;
    },
  });
}

/** From `from` to `to` over 0 to 1, at half the pace in the middle: that is where the camera looks. */
function spread(from: number, to: number, share: number): number {
  const t = 2 * share - 1;
  return (from + to) / 2 + ((to - from) / 2) * t * (0.5 + 0.5 * t * t);
}

/** Floor, quarter round of `radius`, wall; as one surface of even normals. */
export function makeSweep(plot: Plot, height: number, radius: number): Mesh {
  const line: [y: number, z: number][] = [
    [0, plot.toZ],
    [0, plot.fromZ + radius + 0.01],
  ];
  for (let i = 0; i <= 24; i++) {
    const angle = (i / 24) * (Math.PI / 2);
    line.push([radius * (1 - Math.cos(angle)), plot.fromZ + radius * (1 - Math.sin(angle))]);
  }
  line.push([radius + 0.01, plot.fromZ], [height, plot.fromZ]);
  return makeGridMesh({
    columns: 2,
    rows: line.length,
    place: (column, row, out, offset) => {
      const [y, z] = line[row]!;
      out[offset] = column === 0 ? plot.fromX : plot.toX;
      out[offset + 1] = y;
      out[offset + 2] = z;
    },
  });
}

export function makeFloor(plot: Plot): Mesh {
  return makeField(plot, 1, () => 0);
}

/** Upright, facing the camera, standing on y = `fromY` at the depth `z`. */
export function makeWall(plot: Pick<Plot, 'fromX' | 'toX'>, fromY: number, toY: number, z: number): Mesh {
  return makeGridMesh({
    columns: 2,
    rows: 2,
    place: (column, row, out, offset) => {
      out[offset] = column === 0 ? plot.fromX : plot.toX;
      out[offset + 1] = row === 0 ? fromY : toY;
      out[offset + 2] = z;
    },
  });
}

/** Above the floor that lies below, which would show through. */
const DUNE_LEVEL = 0.006;

/** Sand that is level round the product and swells towards the back and the sides. */
export function makeDune(plot: Plot, amplitude: number, seed: number): Mesh {
  const shift = 19.3 * seed;
  return makeField(plot, 150, (x, z) => {
    const away = Math.hypot(x, (z + 0.25) * 1.15);
    const rise = smoothstep(0.75, 2.6, away);
    const swell = 0.55 + 1.1 * fbm(0.55 * x + shift, 0, 0.75 * z, 3, 0);
    // The crest of a dune is sharp on its lee side.
    const crest = 1 - Math.abs(noise(0.4 * x + shift, 3.1, 0.55 * z));
    return amplitude * rise * (0.7 * swell + 0.5 * crest * crest) + DUNE_LEVEL;
  });
}

export interface Drape {
  readonly plot: Plot;
  readonly amplitude: number;
  /** Radians from the x axis in which the folds run. */
  readonly direction: number;
  /** The cloth lies flat within this distance of (0, -0.25). */
  readonly flatRadius: number;
  readonly seed: number;
}

/**
 * Cloth on a table: long folds that pinch to ridges, of three sizes, warped so that they fork and end. Folds of cloth
 * are round above and narrow below, hence the power of the ridge.
 */
export function makeDrape({ plot, amplitude, direction, flatRadius, seed }: Drape): Mesh {
  const [c, s] = [Math.cos(direction), Math.sin(direction)];
  const shift = 23.1 * seed;
  return makeField(plot, 220, (x, z) => {
    const along = c * x + s * z;
    const across = c * z - s * x;
    const warp = 0.8 * fbm(0.45 * along + shift, 0.8 * across, 1.7, 3, 0);
    const broad = ridge(noise(0.26 * along + shift, 0.95 * (across + warp), 4.2));
    const middle = ridge(noise(0.42 * along + shift, 1.8 * (across + 1.2 * warp), 9.6));
    const small = ridge(noise(0.8 * along + shift, 3.2 * (across + 1.3 * warp), 5.1));
    const fine = fbm(0.9 * along + shift, 5 * (across + 1.5 * warp), 2.2, 2, 0);
    const away = Math.hypot(x, (z + 0.25) * 1.2);
    const rise = smoothstep(flatRadius, flatRadius + 0.85, away);
    return amplitude * rise * (0.6 * broad + 0.42 * middle + 0.12 * small) + 0.004 * fine;
  });
}

function ridge(value: number): number {
  const folded = 1 - Math.min(1, 1.6 * Math.abs(value));
  return folded * folded * (3 - 2 * folded);
}

export interface Curtain {
  readonly fromX: number;
  readonly toX: number;
  readonly z: number;
  readonly height: number;
  /** Folds per unit of width. */
  readonly frequency: number;
  readonly amplitude: number;
  readonly seed: number;
}

/** Hanging cloth: folds of uneven width that lean, narrow and shift on their way down. */
export function makeCurtain({ fromX, toX, z, height, frequency, amplitude, seed }: Curtain): Mesh {
  const columns = 640;
  const rows = 14;
  const shift = 7.7 * seed;
  return makeGridMesh({
    columns,
    rows,
    place: (column, row, out, offset) => {
      const x = fromX + ((toX - fromX) * column) / (columns - 1);
      const down = 1 - row / (rows - 1);
      const phase =
        2 * Math.PI * frequency * x +
        2.6 * noise(0.8 * x + shift, 0.5 * down, 0.3) +
        0.8 * down * noise(0.6 * x, 8.1, shift);
      const deep = 0.55 + 0.45 * noise(0.9 * x + shift, 5.3, 0.35 * down);
      const wave = Math.sin(phase) + 0.24 * Math.sin(2 * phase + 1.1);
      out[offset] = x + 0.1 * amplitude * Math.cos(phase) * deep;
      out[offset + 1] = height * (1 - down);
      out[offset + 2] = z + amplitude * deep * wave * (0.75 + 0.35 * down);
    },
  });
}
