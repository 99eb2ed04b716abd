/** Tells by color whether a pixel more probably belongs to the backdrop or to the product. */
import type { Matte, RgbImage } from '../../pixels.ts';
import { createColorHistogram, findBin } from './color-histogram.ts';
import { writeLab } from './lab-photo.ts';

/** Maximum alpha of a pure backdrop pixel, and minimum alpha of a pure product pixel. */
const BACKDROP = 8;
const SOLID = 247;
/** Cap on the log-likelihood. Without it, one pixel of a rare color would outweigh its neighbors. */
const MOST_LIKELIHOOD = 3;
const RADIUS_PX = 2;

/**
 * Returns a function that takes a pixel's index and returns the mean log-likelihood ratio (backdrop to product) of the
 * colors in a window around the pixel: positive if they are more frequent in the backdrop. Parts of the window outside
 * the photo count as 0. `matte` has the photo's size.
 */
export function compareToBackdrop(photo: RgbImage, matte: Matte): (pixel: number) => number {
  const { width, height } = photo;
  const bins = listBins(photo);
  const logs = compareBins(bins, matte);
  const sumRow = (y: number, x: number): number => {
    if (y < 0 || y >= height) return 0;
    let sum = 0;
    const last = Math.min(width - 1, x + RADIUS_PX);
    for (let u = Math.max(0, x - RADIUS_PX); u <= last; u++) sum += logs[bins[y * width + u]!]!;
    return sum;
  };
  return (pixel) => {
    const x = pixel % width;
    const y = (pixel - x) / width;
    let sum = 0;
    for (let v = y - RADIUS_PX; v <= y + RADIUS_PX; v++) sum += sumRow(v, x);
    return sum / (2 * RADIUS_PX + 1) ** 2;
  };
}

/** The log-likelihood ratio of each bin. */
function compareBins(bins: Uint16Array, { data }: Matte): Float64Array {
  const backdrop = createColorHistogram();
  const product = createColorHistogram();
  for (let i = 0; i < data.length; i++) {
    if (data[i]! <= BACKDROP) backdrop.addBin(bins[i]!);
    else if (data[i]! >= SOLID) product.addBin(bins[i]!);
  }
  backdrop.finish();
  product.finish();
  const inProduct = product.listShares();
  return backdrop.listShares().map((inBackdrop, bin) => {
    const log = Math.log(inBackdrop / inProduct[bin]!);
    return Math.min(MOST_LIKELIHOOD, Math.max(-MOST_LIKELIHOOD, log));
  });
}

/** The histogram's bin for each pixel. */
function listBins({ width, height, data }: RgbImage): Uint16Array {
  const bins = new Uint16Array(width * height);
  const lab = new Float32Array(3);
  for (let i = 0, p = 0; i < bins.length; i++, p += 3) {
    writeLab(data, p, lab, 0);
    bins[i] = findBin(lab, 0);
  }
  return bins;
}
