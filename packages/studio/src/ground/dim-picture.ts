/** Applies a shadow to a picture. */
import { decodeSrgb, encodeSrgb255, type RgbImage } from 'packshot-pixels';
import type { Grid } from './grid.ts';

const linear = Float32Array.from({ length: 256 }, (_, value) => decodeSrgb(value / 255));

/** Multiplies a pixel, in linear light and in place, by `share`, 0 to 1. */
export function dimPixel({ data }: RgbImage, pixel: number, share: number): void {
  for (let at = pixel * 3; at < pixel * 3 + 3; at++) {
    data[at] = Math.round(encodeSrgb255(linear[data[at]!]! * share));
  }
}

/**
 * Multiplies each pixel, in linear light and in place, by the fraction `kept`, which is interpolated bilinearly between
 * the centers of the grid's cells.
 */
export function dimPicture(picture: RgbImage, kept: Float32Array, grid: Grid): void {
  const { width, height } = picture;
  for (let y = 0; y < height; y++) {
    const v = Math.min(grid.height - 1, Math.max(0, (y + 0.5) / grid.cellPx - 0.5));
    const upper = Math.floor(v) * grid.width;
    const lower = Math.min(grid.height - 1, Math.floor(v) + 1) * grid.width;
    const down = v - Math.floor(v);
    for (let x = 0; x < width; x++) {
      const u = Math.min(grid.width - 1, Math.max(0, (x + 0.5) / grid.cellPx - 0.5));
      const left = Math.floor(u);
      const right = Math.min(grid.width - 1, left + 1);
      const a = kept[upper + left]! + (kept[upper + right]! - kept[upper + left]!) * (u - left);
      const b = kept[lower + left]! + (kept[lower + right]! - kept[lower + left]!) * (u - left);
      const share = a + (b - a) * down;
      if (share < 1) {
        dimPixel(picture, y * width + x, share);
      }
    }
  }
}
