/** Panoramas: equirectangular pictures in linear light, and their geometry. */

/**
 * `data` has three numbers per pixel; row 0 is the zenith. The middle column is longitude 0, and longitude
 * increases to the right.
 */
export interface Panorama {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Solid angle of a pixel in a row, in steradians. */
export function solidAngleOf({ width, height }: Panorama, row: number): number {
  return ((2 * Math.PI) / width) * (Math.PI / height) * Math.sin((Math.PI * (row + 0.5)) / height);
}

/** Bilinear lookup; adds `weight` times the radiance at a fractional pixel to `out`. */
export function addRadiance(
  { width, height, data }: Panorama,
  column: number,
  row: number,
  weight: ArrayLike<number>,
  out: Float64Array,
): void {
  const x = column - 0.5;
  const y = Math.min(height - 1, Math.max(0, row - 0.5));
  const left = Math.floor(x);
  const top = Math.floor(y);
  const fx = x - left;
  const fy = y - top;
  const from = (left + width) % width;
  const to = (from + 1) % width;
  const below = Math.min(height - 1, top + 1);
  const a = (top * width + from) * 3;
  const b = (top * width + to) * 3;
  const c = (below * width + from) * 3;
  const d = (below * width + to) * 3;
  for (let i = 0; i < 3; i++) {
    const upper = data[a + i]! + (data[b + i]! - data[a + i]!) * fx;
    const lower = data[c + i]! + (data[d + i]! - data[c + i]!) * fx;
    out[i] = out[i]! + weight[i]! * (upper + (lower - upper) * fy);
  }
}

/** Like `addRadiance`, from the unit direction (x, y, z); a longitude of 0 is at (0, 0, -1) if `turn`, in turns, is 0. */
export function addFrom(
  panorama: Panorama,
  [x, y, z]: readonly [x: number, y: number, z: number],
  turn: number,
  weight: ArrayLike<number>,
  out: Float64Array,
): void {
  const turns = Math.atan2(x, -z) / (2 * Math.PI) + turn + 0.5;
  const up = Math.atan2(y, Math.sqrt(x * x + z * z)) / Math.PI;
  const column = (turns - Math.floor(turns)) * panorama.width;
  addRadiance(panorama, column, (0.5 - up) * panorama.height, weight, out);
}

/** Averages blocks of `factor` by `factor` pixels. */
export function shrinkPanorama({ width, height, data }: Panorama, factor: number): Panorama {
  const small = { width: width / factor, height: height / factor };
  const mean = new Float32Array(small.width * small.height * 3);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const to = (Math.floor(row / factor) * small.width + Math.floor(column / factor)) * 3;
      const from = (row * width + column) * 3;
      for (let c = 0; c < 3; c++) mean[to + c] = mean[to + c]! + data[from + c]! / (factor * factor);
    }
  }
  return { ...small, data: mean };
}
