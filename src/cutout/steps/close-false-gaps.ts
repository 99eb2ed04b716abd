/**
 * Step: closes the gaps of a matte in which the photo shows colors that the backdrop does not have.
 *
 * Engines take the bright sky on a screen, a pale leaf or a white petal for backdrop, and leave a hole in the
 * product. Through a real opening, the backdrop is visible, perhaps darker because of a shadow, but seldom in
 * another hue. So the chroma of each hole, in proportion to its lightness, is compared with that of the
 * backdrop around it. In 79 photos, at most 71 % of the pixels of a real opening had a color that the
 * backdrop nearby does not have. In false gaps, this share was 92 to 100 %.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { decodeSrgb, oklabFromLinear } from '../../srgb.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';
import { findParts } from './connected-parts.ts';
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
/** Width of the bins of chroma in which colors count as equal. */
const BIN = 0.005;
/** Lightness, 0 to 1, below which chroma is mostly noise. */
const DARK = 0.2;
/** A chroma does not occur in the backdrop if less than this share of the samples has about the same chroma. */
const RARE_SHARE = 0.01;
/** Minimum share of a hole's pixels whose chroma does not occur in the backdrop. */
const STRANGE_SHARE = 0.85;
/**
 * Through an opening, alpha is near 0. A hole of at least `VEILED_SHARE` of the product with at least this mean alpha
 * is glass, through which the engine saw the backdrop: in photos of vases, such holes had a mean of 32
 * to 74, and openings of that size at most 17.
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
  /**
   * OKLab a and b of the photo at a pixel of the matte, both divided by the lightness. A shadow does not change these
   * ratios.
   */
  readonly chromaAt: (x: number, y: number) => readonly [number, number];
  /** 1 where the backdrop outside of the product is visible. */
  readonly isOutside: Uint8Array;
  /** Pixels of the matte per pixel of the photo. */
  readonly scale: number;
}

function openScene(photo: RgbImage, matte: Matte, isOutside: Uint8Array): Scene {
  const across = photo.width / matte.width;
  const down = photo.height / matte.height;
  return {
    matte,
    isOutside,
    scale: matte.width / photo.width,
    chromaAt: (x, y) => {
      const at = 3 * (Math.floor((y + 0.5) * down) * photo.width + Math.floor((x + 0.5) * across));
      const [red, green, blue] = photo.data.subarray(at, at + 3) as unknown as [number, number, number];
      const [light, a, b] = oklabFromLinear([linear[red]!, linear[green]!, linear[blue]!]);
      return [a / Math.max(DARK, light), b / Math.max(DARK, light)];
    },
  };
}

const linear = Float64Array.from({ length: 256 }, (_, byte) => decodeSrgb(byte / 255));

function isStrange(pixels: Int32Array, scene: Scene): boolean {
  const { matte, chromaAt } = scene;
  const backdrop = sampleBackdrop(pixels, scene);
  if (backdrop.size() < FEWEST) return false;
  const clear = pixels.filter((i) => matte.data[i]! < CLEAR);
  const compared = clear.length > 0 ? clear : pixels;
  let strange = 0;
  for (const i of compared) {
    const [a, b] = chromaAt(i % matte.width, Math.floor(i / matte.width));
    if (backdrop.shareOf(a, b) < RARE_SHARE) strange++;
  }
  return strange >= STRANGE_SHARE * compared.length;
}

/** Counts the chromas of the backdrop around a hole. */
function sampleBackdrop(pixels: Int32Array, { matte, chromaAt, isOutside, scale }: Scene) {
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
      if (isOutside[y * width + x] === 1) counted.add(...chromaAt(x, y));
    }
  }
  return counted;
}

/** Counts chromas in square bins; neighboring bins count as the same chroma. */
function countChromas() {
  const bins = new Map<number, number>();
  let count = 0;
  const keyOf = (a: number, b: number) => Math.round(a / BIN) * ROW + Math.round(b / BIN);

  return {
    size: () => count,

    add(a: number, b: number): void {
      const key = keyOf(a, b);
      bins.set(key, (bins.get(key) ?? 0) + 1);
      count++;
    },

    /** Share of the counted chromas that are about the same as this one. */
    shareOf(a: number, b: number): number {
      const key = keyOf(a, b);
      let same = 0;
      for (const row of [-ROW, 0, ROW]) {
        for (const column of [-1, 0, 1]) same += bins.get(key + row + column) ?? 0;
      }
      return same / count;
    },
  };
}

/** More than the number of bins along one axis. */
const ROW = 1000;

/** Makes the holes and their soft rims solid, except next to other openings. */
function fillHoles(matte: Matte, closed: Uint8Array): Matte {
  const open = matte.data.map((alpha, i) => (alpha < SUBJECT && closed[i] === 0 ? 1 : 0));
  const toOpen = measureDistances(matte, open);
  const toClosed = measureDistances(matte, closed);
  const reach = RIM_PX * CHAMFER_STEP;
  const data = matte.data.map((alpha, i) =>
    closed[i] === 1 || (toClosed[i]! <= reach && toOpen[i]! > reach) ? 255 : alpha,
  );
  return { ...matte, data };
}
