/**
 * Step: completes the parts of a product that the engine left semi-transparent.
 *
 * Unsure engines leave semi-transparent areas (veils): a camera's strap fades out, the side of a glass is half there,
 * the rim of a dark wheel dissolves on a dark ground. The photo itself is often clear there. So the regions of
 * the photo in and around a veil are assigned to the product or to the backdrop by a graph cut (Boykov, Jolly,
 * "Interactive Graph Cuts", ICCV 2001). A region joins the product if the engine saw enough of it, or if it has the
 * product's color rather than the backdrop's. The cut follows the edges in the photo. Regions are only ever added: when
 * they were also removed, a white pot on white lost its rim.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { growBox } from '../marked-area.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';
import { createColorHistogram, findBin } from './color-histogram.ts';
import { findParts } from './connected-parts.ts';
import { cutGraph } from './cut-graph.ts';
import { cutWindow } from './cut-window.ts';
import { dropBlurred } from './drop-blurred.ts';
import { enlargeMatte } from './enlarge-matte.ts';
import { type Lab, toLab } from './lab-photo.ts';
import { linkRegions } from './link-regions.ts';
import { findMatteBounds } from './matte-bounds.ts';

import { fitInto, shrinkPhoto } from './shrink-photo.ts';
import { splitRegions } from './split-regions.ts';

/** Longer side at which regions are formed, in pixels. All lengths below are in pixels at this size. */
const SIDE_PX = 1024;
const SUBJECT = 128;
/** Maximum alpha of a pure backdrop pixel, and minimum alpha of a pure product pixel. */
const BACKDROP = 8;
const SOLID = 247;
/** Values of the map of unsure pixels. Only pixels with the same value may share a region. */
const IS_BACKDROP = 0;
const IS_PRODUCT = 1;
const IS_UNSURE = 2;
/**
 * A veil has an alpha between `VEIL_FROM` and `VEIL_TO`, and is flat: its alpha changes by less than
 * `FLAT` (of 255) per pixel, measured over `FLAT_PX` on either side. In blurred edges, alpha changes faster.
 */
const VEIL_FROM = 20;
const VEIL_TO = 235;
const FLAT = 0.03 * 255;
const FLAT_PX = 2;
/**
 * Minimum area of a veil, and the distance from it within which regions may be added to the product. Smaller veils are
 * often the shadow next to the product.
 */
const LEAST_AREA = 150;
const NEAR_PX = 16;
/** Distance from unsure pixels within which the colors of the product and of the backdrop are sampled. */
const SAMPLED_PX = 64;
/** Weight of color relative to alpha; and the maximum of the log-likelihood ratio of a color. */
const COLOR_WEIGHT = 1.5;
const MOST_LIKELIHOOD = 3;
/** Cost per pixel of outline between two similar regions. */
const SMOOTH_PRICE = 2.5;
const CERTAIN = 1e9;

/** `source` covers the same view at any resolution. Returns `matte` itself if there is nothing to complete. */
export async function completeParts(matte: Matte, source: RgbImage): Promise<Matte> {
  const size = fitInto(source, SIDE_PX);
  const own = await enlargeMatte(matte, size);
  const kinds = findUnsure(own);
  if (kinds === null) return matte;
  const unsure = findMatteBounds({ ...own, data: kinds }, IS_UNSURE)!;
  const box = growBox(unsure, { x: SAMPLED_PX, y: SAMPLED_PX }, own);
  const part = (of: Matte) => cutWindow(of, box);
  const scene = {
    lab: toLab(cutWindow(await shrinkPhoto(source, size), box)),
    own: part(own),
    kinds: part({ ...own, data: kinds }).data,
  };
  const added = findAdded(scene);
  if (added === null) return matte;
  const gain = { ...own, data: new Uint8Array(own.data.length) };
  const window = measureGain(scene, added);
  for (let y = 0; y < box.height; y++) {
    const row = window.subarray(y * box.width, (y + 1) * box.width);
    gain.data.set(row, (box.y + y) * own.width + box.x);
  }
  const grown = await enlargeMatte(gain, matte);
  return { ...matte, data: matte.data.map((alpha, i) => Math.min(255, alpha + grown.data[i]!)) };
}

/** The unsure area of the photo with a margin. */
interface Scene {
  readonly lab: Lab;
  readonly own: Matte;
  readonly kinds: Uint8Array;
}

/** Returns `IS_BACKDROP`, `IS_PRODUCT` or `IS_UNSURE` for each pixel; `null` if no pixel is unsure. */
function findUnsure(own: Matte): Uint8Array | null {
  const core = findVeils(own);
  const { parts, order } = findParts({ ...own, data: core }, { min: 1, max: 1, neighbours: 8 });
  const kept = new Uint8Array(core.length);
  for (const { start, end, area } of parts) {
    if (area >= LEAST_AREA) for (let n = start; n < end; n++) kept[order[n]!] = 1;
  }
  if (!kept.includes(1)) return null;
  const distances = measureDistances(own, kept);
  return own.data.map((alpha, i) => {
    if (alpha < SOLID && distances[i]! <= NEAR_PX * CHAMFER_STEP) return IS_UNSURE;
    return alpha >= SUBJECT ? IS_PRODUCT : IS_BACKDROP;
  });
}

