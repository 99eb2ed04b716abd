/** Environment light: a vertical gradient, a fill light from the camera's side, a softbox, and a room to reflect. */
import { smoothstep } from 'packshot-pixels';
import type { Panorama } from './places/panorama.ts';
import { addRoom } from './room-light.ts';
import type { Environment } from './studio-scene.ts';

export interface Sky {
  /** Adds radiance from the unit direction (x, y, z), times `weight`, to `out`. */
  readonly add: (x: number, y: number, z: number, weight: ArrayLike<number>, out: Float64Array) => void;
  /** Like `add`, but without detail, for light that rough surfaces reflect. */
  readonly addBroad: Sky['add'];
  /** Ambient light assumed at the end of a path, 3 channels. */
  readonly ambient: Float64Array;
}

/** A room around the set, turned so that its window is on the key light's side. */
export interface Room {
  readonly panorama: Panorama;
  readonly azimuthDeg: number;
}

/** Fraction of the sum of top and bottom light that is left inside a set after many bounces. */
export const AMBIENT_SHARE = 0.35;
/** Half the softbox's width and height at a distance of 1, and the width of its edge. */
const BOX_WIDTH = 0.36;
const BOX_HEIGHT = 0.52;
const BOX_EDGE = 0.03;
/**
 * Minimum radiance of a white card in the room. Even if the set is dark, the room is not; otherwise, gold would reflect
 * only black.
 */
const DIMMEST_ROOM = 0.4;

export function makeSky({ bottom, top, front, softbox }: Environment, room?: Room): Sky {
  const direction = softbox?.direction ?? [0, 1, 0];
  const length = Math.hypot(...direction) || 1;
  const [sx, sy, sz] = direction.map((value) => value / length) as [number, number, number];
  const strength = softbox?.intensity ?? 0;
  const addGradient = (
    y: number,
    z: number,
    box: number,
    weight: ArrayLike<number>,
    out: Float64Array,
  ): void => {
    const height = 0.5 * y + 0.5;
    const facing = z > 0 ? z * z : 0;
    for (let c = 0; c < 3; c++) {
      const light = bottom[c]! + (top[c]! - bottom[c]!) * height + front[c]! * facing + box;
      out[c] = out[c]! + weight[c]! * light;
    }
  };
  // Coordinates on the softbox: `across` is horizontal, `upward` perpendicular to it.
  const flat = Math.hypot(sx, sz) || 1;
  const boxAt = (x: number, y: number, z: number): number => {
    const ahead = x * sx + y * sy + z * sz;
    if (strength === 0 || ahead <= 0) return 0;
    const across = (x * sz - z * sx) / flat / ahead;
    const upward = (y * flat - (sy * (x * sx + z * sz)) / flat) / ahead;
    return (
      strength *
      smoothstep(BOX_WIDTH + BOX_EDGE, BOX_WIDTH, Math.abs(across)) *
      smoothstep(BOX_HEIGHT + BOX_EDGE, BOX_HEIGHT, Math.abs(upward))
    );
  };
  const addBroad: Sky['add'] = (x, y, z, weight, out) => {
    const box = strength === 0 ? 0 : strength * smoothstep(0.8, 0.92, x * sx + y * sy + z * sz);
    addGradient(y, z, box, weight, out);
  };
  const level = Float64Array.from(bottom, (low, c) => Math.max(DIMMEST_ROOM, (low + top[c]!) / 2));
  const roomWeight = new Float64Array(3);
  return {
    add: (x, y, z, weight, out) => {
      const box = boxAt(x, y, z);
      if (room === undefined) {
        addGradient(y, z, box, weight, out);
        return;
      }
      for (let c = 0; c < 3; c++) {
        roomWeight[c] = weight[c]! * level[c]!;
        out[c] = out[c]! + weight[c]! * box;
      }
      addRoom(room.panorama, room.azimuthDeg, x, y, z, roomWeight, out);
    },
    addBroad,
    ambient: Float64Array.from(bottom, (low, c) => AMBIENT_SHARE * (low + top[c]!)),
  };
}
