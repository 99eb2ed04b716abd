/**
 * Step: extends a few strokes to the region that the person meant, up to the edges visible in the photo.
 *
 * This is a binary graph cut (Boykov, Jolly, "Interactive Graph Cuts", ICCV 2001) over the photo's regions
 * instead of its pixels. Marked pixels are fixed. A `keep` stroke can only add to the subject, and an `erase`
 * stroke can only remove from it, so a correction never undoes another one elsewhere. Beyond the marks, a
 * region changes sides if its color is more like the colors under the strokes than those of its side. The cost of a
 * change grows with the distance from the strokes, and is lower where the new outline follows an edge in the photo.
 * Beyond the strokes' reach (`measure-reach.ts`), nothing changes.
 */
import { findParts, type Lab, type Matte, type RgbImage, SUBJECT, toLab } from 'packshot-pixels';
import { ERASE, KEEP } from '../correction.ts';
import { createColorHistogram } from './color-histogram.ts';
import { cutGraph } from './cut-graph.ts';
import type { Marks } from './draw-marks.ts';
import { linkRegions } from './link-regions.ts';
import { findScribbles, measureReach } from './measure-reach.ts';
import { type Regions, splitRegions } from './split-regions.ts';

/**
 * If a pixel changes sides, its color is a gain if it is more frequent under the scribble that reaches it than on the
 * pixel's old side, and otherwise a cost. The amount is this price times the natural logarithm of the ratio of the two
 * frequencies. The logarithm is limited to `MOST_COLOR` in both directions.
 */
const COLOR_PRICE = 0.12;
const MOST_COLOR = 3;
/** Cost per pixel for changing sides at the end of a scribble's reach; grows with the square of the distance. */
const DISTANCE_PRICE = 0.36;
/** Cost per pixel of outline between two similar neighbors. */
const SMOOTH_PRICE = 4;
/** A gap in a changed area changes, too, if the gap covers at most this fraction of the total changed area. */
const GAP_SHARE = 0.02;

interface Scene {
  readonly photo: RgbImage;
  /** The matte before the correction, of the same size as the marks. */
  readonly matte: Matte;
  readonly marks: Marks;
  /** Returns how far a scribble reaches, in pixels; gets the diagonal of its bounding box. */
  readonly reachOf: (extent: number) => number;
}

export interface Settled {
  /** 1 for each subject pixel after the correction, otherwise 0. */
  readonly labels: Uint8Array;
  /** 1 for each pixel that the marks may change, however unlikely the change is; otherwise 0. */
  readonly open: Uint8Array;
}

export function settleMarks({ photo, matte, marks, reachOf }: Scene): Settled {
  const subject = matte.data.map((alpha) => (alpha >= SUBJECT ? 1 : 0));
  const before = subject.map((is, i) => (marks.areas[i] === 0 ? is : marks.areas[i] === KEEP ? 1 : 0));
  const seeds = marks.seeds.map((seed, i) => (marks.areas[i] === 0 ? seed : 0));
  const open = marks.areas.map((area, i) => (area !== 0 || seeds[i] !== 0 ? 1 : 0));
  if (!seeds.some((seed) => seed !== 0)) return { labels: before, open };
  const lab = toLab(photo);
  const kinds = before.map((is, i) => 4 * marks.areas[i]! + 2 * is + (seeds[i] === 0 ? 0 : 8 * seeds[i]!));
  const regions = splitRegions(lab, kinds);
  const facts = describeRegions(regions, { before, seeds, areas: marks.areas });
  const pulls = new Float64Array(regions.count);
  for (const mode of [KEEP, ERASE])
    priceChanges(pulls, { lab, regions, facts, seeds, before, mode, reachOf, open });
  const side = cutGraph({ pulls, links: linkRegions(lab, regions, SMOOTH_PRICE, before) });
  const changes = keepTouched(photo, { side, before, seeds, regions });
  return { labels: closeGaps(photo, { before, changes, marks, open }), open };
}

interface RegionFacts {
  readonly areas: Int32Array;
  readonly isSubject: Uint8Array;
  /** `KEEP`, `ERASE` or 0. */
  readonly seeds: Uint8Array;
  /** Whether each region lies in a box or polygon, where the marks are final. */
  readonly isSettled: Uint8Array;
}

function describeRegions(
  { count, of }: Regions,
  pixels: { readonly before: Uint8Array; readonly seeds: Uint8Array; readonly areas: Uint8Array },
): RegionFacts {
  const facts = {
    areas: new Int32Array(count),
    isSubject: new Uint8Array(count),
    seeds: new Uint8Array(count),
    isSettled: new Uint8Array(count),
  };
  for (let i = 0; i < of.length; i++) {
    const region = of[i]!;
    facts.areas[region]!++;
    facts.isSubject[region] = pixels.before[i]!;
    facts.seeds[region] = pixels.seeds[i]!;
    facts.isSettled[region] = pixels.areas[i] === 0 ? 0 : 1;
  }
  return facts;
}

const CERTAIN = 1e9;

