/** Draped and hanging cloth. Its folds have round crests and steep sides, and they fork, lean and fade out. */
import { smoothstep } from 'packshot-pixels';
import { fbm, noise } from '../noise.ts';
import { type Plot, spread } from './ground.ts';
import { type Mesh, makeGridMesh } from './mesh.ts';

export interface Drape {
  readonly plot: Plot;
  readonly amplitude: number;
  /**
   * Direction of the folds, in radians from the x axis toward the z axis. Seen from above, crests lean to the left of
   * this direction (at 0: straight away from the camera).
   */
  readonly direction: number;
  /** The cloth lies flat within about this distance, in world units, of the point x = 0, z = -0.25. */
  readonly flatRadius: number;
  readonly seed: number;
}

/** Grid cells per side of the cloth, so that half a crest is about ten cells wide. */
const DRAPE_CELLS = 190;

/**
 * Families of folds, widest first. `frequency` is the number of folds per world unit, `height` a fraction of the
 * drape's amplitude, `turn` the rotation from the common direction in radians, and `lean` how far a crest leans over,
 * as a multiple of its height. Draped satin shows long folds that bend together, and small folds between them;
 * isotropic noise would look like a landscape.
 */
const FAMILIES = [
  { frequency: 1.15, height: 0.46, turn: 0, lean: 0.3 },
  { frequency: 2.3, height: 0.23, turn: 0.13, lean: 0.22 },
  { frequency: 4.4, height: 0.08, turn: -0.1, lean: 0.2 },
] as const;

export function makeDrape({ plot, amplitude, direction, flatRadius, seed }: Drape): Mesh {
  const shift = 23.1 * seed;
  return makeGridMesh({
    columns: DRAPE_CELLS + 1,
    rows: DRAPE_CELLS + 1,
    place: (column, row, out, offset) => {
      const x = spread(plot.fromX, plot.toX, column / DRAPE_CELLS);
      const z = spread(plot.toZ, plot.fromZ, row / DRAPE_CELLS);
      // The flat area extends further in front, where a fold would hide the product's foot.
      const away = Math.hypot(x, (z + 0.25) * (z > -0.25 ? 0.85 : 1.2));
      // Folds near the wall are lower; otherwise they would look like a row of teeth in front of it.
      const near = 0.3 + 0.7 * smoothstep(plot.fromZ, plot.fromZ + 1.3, z);
      const rise = amplitude * near * smoothstep(flatRadius, flatRadius + 0.6, away);
      let [height, leanX, leanZ] = [0, 0, 0];
      for (const [i, family] of FAMILIES.entries()) {
        const [c, s] = [Math.cos(direction + family.turn), Math.sin(direction + family.turn)];
        const [along, across] = [c * x + s * z, c * z - s * x];
        const fold = rise * family.height * foldAt(along, across, family.frequency, shift + 7.3 * i);
        height += fold;
        leanX += s * fold * family.lean;
        leanZ -= c * fold * family.lean;
      }
      // Even cloth that lies flat is never an exact plane.
      height +=
        0.005 * fbm(1.6 * x + shift, 0.3, 1.6 * z, 2, 0) * smoothstep(0, 0.6, away - flatRadius + 0.3);
      out[offset] = x + leanX;
      out[offset + 1] = height;
      out[offset + 2] = z + leanZ;
    },
  });
}

/**
 * Height of one family of folds at a point, from 0 in valleys to 1 on crests. The folds bend, fan out and fade along
 * their length.
 */
function foldAt(along: number, across: number, frequency: number, shift: number): number {
  const bend = 0.5 * noise(0.26 * along + shift, 0.22 * across, 1.7) + 0.1 * noise(0.7 * along, shift, 0.6);
  const fan = 1 + 0.22 * noise(0.24 * along + 3.3, shift + 2.1, 0.15 * across);
  const phase = 2 * Math.PI * frequency * fan * (across + bend);
  const crest = 0.5 + 0.5 * Math.cos(phase);
  // Neighboring folds differ, and each one swells and fades along its length.
  const swell = smoothstep(
    -0.45,
    0.35,
    noise(0.3 * along + shift, 0.6 * frequency * (across + bend), 5.9) + 0.1,
  );
  return swell * crest ** 1.8;
}

export interface Curtain {
  readonly fromX: number;
  readonly toX: number;
  readonly z: number;
  readonly height: number;
  /** Folds per world unit. */
  readonly frequency: number;
  readonly amplitude: number;
  readonly seed: number;
}

const CURTAIN_COLUMNS = 560;
const CURTAIN_ROWS = 20;
/**
 * How far the sides of a fold are pulled together, 0 to 1. Cloth hangs in loops; plain sine waves would look like
 * corrugated iron.
 */
const LOOP = 0.82;

/** Hanging cloth. Its folds are irregular in width and depth; from top to bottom they lean, shift and get deeper. */
export function makeCurtain({ fromX, toX, z, height, frequency, amplitude, seed }: Curtain): Mesh {
  const shift = 7.7 * seed;
  const turns = 2 * Math.PI * frequency;
  return makeGridMesh({
    columns: CURTAIN_COLUMNS,
    rows: CURTAIN_ROWS,
    place: (column, row, out, offset) => {
      const x = fromX + ((toX - fromX) * column) / (CURTAIN_COLUMNS - 1);
      const down = 1 - row / (CURTAIN_ROWS - 1);
      const phase =
        turns * x +
        2.9 * noise(0.55 * frequency * x + shift, 0.45 * down, 0.3) +
        0.9 * down * noise(0.5 * x, 8.1, shift);
      const deep = 0.62 + 0.5 * noise(0.42 * frequency * x + shift, 5.3, 0.5 * down);
      // Adds occasional shallow folds between the deep ones.
      const between = 0.3 * smoothstep(0, 0.5, noise(0.5 * frequency * x, 2.2 + 0.3 * down, shift));
      const wave = Math.cos(phase) + between * Math.cos(2 * phase + 0.6);
      const loop = (LOOP / (2 * turns)) * Math.sin(2 * phase) * Math.min(1, 1.3 * deep);
      out[offset] = x + loop + 0.05 * down * noise(0.7 * x + shift, 1.1, 0.8 * down);
      out[offset + 1] = height * (1 - down);
      out[offset + 2] = z + amplitude * deep * wave * (0.8 + 0.3 * down);
    },
  });
}
