/** How much likelier a color is on what all looks call product than on what all call background. */
import { GRID_PX, type Opinions, SUBJECT } from './opinions.ts';

/** Bins of lightness, and of each of the two other axes of OKLab. */
const LIGHTNESS_BINS = 16;
const HUE_BINS = 12;
const HUE_RANGE = 0.3;
/** Pixels that each bin has before counting: what neither has seen tells nothing. */
const PRIOR_PX = 20;
const MOST = 3;

/** Natural logarithm of the ratio of both likelihoods for each pixel of the grid, -3 to 3. */
export function compareColors({ all, lab }: Opinions): Float32Array {
  const [lightness, a, b] = lab;
  const bins = new Int32Array(GRID_PX ** 2);
  const product = new Float64Array(LIGHTNESS_BINS * HUE_BINS ** 2).fill(PRIOR_PX);
  const background = new Float64Array(product.length).fill(PRIOR_PX);
  let products = 0;
  let backgrounds = 0;
  const hueBin = (value: number): number =>
    Math.min(HUE_BINS - 1, Math.max(0, Math.floor((value / HUE_RANGE + 0.5) * HUE_BINS)));
  for (let i = 0; i < bins.length; i++) {
    const light = Math.min(LIGHTNESS_BINS - 1, Math.floor(Math.max(0, lightness[i]!) * LIGHTNESS_BINS));
    const bin = (light * HUE_BINS + hueBin(a[i]!)) * HUE_BINS + hueBin(b[i]!);
    bins[i] = bin;
    if (all.every(({ matte }) => matte.data[i]! >= SUBJECT)) {
      product[bin]!++;
      products++;
    } else if (all.every(({ matte }) => matte.data[i]! < SUBJECT)) {
      background[bin]!++;
      backgrounds++;
    }
  }
  // Relative to the share of both in the photo.
  const offset = Math.log((backgrounds + PRIOR_PX) / (products + PRIOR_PX));
  const ratios = product.map((count, bin) =>
    Math.min(MOST, Math.max(-MOST, Math.log(count / background[bin]!) + offset)),
  );
  // A bin that neither has seen has the prior alone, whose ratio is the offset: no evidence.
  for (let bin = 0; bin < ratios.length; bin++) {
    if (product[bin] === PRIOR_PX && background[bin] === PRIOR_PX) ratios[bin] = 0;
  }
  return Float32Array.from(bins, (bin) => ratios[bin]!);
}
