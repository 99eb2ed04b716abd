/**
 * Step: fills the bays of a matte that are clear glass behind faint rims.
 *
 * Through clear glass, the engine sees only the room: of a vase, it keeps only the flowers and the rims, which look
 * like wires. A bay is an area of backdrop that the product nearly encloses. It is glass if a large part of its sides
 * is thin rim, and this rim hardly differs from the backdrop, which shows through it. A cable, a strap or a branch
 * around an opening has a color of its own.
 */
import type { Box, Matte, RgbImage } from '../../pixels.ts';
import { growBox } from '../marked-area.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';
import { findParts } from './connected-parts.ts';
import { cutWindow } from './cut-window.ts';
import { enlargeMatte } from './enlarge-matte.ts';
import { writeLab } from './lab-photo.ts';
import { boundPixels } from './matte-bounds.ts';
import { fitInto, shrinkPhoto } from './shrink-photo.ts';

/** Longer side at which bays are found, in pixels. All lengths below are in pixels at this size. */
const SIDE_PX = 640;
const SUBJECT = 128;
/**
 * Half the greatest width of a mouth, the gap through which a bay is open to the outside. A bay counts as enclosed if
 * all its mouths are at most twice this wide.
 */
const MOUTH_PX = 6;
/**
 * Least area of a bay's core, as a share of the product's area. The core is the bay without a margin of `MOUTH_PX`
 * along its sides.
 */
const LEAST_SHARE = 0.02;
/** A bay's corners are at most this far from its core. The core does not reach into corners: it is round there. */
const CORNER_PX = 1.5 * MOUTH_PX;
/** A rim of glass is at most this wide. */
const RIM_PX = 7;
/**
 * Thickness of the layer of product along a bay. The layer is examined. If the bay is glass, the layer becomes solid,
 * except within the same distance of the outside: there, the outline keeps its soft edge.
 */
const LAYER_PX = 2;
/**
 * Least share of the layer that must be thin rim. The share is .45 and .47 in a vase's two bays, and at most .05 in
 * openings of handles and chairs, whose sides are thick.
 */
const THIN_SHARE = 0.35;
/**
 * At each point, a rim differs in color from the bay on its one side, and from the outside on its other side. The
 * greater of these two differences may be at most this (in OKLab, the median along the rim): .07 and .11 in the vase,
 * at least .18 in other nearly enclosed openings.
 */
const FAINT = 0.14;
/**
 * If the whole product has the backdrop's color, a faint rim proves nothing. So the bay's other sides must have clearly
 * more contrast: the lesser of the two differences at the rim may be at most this share of the lesser of the two at the
 * other sides. The share is .13 and .36 in the vase. For white cables on white, it is .44 to .84; only one of them is
 * below the limit, and `FAINT` refuses that one.
 */
const FAINT_SHARE = 0.5;
/**
 * Half the width of the window in which the colors beside a rim are averaged, and the least number of pixels of one
 * side in it.
 */
const WINDOW_PX = 9;
const FEWEST = 3;

/** `source` covers the same view at any resolution. Returns `matte` itself if no bay is glass. */
export async function fillGlass(matte: Matte, source: RgbImage): Promise<Matte> {
  const size = fitInto(source, SIDE_PX);
  const own = await enlargeMatte(matte, size);
  const product = own.data.map((alpha) => (alpha >= SUBJECT ? 1 : 0));
  const wide = new Uint8Array(product.length);
  const distances = measureDistances(own, product);
  for (let i = 0; i < wide.length; i++) if (!isWithin(distances[i]!, MOUTH_PX)) wide[i] = 1;
  const { parts, order } = findParts({ ...own, data: wide }, { min: 1, max: 1, neighbours: 4 });
  const least = LEAST_SHARE * product.reduce((area, value) => area + value, 0);
  const bays = parts.filter(({ touchesFrame, area }) => !touchesFrame && area >= least);
  if (bays.length === 0) return matte;
  const outside = new Uint8Array(wide.length);
  for (const { touchesFrame, start, end } of parts) {
    if (touchesFrame) for (let n = start; n < end; n++) outside[order[n]!] = 1;
  }
  const scene = { own, product, toOutside: measureDistances(own, outside) };
  const filled = { ...own, data: new Uint8Array(wide.length) };
  for (const { start, end } of bays) {
    const bay = openBay(scene, order.subarray(start, end));
    const { rim, others } = bay;
    if (rim.length < THIN_SHARE * (rim.length + others.length)) continue;
    if (isFaint(bay, scene, await shrinkPhoto(source, size))) fill(filled, bay, scene);
  }
  if (!filled.data.includes(255)) return matte;
  const grown = await enlargeMatte(filled, matte);
  return { ...matte, data: matte.data.map((alpha, i) => Math.max(alpha, grown.data[i]!)) };
}

interface Scene {
  readonly own: Matte;
  /** 1 in the product. */
  readonly product: Uint8Array;
  /** Distances to the core of the outside: the backdrop outside, less a margin of `MOUTH_PX` along the product. */
  readonly toOutside: Uint16Array;
}

