/** Step: extends colors beyond the outline, so that applying the matte to the opaque picture shows no fringe. */
import type { RgbaImage } from 'packshot-pixels';

interface Level {
  readonly width: number;
  readonly height: number;
  /** Four numbers per pixel: the weighted sums of red, green and blue, and the sum of the weights. */
  readonly sums: Float32Array;
}

/**
 * Returns RGB: pixels with alpha keep their color, all others get nearby colors from a pyramid of averages (pull-push,
 * Gortler et al. 1996).
 */
export function extendColors(picture: RgbaImage): Uint8Array {
  const { width, height, data } = picture;
  const levels = [
    pull(width, height, (i, sums, at) => {
      const alpha = data[4 * i + 3]!;
      for (let c = 0; c < 3; c++) sums[at + c] = sums[at + c]! + data[4 * i + c]! * alpha;
      sums[at + 3] = sums[at + 3]! + alpha;
    }),
  ];
  for (let last = levels[0]!; last.width * last.height > 1; last = levels.at(-1)!) {
    const { sums: from } = last;
    levels.push(
      pull(last.width, last.height, (i, sums, at) => {
        const weight = from[4 * i + 3]!;
        if (weight === 0) return;
        for (let c = 0; c < 3; c++) sums[at + c] = sums[at + c]! + from[4 * i + c]! / weight;
        sums[at + 3] = sums[at + 3]! + 1;
      }),
    );
  }
  for (let n = levels.length - 2; n >= 0; n--) push(levels[n]!, levels[n + 1]!);
  const rgb = new Uint8Array(width * height * 3);
  const coarse = levels[0]!;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const isOwn = data[4 * i + 3]! > 0;
      const from = isOwn ? 4 * i : 4 * ((y >> 1) * coarse.width + (x >> 1));
      const weight = isOwn ? 1 : coarse.sums[from + 3]! || 1;
      for (let c = 0; c < 3; c++)
        rgb[3 * i + c] = isOwn ? data[from + c]! : coarse.sums[from + c]! / weight + 0.5;
    }
  }
  return rgb;
}

/** Makes a level of half the size: each pixel is the sum of at most four pixels. */
function pull(
  width: number,
  height: number,
  add: (pixel: number, sums: Float32Array, at: number) => void,
): Level {
  const half = { width: (width + 1) >> 1, height: (height + 1) >> 1 };
  const sums = new Float32Array(half.width * half.height * 4);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) add(i, sums, 4 * ((y >> 1) * half.width + (x >> 1)));
  }
  return { ...half, sums };
}

/** Fills pixels without color from the coarser level. */
function push({ width, height, sums }: Level, coarse: Level): void {
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (sums[4 * i + 3]! > 0) continue;
      const from = 4 * ((y >> 1) * coarse.width + (x >> 1));
      const weight = coarse.sums[from + 3]!;
      if (weight === 0) continue;
      for (let c = 0; c < 3; c++) sums[4 * i + c] = coarse.sums[from + c]! / weight;
      sums[4 * i + 3] = 1;
    }
  }
}
