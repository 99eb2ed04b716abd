/** Tone mapping of linear light to 8-bit sRGB with accurate colors, dithering and slight grain. */
import { encodeSrgb255 } from '../srgb.ts';
import { hashInteger } from './noise.ts';
import type { Tone } from './studio-scene.ts';

/** Khronos PBR Neutral (KhronosGroup/ToneMapping): linear below the shoulder, then toward white. */
const SHOULDER = 0.72;
const DESATURATION = 0.15;
/** Triangular dither of 0.7 levels hides 8-bit banding. */
const DITHER = 0.7;

export interface ToneSettings extends Tone {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly seed: number;
}

/** Maps one row: linear `line`, three numbers per pixel, to the picture `to`. */
export function toneRow(
  { width, height, exposure, grain, vignette, seed }: ToneSettings,
  line: Float32Array,
  to: Uint8Array,
  row: number,
): void {
  const v = (2 * row) / height - 1;
  for (let column = 0; column < width; column++) {
    const u = (2 * column) / width - 1;
    const corner = (u * u + v * v) * 0.5;
    const gain = exposure * (1 - vignette * corner * corner);
    const random = hashInteger((row * width + column) ^ Math.imul(seed, 0x9e3779b1));
    // Four bytes of one hash: their sum is nearly Gaussian; the difference of two is triangular.
    const bytes = (random & 255) + ((random >>> 8) & 255) + ((random >>> 16) & 255) + (random >>> 24);
    const speck = ((bytes - 510) / 147.6) * grain * 255;
    let r = line[column * 3]! * gain;
    let g = line[column * 3 + 1]! * gain;
    let b = line[column * 3 + 2]! * gain;
    const peak = Math.max(r, g, b);
    if (peak > SHOULDER) {
      const d = 1 - SHOULDER;
      const shown = 1 - (d * d) / (peak + d - SHOULDER);
      const scale = shown / peak;
      const keep = 1 / (DESATURATION * (peak - shown) + 1);
      r = shown + (r * scale - shown) * keep;
      g = shown + (g * scale - shown) * keep;
      b = shown + (b * scale - shown) * keep;
    }
    const second = hashInteger(random);
    const at = (row * width + column) * 3;
    to[at] = level(encodeSrgb255(r) + speck + dither(second, 0));
    to[at + 1] = level(encodeSrgb255(g) + speck + dither(second, 8));
    to[at + 2] = level(encodeSrgb255(b) + speck + dither(second, 16));
  }
}

function dither(random: number, shift: number): number {
  const a = (random >>> shift) & 15;
  const b = (random >>> (shift + 4)) & 15;
  return ((a - b) / 15) * DITHER;
}

function level(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0;
}
