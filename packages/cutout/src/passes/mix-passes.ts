/** Places mattes of parts of a photo into a matte of the whole photo. */
import { type Box, cutWindow, type Matte, type RgbImage, type Size } from 'packshot-pixels';
import { movePlace } from '../steps/doubtful-places.ts';
import { enlargeMatte, resampleRegion } from '../steps/enlarge-matte.ts';
import type { ClosePass } from './close-pass.ts';
import { type Comparison, findContradictions } from './contradictions.ts';

/** If the agreement is lower than this, one of the two passes is wrong, and the one over the whole photo is used. */
const MIN_AGREEMENT = 0.985;
/** Weight of the close pass in the mix. */
const CLOSE_SHARE = 0.7;
/** A pass fades in over this fraction of the crop's shorter side, except where the crop ends at the photo's border. */
const FEATHER_SHARE = 0.04;
/**
 * Maximum longer side of the result, in pixels. High enough to keep the finest edges, and low enough to limit the cost
 * for large photos.
 */
const MAX_SIDE_PX = 2048;

/** `agreement` is that of the two passes within the crop. */
export interface MixedPass extends Comparison {
  readonly matte: Matte;
}

/** Mixes the close pass into the matte of the whole photo, unless the two contradict each other. */
export async function mixClosePass(
  source: RgbImage,
  whole: Matte,
  { close, crop }: ClosePass,
): Promise<MixedPass> {
  const grid = chooseGrid(source, crop, close);
  const enlarged = await enlargeMatte(whole, grid);
  const { placed, window } = await placePass(close, { crop, source, grid });
  const { agreement, disputed: places } = findContradictions(cutWindow(enlarged, window), placed);
  const disputed = places.map((place) => movePlace(place, window, crop));
  if (agreement < MIN_AGREEMENT) return { matte: whole, agreement, disputed };
  mixPass(enlarged, placed, { window, share: CLOSE_SHARE });
  return { matte: enlarged, agreement, disputed };
}

/** Returns a matte of the whole photo: the close pass within its crop, and the coarse pass elsewhere. */
export async function pasteClosePass(
  source: RgbImage,
  coarse: Matte,
  { close, crop }: ClosePass,
): Promise<Matte> {
  const grid = chooseGrid(source, crop, close);
  const enlarged = await enlargeMatte(coarse, grid);
  const { placed, window } = await placePass(close, { crop, source, grid });
  // `enlargeMatte` returns its argument if the sizes are equal, so copy it.
  const pasted = { ...grid, data: enlarged.data.slice() };
  mixPass(pasted, placed, { window, share: 1 });
  return pasted;
}

export interface PlacedPass {
  readonly placed: Matte;
  /** Where the resampled pass lies in the grid. */
  readonly window: Box;
}

/** Resamples the matte of `crop`, which is given in source pixels, to a grid over the whole photo. */
export async function placePass(
  pass: Matte,
  { crop, source, grid }: { readonly crop: Box; readonly source: Size; readonly grid: Size },
): Promise<PlacedPass> {
  const across = grid.width / source.width;
  const down = grid.height / source.height;
  const x = Math.round(crop.x * across);
  const y = Math.round(crop.y * down);
  const window: Box = {
    x,
    y,
    width: Math.round((crop.x + crop.width) * across) - x,
    height: Math.round((crop.y + crop.height) * down) - y,
  };
  const region = {
    x: ((x / across - crop.x) * pass.width) / crop.width,
    y: ((y / down - crop.y) * pass.height) / crop.height,
    width: ((window.width / across) * pass.width) / crop.width,
    height: ((window.height / down) * pass.height) / crop.height,
  };
  return { placed: await resampleRegion(pass, region, window), window };
}

/**
 * Chooses the size of a grid over the whole photo: the resolution of the close pass, but no more than the photo's own.
 */
function chooseGrid(source: RgbImage, crop: Box, close: Matte): { width: number; height: number } {
  const density = Math.max(close.width / crop.width, close.height / crop.height);
  const scale = Math.min(1, density, MAX_SIDE_PX / Math.max(source.width, source.height));
  return { width: Math.round(source.width * scale), height: Math.round(source.height * scale) };
}

/** Blends the pass into `whole` in place, with the weight `share` (0 to 1). */
export function mixPass(
  whole: Matte,
  pass: Matte,
  { window, share: most }: { readonly window: Box; readonly share: number },
): void {
  const feather = Math.max(1, Math.min(window.width, window.height) * FEATHER_SHARE);
  const across = measureDepths(window.x, window.width, whole.width, feather);
  const down = measureDepths(window.y, window.height, whole.height, feather);
  for (let y = 0, i = 0; y < window.height; y++) {
    let at = (window.y + y) * whole.width + window.x;
    for (let x = 0; x < window.width; x++, i++, at++) {
      const share = most * (Math.min(down[y]!, across[x]!) / feather);
      whole.data[at] =
        share === 1 ? pass.data[i]! : Math.round(whole.data[at]! + share * (pass.data[i]! - whole.data[at]!));
    }
  }
}

/**
 * Returns, for each row or column of a window, its distance from the window's nearer end, limited to `most`. An end of
 * the window that is also an end of the picture does not count.
 */
function measureDepths(start: number, length: number, whole: number, most: number): Float64Array {
  const endsThere = start + length >= whole;
  const depths = new Float64Array(length);
  for (let n = 0; n < length; n++) {
    const before = start === 0 ? most : n + 0.5;
    const behind = endsThere ? most : length - n - 0.5;
    depths[n] = Math.min(most, before, behind);
  }
  return depths;
}
