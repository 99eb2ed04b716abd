/**
 * Splits a panorama into its strongest light (the lamp) and the remaining soft light. The lamp becomes an area light,
 * whose size determines how soft its shadows are.
 */
import { luminanceOf } from 'packshot-pixels';
import { type Panorama, solidAngleOf } from './panorama.ts';
import type { SunSettings } from './place-names.ts';

export interface Lamp {
  /** Longitude as in `Panorama`, in degrees; `latitudeDeg` is in degrees above the horizon. */
  readonly longitudeDeg: number;
  readonly latitudeDeg: number;
  readonly radiusDeg: number;
  /** Radiance of a white surface that faces the lamp (irradiance divided by pi), 3 channels. */
  readonly radiance: readonly [number, number, number];
}

export interface SplitLight {
  readonly lamp: Lamp;
  readonly soft: Panorama;
}

/**
 * A pixel belongs to the lamp if its luminance is at least the fraction `PEAK_SHARE` of the lamp's peak and at least
 * `MEAN_FACTOR` times the mean of the panorama's upper half.
 */
const PEAK_SHARE = 0.15;
const MEAN_FACTOR = 5;
/** Maximum distance of a lamp's pixels from its peak, in degrees; light beyond it stays in the soft light. */
const MAX_REACH = 20;
/** Angular radius, in degrees, of the disc that a sun and its artifacts cover in a file. */
const SUN_REACH = 4;
/**
 * Angular radius, in degrees, of a sun softened by haze and lens. With 0.5, shadow edges would show the steps of the
 * visibility grid.
 */
const SUN_RADIUS = 0.7;
const RADIUS_LIMITS = [0.7, 18] as const;

export function takeLightOut(panorama: Panorama, sun?: SunSettings): SplitLight {
  const region = sun === undefined ? findPeak(panorama) : findDisc(panorama, sun);
  const level = meanAround(panorama, region);
  const soft: Panorama = { ...panorama, data: panorama.data.slice() };
  const sum = [0, 0, 0];
  const toward = [0, 0, 0];
  let area = 0;
  for (const pixel of region) {
    const angle = solidAngleOf(panorama, Math.floor(pixel / panorama.width));
    area += angle;
    const before = luminanceOf(panorama.data, pixel * 3);
    for (let c = 0; c < 3; c++) {
      const value = panorama.data[pixel * 3 + c]!;
      // A sun's whole disc is replaced, including parts that artifacts made darker than the surroundings.
      const kept = sun === undefined ? Math.min(value, level[c]!) : level[c]!;
      soft.data[pixel * 3 + c] = kept;
      sum[c] = sum[c]! + Math.max(0, value - kept) * angle;
    }
    const gone = before * angle;
    const direction = directionOf(panorama, pixel);
    for (let c = 0; c < 3; c++) toward[c] = toward[c]! + gone * direction[c]!;
  }
  const [x = 0, y = 1, z = 0] = toward;
  const radius = (Math.sqrt(area / Math.PI) * 180) / Math.PI;
  const measured = {
    longitudeDeg: sun?.longitudeDeg ?? (Math.atan2(x, -z) * 180) / Math.PI,
    latitudeDeg: sun?.latitudeDeg ?? (Math.atan2(y, Math.hypot(x, z)) * 180) / Math.PI,
    radiusDeg:
      sun === undefined ? Math.min(RADIUS_LIMITS[1], Math.max(RADIUS_LIMITS[0], radius)) : SUN_RADIUS,
  };
  const radiance = sum.map((value) => value / Math.PI) as [number, number, number];
  return {
    soft,
    lamp: { ...measured, radiance: sun?.share === undefined ? radiance : restoreSun(soft, sun) },
  };
}

/**
 * Estimates the radiance of a clipped sun. `share` is the sun's light relative to the sky's light, known from the sun's
 * height and the haze.
 */