interface Bay {
  readonly area: Box;
  /** Distances from the bay's core within `area`. */
  readonly toCore: Uint16Array;
  /** Indices of the product's pixels along the bay. Those with the outside close behind them are its rim. */
  readonly rim: readonly number[];
  readonly others: readonly number[];
}

const isWithin = (distance: number, px: number) => distance <= px * CHAMFER_STEP;

function openBay({ own, product, toOutside }: Scene, core: Int32Array): Bay {
  const reach = MOUTH_PX + LAYER_PX + WINDOW_PX;
  const area = growBox(boundPixels(core, own), { x: reach, y: reach }, own);
  const marked = { ...own, data: new Uint8Array(product.length) };
  for (const i of core) marked.data[i] = 1;
  const toCore = measureDistances(area, cutWindow(marked, area).data);
  const rim: number[] = [];
  const others: number[] = [];
  for (let n = 0; n < toCore.length; n++) {
    const i = (area.y + Math.floor(n / area.width)) * own.width + area.x + (n % area.width);
    if (product[i] === 0 || !isWithin(toCore[n]!, MOUTH_PX + LAYER_PX)) continue;
    (isWithin(toOutside[i]!, MOUTH_PX + RIM_PX) ? rim : others).push(i);
  }
  return { area, toCore, rim, others };
}

/** Whether the rim hardly differs from the backdrop, unlike the other sides of the bay. */
function isFaint(bay: Bay, scene: Scene, photo: RgbImage): boolean {
  const rim = measureContrasts(bay.rim, bay, scene, photo);
  const others = measureContrasts(bay.others, bay, scene, photo);
  return rim.greater <= FAINT && rim.lesser <= FAINT_SHARE * others.lesser;
}

interface Contrasts {
  readonly lesser: number;
  readonly greater: number;
}

/**
 * Compares each pixel with the bay and with the outside. Returns the medians of the lesser and of the greater
 * differences.
 */
function measureContrasts(pixels: readonly number[], bay: Bay, scene: Scene, photo: RgbImage): Contrasts {
  const lesser: number[] = [];
  const greater: number[] = [];
  for (const i of pixels) {
    const differences = compareWithSides(i, bay, scene, photo);
    if (differences.length === 0) continue;
    lesser.push(Math.min(...differences));
    greater.push(Math.max(...differences));
  }
  return { lesser: findMedian(lesser), greater: findMedian(greater) };
}

const findMedian = (values: number[]): number =>
  values.sort((a, b) => a - b)[values.length >> 1] ?? Number.POSITIVE_INFINITY;

/**
 * Differences of pixel `i` from the mean colors of the bay and of the outside in the window around it. A side with
 * fewer than `FEWEST` pixels in the window is left out.
 */
function compareWithSides(
  i: number,
  { area, toCore }: Bay,
  { own: { width }, product, toOutside }: Scene,
  { data }: RgbImage,
): number[] {
  const sides = [new Float64Array(4), new Float64Array(4)] as const;
  const x = i % width;
  const y = (i - x) / width;
  const toX = Math.min(area.x + area.width - 1, x + WINDOW_PX);
  const toY = Math.min(area.y + area.height - 1, y + WINDOW_PX);
  for (let v = Math.max(area.y, y - WINDOW_PX); v <= toY; v++) {
    for (let u = Math.max(area.x, x - WINDOW_PX); u <= toX; u++) {
      const j = v * width + u;
      if (product[j] === 1) continue;
      const isBay = isWithin(toCore[(v - area.y) * area.width + u - area.x]!, MOUTH_PX + 1);
      if (!isBay && !isWithin(toOutside[j]!, MOUTH_PX + 1)) continue;
      const side = sides[isBay ? 0 : 1];
      writeLab(data, 3 * j, color, 0);
      for (let c = 0; c < 3; c++) side[c]! += color[c]!;
      side[3]!++;
    }
  }
  writeLab(data, 3 * i, color, 0);
  return sides
    .filter((side) => side[3]! >= FEWEST)
    .map((side) => Math.hypot(...color.map((value, c) => side[c]! / side[3]! - value)));
}

const color = new Float32Array(3);

/** Marks the bay as far as the middle of its mouth, and the layer of product along it, except close to the outside. */
function fill(filled: Matte, { area, toCore }: Bay, { product, toOutside }: Scene): void {
  for (let n = 0; n < toCore.length; n++) {
    const i = (area.y + Math.floor(n / area.width)) * filled.width + area.x + (n % area.width);
    const reach = product[i] === 1 ? CORNER_PX + LAYER_PX : CORNER_PX;
    if (!isWithin(toCore[n]!, reach) || toCore[n]! >= toOutside[i]!) continue;
    if (product[i] === 0 || !isWithin(toOutside[i]!, MOUTH_PX + LAYER_PX)) filled.data[i] = 255;
  }
}