function findVeils({ width, height, data }: Matte): Uint8Array {
  const veils = new Uint8Array(data.length);
  const down = FLAT_PX * width;
  for (let y = FLAT_PX; y < height - FLAT_PX; y++) {
    for (let x = FLAT_PX, i = y * width + FLAT_PX; x < width - FLAT_PX; x++, i++) {
      if (data[i]! <= VEIL_FROM || data[i]! >= VEIL_TO) continue;
      const across = data[i + FLAT_PX]! - data[i - FLAT_PX]!;
      const along = data[i + down]! - data[i - down]!;
      if (across * across + along * along < (FLAT * 2 * FLAT_PX) ** 2) veils[i] = 1;
    }
  }
  return veils;
}

/** Returns 1 for each unsure pixel that belongs to the product; `null` if there is none. */
function findAdded({ lab, own, kinds }: Scene): Uint8Array | null {
  const regions = splitRegions(lab, kinds);
  const likelihoods = measureLikelihoods(lab, own, kinds);
  const pulls = new Float64Array(regions.count);
  for (let i = 0; i < kinds.length; i++) {
    const region = regions.of[i]!;
    if (kinds[i] !== IS_UNSURE) pulls[region] = kinds[i] === IS_PRODUCT ? CERTAIN : -CERTAIN;
    else pulls[region]! += (2 * own.data[i]!) / 255 - 1 + COLOR_WEIGHT * likelihoods[i]!;
  }
  const side = cutGraph({ pulls, links: linkRegions(lab, regions, SMOOTH_PRICE) });
  const joined = kinds.map((kind, i) => (kind === IS_UNSURE && side[regions.of[i]!] === 1 ? 1 : 0));
  dropIslands(own, joined);
  dropBlurred(lab, own, joined);
  return joined.includes(1) ? joined : null;
}

/** For each unsure pixel, how much more likely its color is in the product nearby than in the backdrop; -1 to 1. */
function measureLikelihoods(lab: Lab, own: Matte, kinds: Uint8Array): Float32Array {
  const product = createColorHistogram();
  const backdrop = createColorHistogram();
  const unsure = kinds.map((kind) => (kind === IS_UNSURE ? 1 : 0));
  const distances = measureDistances(own, unsure);
  for (let i = 0; i < kinds.length; i++) {
    if (unsure[i] === 1 || distances[i]! > SAMPLED_PX * CHAMFER_STEP) continue;
    if (own.data[i]! >= SOLID) product.addBin(findBin(lab.data, i));
    else if (own.data[i]! <= BACKDROP) backdrop.addBin(findBin(lab.data, i));
  }
  product.finish();
  backdrop.finish();
  const inBackdrop = backdrop.listShares();
  const ofBins = product.listShares().map((inProduct, bin) => {
    const ratio = Math.log(inProduct / inBackdrop[bin]!) / MOST_LIKELIHOOD;
    return Math.min(1, Math.max(-1, ratio));
  });
  const likelihoods = new Float32Array(kinds.length);
  for (let i = 0; i < kinds.length; i++) {
    if (kinds[i] === IS_UNSURE) likelihoods[i] = ofBins[findBin(lab.data, i)]!;
  }
  return likelihoods;
}

/** Clears the parts that do not touch the product. */
function dropIslands(own: Matte, joined: Uint8Array): void {
  const all = { ...own, data: own.data.map((alpha, i) => (alpha >= SUBJECT ? 2 : joined[i]!)) };
  const { parts, order } = findParts(all, { min: 1, max: 2, neighbours: 8 });
  for (const { start, end, peak } of parts) {
    if (peak === 1) for (let n = start; n < end; n++) joined[order[n]!] = 0;
  }
}

/** By how much alpha rises in the unsure area. The outline of what was added is softened over 3 pixels. */
function measureGain({ own: { width, height, data }, kinds }: Scene, added: Uint8Array): Uint8Array {
  const raised = data.slice();
  for (let i = 0; i < raised.length; i++) if (added[i] === 1) raised[i] = 255;
  const gain = new Uint8Array(data.length);
  for (let i = kinds.indexOf(IS_UNSURE); i >= 0; i = kinds.indexOf(IS_UNSURE, i + 1)) {
    const x = i % width;
    const y = (i - x) / width;
    let sum = 0;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) sum += raised[v * width + u]!;
    }
    gain[i] = Math.min(255, Math.max(0, Math.round(sum / 9 - data[i]!)));
  }
  return gain;
}
