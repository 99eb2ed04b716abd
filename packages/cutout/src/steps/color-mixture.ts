/** Models a matte as a linear function of the photo's colors in each small window (guided filter, He et al. 2010). */
import { averageWindows, type Matte, type RgbImage } from 'packshot-pixels';

/** Half the width of a window. A pixel's function is the mean of the functions of all windows around it. */
const RADIUS_PX = 2;
/** Added to the variance of each color channel (values 0 to 1): smaller variances are noise rather than an edge. */
const NOISE = 0.0003;

/**
 * `photo` and `matte` have the same size. Returns, for each pixel, the weights of red, green and blue, and an offset:
 * four planes.
 */
export function fitMixture(photo: RgbImage, matte: Matte): readonly Float32Array[] {
  const count = matte.data.length;
  const average = (values: Float32Array): Float32Array => averageWindows(matte, values, RADIUS_PX, values);
  const product = (a: Float32Array, b: Float32Array): Float32Array => {
    const products = new Float32Array(count);
    for (let i = 0; i < count; i++) products[i] = a[i]! * b[i]!;
    return average(products);
  };
  const colors = [new Float32Array(count), new Float32Array(count), new Float32Array(count)] as const;
  const alpha = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) colors[c]![i] = photo.data[i * 3 + c]! / 255;
    alpha[i] = matte.data[i]! / 255;
  }
  const [r, g, b] = colors;
  const squares = [product(r, r), product(r, g), product(r, b), product(g, g), product(g, b), product(b, b)];
  const withAlpha = colors.map((color) => product(color, alpha));
  const means = [...colors, alpha].map(average);
  const planes = [0, 1, 2, 3].map(() => new Float32Array(count));
  // These buffers are reused, since the loop runs for each pixel.
  const window = { means: new Float64Array(4), squares: new Float64Array(6), withAlpha: new Float64Array(3) };
  const solved = new Float64Array(4);
  for (let i = 0; i < count; i++) {
    const mean = means[3]![i]!;
    planes[3]![i] = mean;
    // Most windows need no fit: alpha is 0 or 1 in the whole window.
    if (mean === 0 || mean === 1) continue;
    for (let p = 0; p < 4; p++) window.means[p] = means[p]![i]!;
    for (let p = 0; p < 6; p++) window.squares[p] = squares[p]![i]!;
    for (let p = 0; p < 3; p++) window.withAlpha[p] = withAlpha[p]![i]!;
    solve(window, solved);
    for (let p = 0; p < 4; p++) planes[p]![i] = solved[p]!;
  }
  return planes.map(average);
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
