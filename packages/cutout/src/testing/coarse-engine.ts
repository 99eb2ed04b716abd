/** A stub engine. Its matte has `sidePx` × `sidePx` pixels, each with the mean red value of its part of the photo. */
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';

export function predictAverages(sidePx: number): (photo: RgbImage) => Matte {
  return ({ width, height, data }) => {
    const answer = new Uint8Array(sidePx * sidePx);
    for (let y = 0; y < sidePx; y++) {
      for (let x = 0; x < sidePx; x++) {
        let sum = 0;
        for (let k = 0; k < 64; k++) {
          const u = Math.floor(((x + ((k & 7) + 0.5) / 8) * width) / sidePx);
          const v = Math.floor(((y + ((k >> 3) + 0.5) / 8) * height) / sidePx);
          sum += data[(v * width + u) * 3]!;
        }
        answer[y * sidePx + x] = Math.round(sum / 64);
      }
    }
    return { width: sidePx, height: sidePx, data: answer };
  };
}
