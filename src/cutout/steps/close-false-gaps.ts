/**
 * Step: closes the gaps of a matte in which the photo shows colors that the backdrop does not have.
 *
 * Engines mistake a pale leaf, a white petal or a bright sky shown on a product's screen for backdrop, and leave a hole
 * in the product. Through a real opening, the backdrop is visible, perhaps darker because of a shadow, but seldom in
 * another hue. So the colors in each hole are compared with those of the backdrop around it, each as its chroma divided
 * by its lightness, which a shadow does not change. In 79 photos, at most 71 % of the pixels of a real opening had a
 * color that the backdrop nearby does not have. In false gaps, this share was 92 to 100 %.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { growBox } from '../marked-area.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';
import { countChromas, findChromaBin } from './chroma-bins.ts';
import { findParts } from './connected-parts.ts';
import { cutWindow } from './cut-window.ts';
import { findMatteBounds } from './matte-bounds.ts';
import { fitInto, shrinkPhoto } from './shrink-photo.ts';

const SUBJECT = 128;
/** Maximum alpha of a pure backdrop pixel. */
const BACKDROP = 8;
/** If a hole has pixels below this alpha, only these pixels are compared. */
const CLEAR = 64;
/** Colors are compared at this size of the photo. Shrinking removes most of the compression noise. */
const SIDE_PX = 800;
/** Minimum area of a hole, in pixels at that size. */
const LEAST_PX = 16;
/** The backdrop is sampled up to this distance from a hole, or up to the hole's own size if that is larger. */
const LEAST_REACH_PX = 80;
/** Sampling step of the backdrop, along both axes; and the minimum number of samples. */
const STEP = 2;
const FEWEST = 20;
/** A chroma does not occur in the backdrop if less than this share of the samples has about the same chroma. */
const RARE_SHARE = 0.01;
/** Minimum share of a hole's pixels whose chroma does not occur in the backdrop. */
const STRANGE_SHARE = 0.85;
/**
 * In an opening, alpha is near 0. A hole is glass, through which the engine saw the backdrop, if its mean alpha is at
 * least `VEIL` and its area at least the fraction `VEILED_SHARE` of the product's area. In photos of vases, glass had a
 * mean of 32 to 74, and openings of that size at most 17.
 */
const VEIL = 28;
const VEILED_SHARE = 0.005;
/** Around a closed hole, its soft rim is made solid up to this distance, in pixels of the matte. */
const RIM_PX = 4;

/** `source` covers the same view at any resolution. Returns `matte` itself if no gap is closed. */
export async function closeFalseGaps(matte: Matte, source: RgbImage): Promise<Matte> {
  const { parts, order } = findParts(matte, { min: 0, max: SUBJECT - 1, neighbours: 4 });
  const size = fitInto(source, SIDE_PX);
  const least = (LEAST_PX * matte.data.length) / (size.width * size.height);
  const holes = parts.filter((part) => !part.touchesFrame && part.area > least);
  if (holes.length === 0) return matte;
  const isOutside = new Uint8Array(matte.data.length);
  for (const part of parts) {
    if (!part.touchesFrame) continue;
    for (let n = part.start; n < part.end; n++) {
      if (matte.data[order[n]!]! <= BACKDROP) isOutside[order[n]!] = 1;
    }
  }
  const scene = openScene(await shrinkPhoto(source, size), matte, isOutside);
  const closed = new Uint8Array(matte.data.length);
  let isAny = false;
  const product = matte.data.length - parts.reduce((area, part) => area + part.area, 0);
  for (const { start, end, area, mass } of holes) {
    const pixels = order.subarray(start, end);
    const isVeiled = area >= VEILED_SHARE * product && mass >= VEIL * area;
    if (!isVeiled && !isStrange(pixels, scene)) continue;
    for (const i of pixels) closed[i] = 1;
    isAny = true;
  }
  return isAny ? fillHoles(matte, closed) : matte;
}

/** The photo at the size for comparing colors, and the matte. */
interface Scene {
  readonly matte: Matte;
  /** The bin of the photo's chroma at a pixel of the matte. */
  readonly binAt: (x: number, y: number) => number;
  /** 1 where the backdrop outside of the product is visible. */
  readonly isOutside: Uint8Array;
  /** Pixels of the matte per pixel of the photo. */
  readonly scale: number;
}

function openScene(photo: RgbImage, matte: Matte, isOutside: Uint8Array): Scene {
  const across = photo.width / matte.width;
  const down = photo.height / matte.height;
  const bins = new Int32Array(photo.width * photo.height).fill(UNKNOWN);
  return {
    matte,
    isOutside,
    scale: matte.width / photo.width,
    binAt: (x, y) => {
      const at = Math.floor((y + 0.5) * down) * photo.width + Math.floor((x + 0.5) * across);
      if (bins[at] === UNKNOWN) bins[at] = findChromaBin(photo.data, 3 * at);
      return bins[at]!;
    },
  };
}

/** No bin has this number. */
const UNKNOWN = 2 ** 31 - 1;

function isStrange(pixels: Int32Array, scene: Scene): boolean {
  const { matte, binAt } = scene;
  const backdrop = sampleBackdrop(pixels, scene);
  if (backdrop.size() < FEWEST) return false;
  const clear = pixels.filter((i) => matte.data[i]! < CLEAR);
  const compared = clear.length > 0 ? clear : pixels;
  let strange = 0;
  for (const i of compared) {
    if (backdrop.shareOf(binAt(i % matte.width, Math.floor(i / matte.width))) < RARE_SHARE) strange++;
  }
  return strange >= STRANGE_SHARE * compared.length;
}

/** Counts the chromas of the backdrop around a hole. */
function sampleBackdrop(pixels: Int32Array, { matte, binAt, isOutside, scale }: Scene) {
  const { width, height } = matte;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (const i of pixels) {
    const x = i % width;
    const y = (i - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const reach = Math.ceil(Math.max(LEAST_REACH_PX * scale, right - left, bottom - top));
  const step = Math.max(1, Math.round(STEP * scale));
  const counted = countChromas();
  for (let y = Math.max(0, top - reach); y < Math.min(height, bottom + reach); y += step) {
    for (let x = Math.max(0, left - reach); x < Math.min(width, right + reach); x += step) {
      if (isOutside[y * width + x] === 1) counted.add(binAt(x, y));
    }
  }
  return counted;
}

/** Makes the holes and their soft rims solid, except next to other openings. */
function fillHoles(matte: Matte, closed: Uint8Array): Matte {
  const box = findMatteBounds({ ...matte, data: closed }, 1)!;
  // Pixels outside this area are too far from the holes to change, or to affect the result.
  const area = growBox(box, { x: 2 * RIM_PX + 1, y: 2 * RIM_PX + 1 }, matte);
  const inClosed = cutWindow({ ...matte, data: closed }, area).data;
  const open = cutWindow(matte, area).data;
  for (let n = 0; n < open.length; n++) open[n] = open[n]! < SUBJECT && inClosed[n] === 0 ? 1 : 0;
  const toOpen = measureDistances(area, open);
  const toClosed = measureDistances(area, inClosed);
  const reach = RIM_PX * CHAMFER_STEP;
  const data = matte.data.slice();
  for (let y = 0, n = 0; y < area.height; y++) {
    for (let x = 0, i = (area.y + y) * matte.width + area.x; x < area.width; x++, i++, n++) {
      if (inClosed[n] === 1 || (toClosed[n]! <= reach && toOpen[n]! > reach)) data[i] = 255;
    }
  }
  return { ...matte, data };
}
