/** Reads a panorama from `@pmndrs/assets`, and repairs artifacts of its compression and resizing. */

import { PackshotError } from 'packshot-errors';
import { luminanceOf } from 'packshot-pixels';
import parseExr from 'parse-exr';
import type { Panorama } from './panorama.ts';
import type { PlaceName, Spot } from './place-names.ts';

/** Value of `FloatType` that makes the parser return 32-bit instead of 16-bit numbers. */
const FLOAT = 1015;

export async function readPanorama(name: PlaceName): Promise<Panorama> {
  try {
    const module: unknown = await import(`@pmndrs/assets/hdri/${name}.exr.js`);
    return repairPanorama(decodePanorama((module as { readonly default: string }).default));
  } catch (cause) {
    throw new PackshotError('internal', `The panorama "${name}" cannot be read.`, { cause });
  }
}

/** Decodes an OpenEXR file given as a `data:` URL. */
export function decodePanorama(url: string): Panorama {
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  const { buffer, byteOffset, byteLength } = bytes;
  const copy = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const { width, height, data: rgba } = parseExr(copy, FLOAT);
  const data = new Float32Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      // The parser returns the lowest row first.
      const from = ((height - 1 - row) * width + column) * 4;
      for (let c = 0; c < 3; c++) data[(row * width + column) * 3 + c] = rgba[from + c]!;
    }
  }
  return { width, height, data };
}

/**
 * A channel is an artifact if it exceeds `STRAY_CHANNEL` times the next brightest channel of its pixel and
 * `STRAY_PIXEL` times the panorama's mean.
 */
const STRAY_CHANNEL = 4;
const STRAY_PIXEL = 12;

/**
 * Replaces negative and non-finite values, single channels that overflowed (they make a sun blue), and dark pixels
 * inside a light (where values in the middle of a sun overflowed and wrapped around).
 */
export function repairPanorama(panorama: Panorama): Panorama {
  const { width, height } = panorama;
  const data = panorama.data.map((value) => (value > 0 && Number.isFinite(value) ? value : 0));
  const mean = meanOf(data);
  for (let at = 0; at < data.length; at += 3) {
    const [low = 0, middle = 0, high = 0] = [data[at]!, data[at + 1]!, data[at + 2]!].sort((a, b) => a - b);
    if (high > STRAY_CHANNEL * middle && high > STRAY_PIXEL * mean && low < middle + high) {
      for (let c = 0; c < 3; c++) data[at + c] = Math.min(data[at + c]!, middle);
    }
  }
  const repaired = { width, height, data: Float32Array.from(data) };
  fillHoles({ width, height, data }, repaired);
  return repaired;
}

function meanOf(data: Float32Array): number {
  let sum = 0;
  for (const value of data) sum += value;
  return sum / data.length;
}

/**
 * Distance in columns. A dark pixel gets the mean of the two pixels this far to its left and right if both are bright
 * enough to belong to one light.
 */
const HOLE = 6;

function fillHoles({ width, height, data }: Panorama, to: Panorama): void {
  const bright = STRAY_PIXEL * meanOf(data);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const left = (row * width + ((column - HOLE + width) % width)) * 3;
      const right = (row * width + ((column + HOLE) % width)) * 3;
      const at = (row * width + column) * 3;
      const edge = Math.min(luminanceOf(data, left), luminanceOf(data, right));
      if (edge < bright || luminanceOf(data, at) > edge) continue;
      for (let c = 0; c < 3; c++) to.data[at + c] = (data[left + c]! + data[right + c]!) / 2;
    }
  }
}

/** Replaces a spot, row by row, with a gradient between the pixels to its left and right. */
export function eraseSpot(
  { width, height, data: original }: Panorama,
  { longitudeDeg, widthDeg, latitudesDeg }: Spot,
): Panorama {
  const data = original.slice();
  const rowAt = (latitudeDeg: number): number => Math.round((0.5 - latitudeDeg / 180) * height);
  const columnAt = (degrees: number): number => Math.round((degrees / 360 + 0.5) * width);
  const [left, right] = [columnAt(longitudeDeg - widthDeg / 2), columnAt(longitudeDeg + widthDeg / 2)];
  for (let row = rowAt(latitudesDeg[1]); row < rowAt(latitudesDeg[0]); row++) {
    const valueAt = (column: number, c: number): number => original[(row * width + column) * 3 + c]!;
    for (let column = left + 1; column < right; column++) {
      const share = (column - left) / (right - left);
      for (let c = 0; c < 3; c++) {
        data[(row * width + column) * 3 + c] = valueAt(left, c) * (1 - share) + valueAt(right, c) * share;
      }
    }
  }
  return { width, height, data };
}
