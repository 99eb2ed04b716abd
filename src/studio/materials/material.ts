/** What a surface is made of, ready to be shaded: colour and relief as functions of the point in space. */
import type { MaterialKind } from '../studio-scene.ts';

/** Writes linear albedo (0.004 to 0.95 a channel) into `out`. `finest` is the size of a pixel there, world units. */
export type Paint = (x: number, y: number, z: number, finest: number, out: Float64Array) => void;
/** Height in the material's own units, for the relief's slopes only; far cheaper than `Paint`. */
export type Relief = (x: number, y: number, z: number, finest: number) => number;

export interface Surface {
  readonly paint: Paint;
  readonly relief?: Relief;
  /** 0.02 to 1; sharp reflections below 0.55 cost rays. */
  readonly roughness: number;
  readonly f0: number;
  /** World height of one unit of relief. */
  readonly bump: number;
  /** Share of light that passes from behind, 0 to 1. */
  readonly translucency: number;
}

export interface Material extends Surface {
  readonly kind: MaterialKind;
  /** The texture's mean, for bounces of light: 3 channels. */
  readonly meanAlbedo: Float64Array;
}

/** Limits of real paints and snow; outside them bounces of light run away or die. */
const DARKEST = 0.004;
const LIGHTEST = 0.95;

export function setAlbedo(out: Float64Array, color: ArrayLike<number>, factor: number): void {
  out[0] = clampAlbedo(color[0]! * factor);
  out[1] = clampAlbedo(color[1]! * factor);
  out[2] = clampAlbedo(color[2]! * factor);
}

/** `share` of `b`, the rest `a`, times `factor`. */
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
