/** Step: takes a rim off the subject by eroding its soft alpha. */
import type { RgbaImage } from '../pixels.ts';

/**
 * Grey-scale erosion (Serra 1982) with a disc: alpha becomes the least alpha within `radiusPx`, so a soft edge keeps
 * its softness and moves inwards. Between whole radii the two neighbours are mixed. Colours stay.
 * Outside the picture nothing is eroded: a subject cut by the frame keeps its cut.
 */
export function shrinkEdge(subject: RgbaImage, radiusPx: number): RgbaImage {
  const small = Math.floor(radiusPx);
  const share = radiusPx - small;
  const alpha = new Uint8Array(subject.width * subject.height);
  for (let i = 0; i < alpha.length; i++) {
    alpha[i] = subject.data[4 * i + 3]!;
  }
  const low = small === 0 ? alpha : erode(alpha, subject, small);
  const high = share === 0 ? low : erode(alpha, subject, small + 1);
  const data = new Uint8Array(subject.data);
  for (let i = 0; i < alpha.length; i++) {
    const eroded = Math.round(low[i]! + (high[i]! - low[i]!) * share);
    data[4 * i + 3] = eroded;
    if (eroded === 0) {
      data.fill(0, 4 * i, 4 * i + 3);
    }
  }
  return { width: subject.width, height: subject.height, data };
}

function erode(alpha: Uint8Array, { width, height }: RgbaImage, radius: number): Uint8Array {
  // One column run per row of the disc: `reach[d]` is its half width at distance d.
  const reach = Array.from({ length: radius + 1 }, (_, d) =>
    Math.floor(Math.sqrt((radius + 0.3) ** 2 - d * d)),
  );
  const result = new Uint8Array(alpha.length).fill(255);
  const runs = reach.map((half) => minimumAlongRows(alpha, width, height, half));
  for (let y = 0; y < height; y++) {
    for (let d = -radius; d <= radius; d++) {
      const source = y + d;
      if (source < 0 || source >= height) {
        continue;
      }
      const run = runs[Math.abs(d)]!;
      for (let x = 0; x < width; x++) {
        const value = run[source * width + x]!;
        if (value < result[y * width + x]!) {
          result[y * width + x] = value;
        }
      }
    }
  }
  return result;
}

function minimumAlongRows(alpha: Uint8Array, width: number, height: number, half: number): Uint8Array {
  const result = new Uint8Array(alpha);
  for (let shift = 1; shift <= half; shift++) {
    for (let y = 0; y < height; y++) {
      const row = y * width;
      for (let x = 0; x < width; x++) {
        const left = x >= shift ? alpha[row + x - shift]! : 255;
        const right = x + shift < width ? alpha[row + x + shift]! : 255;
        const least = left < right ? left : right;
        if (least < result[row + x]!) {
          result[row + x] = least;
        }
      }
    }
  }
  return result;
}
