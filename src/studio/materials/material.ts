/** Materials ready for shading: color and relief as functions of a point in space. */
import type { MaterialKind } from '../studio-scene.ts';

/**
 * Writes linear albedo (0.004 to 0.95 per channel) to `out`. `finest` is the pixel size at the point, in
 * world units.
 */
export type Paint = (x: number, y: number, z: number, finest: number, out: Float64Array) => void;
/** Height in the material's own units, used only for slopes; far cheaper than `Paint`. */
export type Relief = (x: number, y: number, z: number, finest: number) => number;

export interface Surface {
  readonly paint: Paint;
  readonly relief?: Relief;
  /** Horizontal unit vector (x, z) along which the texture is finest: across the grain. Default every direction. */
  readonly across?: readonly [x: number, z: number];
  /** 0.02 to 1; sharp reflections below 0.55 need rays. */
  readonly roughness: number;
  readonly f0: number;
  /** Factor on reflections and highlights, 0 to 1; default 1. */
  readonly gloss?: Relief;
  /** World height of one unit of relief. */
  readonly bump: number;
  /** Fraction of light transmitted from behind, 0 to 1. */
  readonly translucency: number;
}

export interface Material extends Surface {
  readonly kind: MaterialKind;
  /** Mean of the texture, for indirect light: 3 channels. */
  readonly meanAlbedo: Float64Array;
}

/** Limits of real paints and snow; beyond them, indirect light diverges or vanishes. */
const DARKEST = 0.004;
const LIGHTEST = 0.95;

export function setAlbedo(out: Float64Array, color: ArrayLike<number>, factor: number): void {
  out[0] = clampAlbedo(color[0]! * factor);
  out[1] = clampAlbedo(color[1]! * factor);
  out[2] = clampAlbedo(color[2]! * factor);
}

/** Mixes `share` of `b` with the rest of `a`, times `factor`. */
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
