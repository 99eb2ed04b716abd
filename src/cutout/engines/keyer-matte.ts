/** From a photo and its plain backdrop to a matte: what the border reaches through backdrop colours is backdrop. */
import type { Matte } from '../../pixels.ts';
import { findParts, type Part } from '../connected-parts.ts';
import { type Backdrop, readBackdrop, toSurfaceScale } from './keyer-backdrop.ts';
import type { LabImage } from './keyer-oklab.ts';

/** Distances in OKLab, where 0.02 is about the least difference that is seen side by side. */
const LEAST_DIFFERENCE = 0.028;
/** A backdrop pixel lies this many typical distances from its surface at most. */
const NOISE_REACH = 4;
/** A shadow darkens down to this share of the lightness and keeps the hue (OKLab scales with the cube root of light). */
const SHADOW_DEPTH = 0.72;
const SHADOW_HUE = 0.02;
/** How much of a shadow-like darkening counts as difference, where the photo is smooth. */
const SHADOW_WEIGHT = 0.3;
/** Lightness step over four pixels from which an edge is the product's: a shadow fades. */
const SHADOW_STEP = 0.035;
/** Parts and gaps below these shares of the picture are dust, or the grain of the product. */
const LEAST_PART = 0.0003;
const LEAST_GAP = 0.0008;
/** A gap (a handle's hole) shows the very backdrop: its mean differs no more than this. */
const GAP_DIFFERENCE = 0.008;
/** Where the backdrop is clipped to white, a white label and a hole look the same: keep the label. */
const CLIPPED_LIGHTNESS = 0.985;
/** Less than this share is dust, more is no product in front of anything. */
const LEAST_SUBJECT = 0.001;
const MOST_SUBJECT = 0.95;
/** The soft edge reaches this far to both sides. */
const EDGE_PX = 2;

export function keyMatte(photo: LabImage, backdrop: Backdrop): Matte {
  const { width, height } = photo;
  const distance = measureDifference(photo, backdrop);
  const limit = Math.max(LEAST_DIFFERENCE, NOISE_REACH * backdrop.noise);
  const outside = findOutside(distance, { width, height, limit });
  openGaps(photo, backdrop, { distance, outside, limit });
  dropDust(outside, width, height);
  const subject = outside.reduce((count, value) => count + 1 - value, 0) / outside.length;
  if (subject < LEAST_SUBJECT || subject > MOST_SUBJECT) return { width, height, data: new Uint8Array(outside.length) };
  return softenEdge(distance, outside, { width, height, limit });
}

/** How far each pixel is from the backdrop behind it; soft shadows count little. */
function measureDifference({ width, height, planes }: LabImage, backdrop: Backdrop): Float32Array {
  const [lightness, greenRed, blueYellow] = planes;
  const distance = new Float32Array(width * height);
  const at = new Float64Array(3);
  for (let y = 0, i = 0; y < height; y++) {
    const v = toSurfaceScale(y, height);
    const up = y >= 2 ? -2 * width : 0;
    const down = y < height - 2 ? 2 * width : 0;
    for (let x = 0; x < width; x++, i++) {
      readBackdrop(backdrop, toSurfaceScale(x, width), v, at);
      const l = lightness[i]!;
      const share = l / Math.max(0.05, at[0]!);
      let dl = l - at[0]!;
      let da = greenRed[i]! - at[1]!;
      let db = blueYellow[i]! - at[2]!;
      if (share < 1 && share > SHADOW_DEPTH) {
        const shadowA = greenRed[i]! - at[1]! * share;
        const shadowB = blueYellow[i]! - at[2]! * share;
        const across = Math.abs(lightness[i + (x < width - 2 ? 2 : 0)]! - lightness[i - (x >= 2 ? 2 : 0)]!);
        const along = Math.abs(lightness[i + down]! - lightness[i + up]!);
        if (Math.hypot(shadowA, shadowB) < SHADOW_HUE && Math.max(across, along) < SHADOW_STEP) {
          dl *= SHADOW_WEIGHT;
          da = shadowA;
          db = shadowB;
        }
      }
      distance[i] = Math.sqrt(dl * dl + da * da + db * db);
    }
  }
  return distance;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly limit: number;
}