interface Pricing {
  readonly lab: Lab;
  readonly regions: Regions;
  readonly facts: RegionFacts;
  readonly seeds: Uint8Array;
  readonly before: Uint8Array;
  readonly mode: number;
  readonly reachOf: Scene['reachOf'];
  /** Pixels that strokes of this mode may change are set to 1. */
  readonly open: Uint8Array;
}

/**
 * Sets the pulls of the regions that strokes of one mode can change. A pull draws a region in the graph cut to the
 * subject if it is positive, and to the backdrop if it is negative.
 */
function priceChanges(pulls: Float64Array, pricing: Pricing): void {
  const { facts, mode } = pricing;
  const sign = mode === KEEP ? 1 : -1;
  const from = mode === KEEP ? 0 : 1;
  const gains = measureGains(pricing, from);
  for (let region = 0; region < pulls.length; region++) {
    if (facts.seeds[region] === mode) pulls[region] = sign * CERTAIN;
    if (facts.seeds[region] !== 0 || facts.isSubject[region] !== from) continue;
    pulls[region] = sign * (gains?.[region] ?? -CERTAIN);
  }
}

/**
 * Returns, for each region, the gain from its color minus the cost of its distance; `null` if there are no
 * strokes of this mode.
 */
function measureGains(
  { lab, regions, facts, seeds, before, mode, reachOf, open }: Pricing,
  from: number,
): Float64Array | null {
  const isSeed = seeds.map((seed) => (seed === mode ? 1 : 0));
  if (!isSeed.includes(1)) return null;
  const marked = findScribbles(lab, isSeed, reachOf);
  const isOpen = before.map((is, i) =>
    is === from && seeds[i] === 0 && facts.isSettled[regions.of[i]!] === 0 ? 1 : 0,
  );
  const { shares, scribbles } = measureReach(lab, regions, marked, isOpen);
  const under = Array.from({ length: marked.count + 1 }, createColorHistogram);
  const [others] = under;
  for (let i = 0; i < before.length; i++)
    if (marked.at[i] !== 0) under[marked.at[i]!]!.add(lab.data, i);
    else if (before[i] === from) others!.add(lab.data, i, Math.min(1, shares[i]!));
  for (const histogram of under) histogram.finish();
  const gains = new Float64Array(regions.count);
  for (let i = 0; i < before.length; i++) {
    if (isOpen[i] === 0) continue;
    const region = regions.of[i]!;
    if (scribbles[i] === 0) {
      gains[region]! -= CERTAIN;
      continue;
    }
    open[i] = 1;
    const likeness = Math.log(under[scribbles[i]!]!.find(lab.data, i) / others!.find(lab.data, i));
    const color = COLOR_PRICE * Math.min(MOST_COLOR, Math.max(-MOST_COLOR, likeness));
    gains[region]! += color - DISTANCE_PRICE * shares[i]! ** 2;
  }
  for (let region = 0; region < gains.length; region++)
    if (facts.isSettled[region] === 1) gains[region] = -CERTAIN;
  return gains;
}

interface Outcome {
  readonly side: Uint8Array;
  readonly before: Uint8Array;
  readonly seeds: Uint8Array;
  readonly regions: Regions;
}

/** Keeps only the changed parts that contain a stroke. Returns 1 for each changed pixel. */
function keepTouched({ width, height }: RgbImage, { side, before, seeds, regions }: Outcome): Uint8Array {
  // Added and removed parts are separate even where they touch.
  const changed = before.map((is, i) => (side[regions.of[i]!] === is ? 0 : 1 + is));
  const touched = new Uint8Array(before.length);
  for (const value of [1, 2]) {
    const rule = { min: value, max: value, neighbours: 8 } as const;
    const { parts, order } = findParts({ width, height, data: changed }, rule);
    for (const part of parts) {
      const pixels = order.subarray(part.start, part.end);
      if (pixels.some((i) => seeds[i] !== 0)) for (const i of pixels) touched[i] = 1;
    }
  }
  return touched;
}

/** Changes small gaps in a changed area too, unless they are marked. */
function closeGaps(
  { width, height }: RgbImage,
  corrected: {
    readonly before: Uint8Array;
    readonly changes: Uint8Array;
    readonly marks: Marks;
    readonly open: Uint8Array;
  },
): Uint8Array {
  const { before, changes, marks, open } = corrected;
  const after = before.map((is, i) => (changes[i] === 1 ? 1 - is : is));
  const most = GAP_SHARE * changes.reduce((sum, change) => sum + change, 0);
  for (const value of [0, 1]) {
    const rule = { min: value, max: value, neighbours: 4 } as const;
    const { parts, order } = findParts({ width, height, data: after }, rule);
    for (const part of parts) {
      if (part.area > most || part.touchesFrame) continue;
      const pixels = order.subarray(part.start, part.end);
      const isMarked = pixels.some((i) => marks.seeds[i] !== 0 || marks.areas[i] !== 0);
      const isIn = (i: number) => changes[i] !== 0 || after[i] === value;
      const isInside = pixels.every((i) => isIn(i - 1) && isIn(i + 1) && isIn(i - width) && isIn(i + width));
      if (isInside && !isMarked && pixels.every((i) => open[i] === 1))
        for (const i of pixels) after[i] = 1 - value;
    }
  }
  return after;
}