function restoreSun(soft: Panorama, { share = 0, color = [1, 0.9, 0.75] }: SunSettings) {
  const sky = luminanceOf(measureUpward(soft), 0);
  const scale = (share * sky) / luminanceOf(color, 0);
  return color.map((channel) => channel * scale) as [number, number, number];
}

/** Radiance of a white, level surface in the panorama's light. */
export function measureUpward(panorama: Panorama): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (let row = 0; row < panorama.height / 2; row++) {
    const facing = Math.cos((Math.PI * (row + 0.5)) / panorama.height);
    const share = (solidAngleOf(panorama, row) * facing) / Math.PI;
    for (let at = row * panorama.width * 3; at < (row + 1) * panorama.width * 3; at += 3) {
      for (let c = 0; c < 3; c++) sum[c] = sum[c]! + share * panorama.data[at + c]!;
    }
  }
  return sum;
}

function directionOf({ width, height }: Panorama, pixel: number): [number, number, number] {
  const longitude = (((pixel % width) + 0.5) / width - 0.5) * 2 * Math.PI;
  const latitude = (0.5 - (Math.floor(pixel / width) + 0.5) / height) * Math.PI;
  const flat = Math.cos(latitude);
  return [flat * Math.sin(longitude), Math.sin(latitude), -flat * Math.cos(longitude)];
}

function angleBetween(a: readonly number[], b: readonly number[]): number {
  const cos = a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  return (Math.acos(Math.min(1, Math.max(-1, cos))) * 180) / Math.PI;
}

function findDisc(panorama: Panorama, { longitudeDeg, latitudeDeg }: SunSettings): number[] {
  const { width, height } = panorama;
  const column = Math.floor((longitudeDeg / 360 + 0.5) * width);
  const row = Math.floor((0.5 - latitudeDeg / 180) * height);
  return spread(panorama, row * width + column, SUN_REACH, () => true);
}

/** The connected bright pixels around the brightest one above the horizon. */
function findPeak(panorama: Panorama): number[] {
  const { width, height, data } = panorama;
  let peak = 0;
  let mean = 0;
  for (let pixel = 0; pixel < (width * height) / 2; pixel++) {
    const luminance = luminanceOf(data, pixel * 3);
    mean += luminance / ((width * height) / 2);
    if (luminance > luminanceOf(data, peak * 3)) peak = pixel;
  }
  const least = Math.max(PEAK_SHARE * luminanceOf(data, peak * 3), MEAN_FACTOR * mean);
  return spread(panorama, peak, MAX_REACH, (pixel) => luminanceOf(data, pixel * 3) >= least);
}

/** Pixels connected to `start`, at most `reach` degrees away, for which `belongs` is true. */
function spread(
  panorama: Panorama,
  start: number,
  reach: number,
  belongs: (pixel: number) => boolean,
): number[] {
  const { width, height } = panorama;
  const center = directionOf(panorama, start);
  const seen = new Set([start]);
  const found = [start];
  for (const pixel of found) {
    for (const next of neighborsOf(pixel, width, height)) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (belongs(next) && angleBetween(center, directionOf(panorama, next)) <= reach) found.push(next);
    }
  }
  return found;
}

function neighborsOf(pixel: number, width: number, height: number): number[] {
  const column = pixel % width;
  const row = Math.floor(pixel / width);
  return [
    row * width + ((column + 1) % width),
    row * width + ((column + width - 1) % width),
    ...(row > 0 ? [pixel - width] : []),
    ...(row < height - 1 ? [pixel + width] : []),
  ];
}

/** Mean color of the pixels that border on a region. */
function meanAround({ width, height, data }: Panorama, region: readonly number[]): [number, number, number] {
  const inside = new Set(region);
  const border = new Set<number>();
  for (const pixel of region) {
    for (const next of neighborsOf(pixel, width, height)) if (!inside.has(next)) border.add(next);
  }
  const sum: [number, number, number] = [0, 0, 0];
  for (const pixel of border) {
    for (let c = 0; c < 3; c++) sum[c] = sum[c]! + data[pixel * 3 + c]! / Math.max(1, border.size);
  }
  return sum;
}