/** 1 for every pixel that the border reaches through backdrop colours. */
function findOutside(distance: Float32Array, { width, height, limit }: Frame): Uint8Array {
  const like = distance.map((value) => (value < limit ? 1 : 0));
  const outside = new Uint8Array(distance.length);
  const { parts, order } = findParts(
    { width, height, data: Uint8Array.from(like) },
    { min: 1, max: 1, neighbours: 4 },
  );
  for (const part of parts) {
    if (part.touchesFrame) for (let i = part.start; i < part.end; i++) outside[order[i]!] = 1;
  }
  return outside;
}

interface Region {
  readonly distance: Float32Array;
  readonly outside: Uint8Array;
  readonly limit: number;
}

/** Opens enclosed areas that show the backdrop itself, unless its white is clipped and tells nothing. */
function openGaps(photo: LabImage, backdrop: Backdrop, { distance, outside, limit }: Region): void {
  const { width, height } = photo;
  const enclosed = new Uint8Array(distance.length);
  for (let i = 0; i < distance.length; i++) enclosed[i] = outside[i] === 0 && distance[i]! < limit ? 1 : 0;
  const { parts, order } = findParts({ width, height, data: enclosed }, { min: 1, max: 1, neighbours: 4 });
  for (const gap of parts) {
    if (gap.area < LEAST_GAP * distance.length) continue;
    if (!showsBackdrop(photo, backdrop, order.subarray(gap.start, gap.end))) continue;
    for (let i = gap.start; i < gap.end; i++) outside[order[i]!] = 1;
  }
}

function showsBackdrop({ width, height, planes }: LabImage, backdrop: Backdrop, gap: Int32Array): boolean {
  const at = new Float64Array(3);
  const sum = [0, 0, 0];
  let expectedLightness = 0;
  for (const index of gap) {
    const x = index % width;
    readBackdrop(backdrop, toSurfaceScale(x, width), toSurfaceScale((index - x) / width, height), at);
    expectedLightness += at[0]!;
    for (let c = 0; c < 3; c++) sum[c]! += planes[c]![index]! - at[c]!;
  }
  const difference = Math.hypot(sum[0]!, sum[1]!, sum[2]!) / gap.length;
  return difference < GAP_DIFFERENCE && expectedLightness / gap.length < CLIPPED_LIGHTNESS;
}

function dropDust(outside: Uint8Array, width: number, height: number): void {
  const { parts, order } = findParts({ width, height, data: outside }, { min: 0, max: 0, neighbours: 8 });
  const isDust = (part: Part): boolean => part.area < LEAST_PART * outside.length;
  for (const part of parts.filter(isDust)) {
    for (let i = part.start; i < part.end; i++) outside[order[i]!] = 1;
  }
}

/** Near the border of the two, a pixel's share is its difference over the greatest one around it. */
function softenEdge(distance: Float32Array, outside: Uint8Array, { width, height, limit }: Frame): Matte {
  const data = new Uint8Array(distance.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      let inner = 0;
      let outer = 0;
      let greatest = 0;
      for (let v = Math.max(0, y - EDGE_PX); v <= Math.min(height - 1, y + EDGE_PX); v++) {
        for (let u = Math.max(0, x - EDGE_PX); u <= Math.min(width - 1, x + EDGE_PX); u++) {
          const at = v * width + u;
          if (outside[at] === 1) outer++;
          else inner++;
          if (distance[at]! > greatest) greatest = distance[at]!;
        }
      }
      if (inner === 0) continue;
      if (outer === 0 || greatest <= limit) {
        data[i] = outside[i] === 1 ? 0 : 255;
        continue;
      }
      const share = (distance[i]! - limit / 2) / (greatest - limit / 2);
      data[i] = Math.round(255 * Math.min(1, Math.max(0, share)));
    }
  }
  return { width, height, data };
}
