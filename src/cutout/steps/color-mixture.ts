/** Models a matte as a linear function of the photo's colors in each small window (guided filter, He et al. 2010). */
import { findMatteBounds, growBox } from '../../pixels/boxes.ts';
import { cutWindow } from '../../pixels/cut-window.ts';
import { averageWindows } from '../../pixels/window-sums.ts';
import type { Box, Matte, RgbImage } from '../../pixels.ts';

/** Half the width of a window. A pixel's function is the mean of the functions of all windows around it. */
export const RADIUS_PX = 2;
/** Added to the variance of each color channel (values 0 to 1): smaller variances are noise rather than an edge. */
const NOISE = 0.0003;

/** For each pixel, the weights of red, green and blue, and an offset. */
export interface Mixture {
  readonly width: number;
  readonly height: number;
  readonly planes: readonly Float32Array[];
}

/** `photo` and `matte` have the same size. */
export function fitMixture(photo: RgbImage, matte: Matte): Mixture {
  const { width, height } = matte;
  const alpha = new Float32Array(width * height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = matte.data[i]! / 255;
  const alphas = averageWindows(matte, alpha, RADIUS_PX);
  const offsets = alphas.slice();
  const planes = [0, 1, 2].map(() => new Float32Array(alpha.length));
  const mixed = findMixed(matte, alphas);
  if (mixed === null)
    return { width, height, planes: [...planes, averageWindows(matte, offsets, RADIUS_PX, offsets)] };
  // Outside this area, the weights of the colors are 0, and so are the means of these weights.
  const area = growBox(mixed, { x: 2 * RADIUS_PX, y: 2 * RADIUS_PX }, matte);
  const weights = fitWindows(cutWindow(photo, area), cutWindow(matte, area));
  for (let y = 0, n = 0; y < area.height; y++) {
    for (let x = 0, i = (area.y + y) * width + area.x; x < area.width; x++, i++, n++) {
      if (isMixed(alphas[i]!)) offsets[i] = weights[3]![n]!;
    }
  }
  for (const [p, plane] of planes.entries()) {
    const means = averageWindows(area, weights[p]!, RADIUS_PX, weights[p]);
    for (let y = 0; y < area.height; y++) {
      const row = means.subarray(y * area.width, (y + 1) * area.width);
      plane.set(row, (area.y + y) * width + area.x);
    }
  }
  return { width, height, planes: [...planes, averageWindows(matte, offsets, RADIUS_PX, offsets)] };
}

/** Whether a window with this mean alpha needs a fit. Most windows need none: alpha is 0 or 1 in the whole window. */
const isMixed = (mean: number): boolean => mean !== 0 && mean !== 1;

/** Bounds of the pixels to be fitted; `null` if there are none. */
function findMixed({ width, height }: Matte, alphas: Float32Array): Box | null {
  const marks = new Uint8Array(alphas.length);
  for (let i = 0; i < marks.length; i++) if (isMixed(alphas[i]!)) marks[i] = 1;
  return findMatteBounds({ width, height, data: marks }, 1);
}

/**
 * Fits the window around each pixel. Returns the weights of red, green and blue, and the offset. All are 0 where the
 * window needs no fit.
 */
function fitWindows(photo: RgbImage, matte: Matte): readonly Float32Array[] {
  const count = matte.data.length;
  const product = (a: Float32Array, b: Float32Array): Float32Array => {
    const products = new Float32Array(count);
    for (let i = 0; i < count; i++) products[i] = a[i]! * b[i]!;
    return averageWindows(matte, products, RADIUS_PX, products);
  };
  const colors = [new Float32Array(count), new Float32Array(count), new Float32Array(count)] as const;
  const alpha = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) colors[c]![i] = photo.data[i * 3 + c]! / 255;
    alpha[i] = matte.data[i]! / 255;
  }
  const [r, g, b] = colors;
  const means = [...colors, alpha].map((plane) => averageWindows(matte, plane, RADIUS_PX));
  const squares = [product(r, r), product(r, g), product(r, b), product(g, g), product(g, b), product(b, b)];
  const withAlpha = colors.map((color) => product(color, alpha));
  const planes = [0, 1, 2, 3].map(() => new Float32Array(count));
  // These buffers are reused, since the loop runs for each pixel.
  const window = { means: new Float64Array(4), squares: new Float64Array(6), withAlpha: new Float64Array(3) };
  const solved = new Float64Array(4);
  for (let i = 0; i < count; i++) {
    if (!isMixed(means[3]![i]!)) continue;
    for (let p = 0; p < 4; p++) window.means[p] = means[p]![i]!;
    for (let p = 0; p < 6; p++) window.squares[p] = squares[p]![i]!;
    for (let p = 0; p < 3; p++) window.withAlpha[p] = withAlpha[p]![i]!;
    solve(window, solved);
    for (let p = 0; p < 4; p++) planes[p]![i] = solved[p]!;
  }
  return planes;
}

interface Window {
  /** Means of red, green, blue and alpha. */
  readonly means: Float64Array;
  /**
   * Means of the products of two color channels, in the order rr, rg, rb, gg, gb, bb. `withAlpha` has the means of the
   * products of each color channel and alpha.
   */
  readonly squares: Float64Array;
  readonly withAlpha: Float64Array;
}

/** Fits alpha to the colors of one window by least squares, and writes three weights and an offset. */
function solve({ means, squares, withAlpha }: Window, into: Float64Array): void {
  const mr = means[0]!;
  const mg = means[1]!;
  const mb = means[2]!;
  const ma = means[3]!;
  const rr = squares[0]! - mr * mr + NOISE;
  const rg = squares[1]! - mr * mg;
  const rb = squares[2]! - mr * mb;
  const gg = squares[3]! - mg * mg + NOISE;
  const gb = squares[4]! - mg * mb;
  const bb = squares[5]! - mb * mb + NOISE;
  const ra = withAlpha[0]! - mr * ma;
  const ga = withAlpha[1]! - mg * ma;
  const ba = withAlpha[2]! - mb * ma;
  // The inverse of the symmetric matrix by its cofactors; NOISE keeps it from being singular.
  const i00 = gg * bb - gb * gb;
  const i01 = rb * gb - rg * bb;
  const i02 = rg * gb - rb * gg;
  const i11 = rr * bb - rb * rb;
  const i12 = rg * rb - rr * gb;
  const i22 = rr * gg - rg * rg;
  const determinant = rr * i00 + rg * i01 + rb * i02;
  const red = (i00 * ra + i01 * ga + i02 * ba) / determinant;
  const green = (i01 * ra + i11 * ga + i12 * ba) / determinant;
  const blue = (i02 * ra + i12 * ga + i22 * ba) / determinant;
  into[0] = red;
  into[1] = green;
  into[2] = blue;
  into[3] = ma - red * mr - green * mg - blue * mb;
}
