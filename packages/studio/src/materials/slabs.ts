/** Stone slabs laid with joints, as on a terrace or a garden wall. */
import { smoothstep } from 'packshot-pixels';
import { hashUnit, noise } from '../noise.ts';
import type { SlabSizes } from '../studio-scene.ts';
import { type Surface, setAlbedo } from './material.ts';
import { gapAt } from './worn.ts';

/** Depth of a slab, and width of a joint and of the edges rounded by wear, relative to a slab's width. */
const DEPTH = 0.66;
const JOINT = 0.011;
const ROUNDED = 0.022;
/** Fraction of the light that a joint absorbs, and depth of the joint in world units. */
const JOINT_DARK = 0.72;
const JOINT_DEPTH = 0.016;
/** How far chips move a slab's edge, relative to the slab's width, and the number of chips per slab width. */
const CHIPS = 0.004;
const CHIP_CYCLES = 26;
/** Differences in brightness between slabs, as a fraction. */
const DIFFERENCE = 0.2;
/**
 * Blur, in pixels, of joints that run along the view and of joints that run across it. The latter need more, because on
 * a floor seen at a slant, a pixel is a few times as long as it is wide.
 */
const BLUR = { along: 0.6, across: 1.4 } as const;
/** The relief needs more blur than the color, because shading takes the slope between two points. */
const RELIEF_BLUR = 2;

export function laySlabs(surface: Surface, { width, turn, from }: SlabSizes): Surface {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const depth = DEPTH * width;
  const rounded = ROUNDED * width;
  /** Distances to the nearest joints in both directions, and the number of the slab. */
  const find = (wx: number, y: number, wz: number) => {
    const chip = CHIPS * width * noise((CHIP_CYCLES * wx) / width, y, (CHIP_CYCLES * wz) / width);
    const x = cos * (wx - from[0]) - sin * (wz - from[1]);
    const z = sin * (wx - from[0]) + cos * (wz - from[1]) + y;
    const row = Math.floor(z / depth);
    // Neighboring rows are offset against each other by at least a quarter of a slab.
    const u = x / width + (row % 2) / 2 + 0.25 * hashUnit(row * 389 + 7);
    const column = Math.floor(u);
    return {
      slab: row * 1009 + column * 131,
      edgeX: chip + (0.5 - Math.abs(u - column - 0.5)) * width,
      edgeZ: chip + (0.5 - Math.abs(z / depth - row - 0.5)) * depth,
    };
  };
  const { paint, relief = () => 0, bump = 0 } = surface;
  const lower = bump > 0 ? JOINT_DEPTH / bump : 0;
  const gap = (edgeX: number, edgeZ: number, finest: number): number =>
    Math.max(
      gapAt(Math.max(0, edgeX), JOINT * width, BLUR.along * finest),
      gapAt(Math.max(0, edgeZ), JOINT * width, BLUR.across * finest),
    );
  return {
    ...surface,
    paint: (x, y, z, finest, out) => {
      const { slab, edgeX, edgeZ } = find(x, y, z);
      paint(x + 37 * hashUnit(slab + 3), y, z + 37 * hashUnit(slab + 5), finest, out);
      const tone = 1 + DIFFERENCE * (hashUnit(slab + 13) - 0.5);
      setAlbedo(out, out, tone * (1 - JOINT_DARK * gap(edgeX, edgeZ, finest)));
    },
    relief: (x, y, z, finest) => {
      const { slab, edgeX, edgeZ } = find(x, y, z);
      const own = relief(x + 37 * hashUnit(slab + 3), y, z + 37 * hashUnit(slab + 5), finest);
      const soft = rounded + RELIEF_BLUR * finest;
      const fall = (rounded / soft) * smoothstep(soft, 0, Math.min(edgeX, edgeZ)) ** 2;
      return own - lower * fall;
    },
  };
}
