/** Ground and walls of a set: cyclorama (a floor that curves up into the wall), floor, wall and dune. */
import { smoothstep } from 'packshot-pixels';
import { fbm, noise } from '../noise.ts';
import { type Mesh, makeGridMesh } from './mesh.ts';

/** A rectangle of ground, in world units. */
export interface Plot {
  readonly fromX: number;
  readonly toX: number;
  readonly fromZ: number;
  readonly toZ: number;
}

/**
 * A height field over a plot. Rows run from the camera to the back, so that faces point up. Cells are smaller in the
 * middle.
 */
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

/**
 * Maps `share`, 0 to 1, to the range from `from` to `to`. In the middle, where the camera looks, equal steps of `share`
 * are half as long as with a linear map.
 */
export function spread(from: number, to: number, share: number): number {
  const t = 2 * share - 1;
  return (from + to) / 2 + ((to - from) / 2) * t * (0.5 + 0.5 * t * t);
}

/** A cyclorama: floor, quarter circle of `radius` and wall, as one smooth surface. */
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

/** An upright wall at depth `z` that faces the camera, from y = `fromY` to `toY`. */
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

/** Height of a dune's level part, slightly above the floor, which would otherwise show through. */
const DUNE_LEVEL = 0.006;

/** Sand that is level around the product and rises toward the back and the sides. */
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
