/** Copies a part of a matte or picture. */
import type { Box, Matte, RgbaImage, RgbImage } from './pixels.ts';

/** The pixels of `picture` in `window`, which lies inside it. */
export function cutWindow(picture: Matte | RgbImage | RgbaImage, window: Box): Matte & RgbImage & RgbaImage {
  const { width, height } = window;
  const channels = picture.data.length / (picture.width * picture.height);
  const data = new Uint8Array(channels * width * height);
  for (let y = 0; y < height; y++) {
    const from = channels * ((window.y + y) * picture.width + window.x);
    data.set(picture.data.subarray(from, from + channels * width), channels * y * width);
  }
  return { width, height, data };
}
