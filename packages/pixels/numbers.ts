/** Limits, ramps and smooth steps. */

export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Rises linearly from 0 at `from` to 1 at `to`, which may be the lower one. */
export function ramp(from: number, to: number, value: number): number {
  return clamp((value - from) / (to - from), 0, 1);
}

/** Like `ramp`, with Hermite interpolation: level at both ends. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = ramp(from, to, value);
  return t * t * (3 - 2 * t);
}
