/** Environment light: a vertical gradient, a fill light from the camera's side, and a softbox. */
import { smoothstep } from './noise.ts';
import type { Environment } from './studio-scene.ts';

export interface Sky {
  /** Adds radiance from the unit direction (x, y, z), times `weight`, to `out`. */
  readonly add: (x: number, y: number, z: number, weight: ArrayLike<number>, out: Float64Array) => void;
  /** The same without detail, for light reflected by other surfaces. */
  readonly addBroad: Sky['add'];
  /** Ambient light assumed at the end of a path, 3 channels. */
  readonly ambient: Float64Array;
}

/** Fraction of the sky's top and bottom light that remains inside a set after many bounces. */
export const AMBIENT_SHARE = 0.35;

export function makeSky({ bottom, top, front, softbox }: Environment): Sky {
  const direction = softbox?.direction ?? [0, 1, 0];
  const length = Math.hypot(...direction) || 1;
  const [sx, sy, sz] = direction.map((value) => value / length) as [number, number, number];
  const strength = softbox?.intensity ?? 0;
  const add: Sky['add'] = (x, y, z, weight, out) => {
    const height = 0.5 * y + 0.5;
    const facing = z > 0 ? z * z : 0;
    const box = strength === 0 ? 0 : strength * smoothstep(0.8, 0.92, x * sx + y * sy + z * sz);
    for (let c = 0; c < 3; c++) {
      const light = bottom[c]! + (top[c]! - bottom[c]!) * height + front[c]! * facing + box;
      out[c] = out[c]! + weight[c]! * light;
    }
  };
  return {
    add,
    addBroad: add,
    ambient: Float64Array.from(bottom, (low, c) => AMBIENT_SHARE * (low + top[c]!)),
  };
}
