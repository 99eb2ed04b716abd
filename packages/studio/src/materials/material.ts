/** Materials ready for shading: color and relief as functions of a point in space. */
import type { Material as MaterialKind } from '../scene-plan.ts';

/**
 * Writes linear albedo (0.004 to 0.95 per channel) to `out`. `finest` is the pixel size at the point, in
 * world units.
 */
export type Paint = (x: number, y: number, z: number, finest: number, out: Float64Array) => void;
/**
 * Returns the height of the relief at a point, in the material's own units. Only its slopes matter. Takes far less time
 * than `Paint`.
 */
export type Relief = (x: number, y: number, z: number, finest: number) => number;

export interface Surface {
  readonly paint: Paint;
  readonly relief?: Relief;
  /**
   * Horizontal unit vector (x, z) across the grain, the direction in which the texture is finest; undefined for a
   * texture without grain.
   */
  readonly across?: readonly [x: number, z: number];
  /** Microfacet roughness, 0.02 (mirror) to 1. */
  readonly roughness: number;
  readonly f0: number;
  /** Multiplier for reflections and highlights, 0 to 1; default 1. */
  readonly gloss?: Relief;
  /** Height of one unit of relief, in world units; default 0. */
  readonly bump?: number;
  /** Fraction of light transmitted from behind, 0 to 1; default 0. */
  readonly translucency?: number;
}

export interface Material extends Surface {
  readonly kind: MaterialKind;
  readonly bump: number;
  readonly translucency: number;
  /** Mean of the texture, for indirect light: 3 channels. */
  readonly meanAlbedo: Float64Array;
}

/**
 * Limits of albedo: about the darkest paint and the brightest snow. Above the upper limit, indirect light would hardly
 * fade from bounce to bounce; below the lower limit, it would vanish at the first bounce.
 */
const DARKEST = 0.004;
const LIGHTEST = 0.95;

export function setAlbedo(out: Float64Array, color: ArrayLike<number>, factor: number): void {
  out[0] = clampAlbedo(color[0]! * factor);
  out[1] = clampAlbedo(color[1]! * factor);
  out[2] = clampAlbedo(color[2]! * factor);
}

/** Writes `factor` times the mix of colors `a` and `b` to `out`; `share` is the fraction of `b`, 0 to 1. */
export function mixAlbedo(
  out: Float64Array,
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  share: number,
  factor: number,
): void {
  for (let c = 0; c < 3; c++) {
    out[c] = clampAlbedo((a[c]! + (b[c]! - a[c]!) * share) * factor);
  }
}

function clampAlbedo(value: number): number {
  return value < DARKEST ? DARKEST : value > LIGHTEST ? LIGHTEST : value;
}
