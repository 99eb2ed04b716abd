/**
 * Step: completes gaps that the engine cut out only in part. An example is the gap under a chair's back, if
 * a post or a baseboard behind the chair divides that gap.
 *
 * A hole whose outline crosses a plain area of the photo is unfinished. It grows over connected pixels that
 * have the backdrop's colors rather than the product's. The grown hole is used only if it looks like a gap
 * (see `isGap`). Color alone proves nothing, so in any doubt the hole stays as it was.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { compareToBackdrop } from './backdrop-likelihood.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';
import { findParts, type Part } from './connected-parts.ts';
import { fillConvex } from './convex-fill.ts';
import { enlargeMatte } from './enlarge-matte.ts';
import { writeLab } from './lab-photo.ts';
import { openGaps } from './open-gaps.ts';
import { shareOnEdges } from './photo-edges.ts';
import { shrinkPhoto } from './shrink-photo.ts';

const SUBJECT = 128;
/** Minimum area of a hole, as a share of the product; `refine-matte` closes smaller ones as pinholes. */
const LEAST_SHARE = 0.0005;
/**
 * Maximum number of holes. Products with more holes are meshes and baskets. Their wires may resemble the
 * backdrop and leave no plain area.
 */
const MOST_HOLES = 8;
/**
 * OKLab distances across an outline. Below `NO_EDGE`, there is no edge, only the texture of plain cloth and
 * walls. From `STRONG_EDGE` on, the edge is strong.
 */
const NO_EDGE = 0.05;
const STRONG_EDGE = 0.08;
/**
 * A hole is unfinished if a smaller share of its outline than this follows edges in the photo. The limit is
 * well below 1, because blurred places lower the share even for finished holes.
 */
const MOST_FINISHED = 0.7;
/**
 * Minimum mean log-likelihood ratio of backdrop to product around a pixel of a gap. With a minimum of 1, a gap was
 * not opened completely where the floor had the color of a chair's legs. A lower minimum lets some holes spread too
 * far, but these are rejected later.
 */
const LIKELIHOOD = 0.5;
/**
 * Minimum width of product between a gap and the next opening, in pixels, so that no spoke or bar is lost.
 */
const BAR_PX = 4;
/**
 * A gap that grows by more than this share of the product is probably a part of the product in the backdrop's
 * colors.
 */
const MOST_SHARE = 0.04;
/**
 * Minimum share of strong edges along a gap's outline. The share was up to .73 for holes that grew wrongly,
 * .91 for a hole of a basket, and .97 for the gap of the chair.
 */
const EDGE_SHARE = 0.9;
/**
 * Minimum share of its convex hull that a gap fills. A hole that grew along noise of similar colors has branches, and
 * fills a smaller share.
 */
const COMPACT = 0.75;
/**
 * Maximum share of a gap's area that islands cover. Islands are, for example, the letters on a label or the bars of a
 * grille.
 */
const ISLAND_SHARE = 0.05;
/**
 * Minimum standard deviation of a gap's OKLab colors. A plain color may just as well be a label, a logo or a
 * highlight. Holes that grew wrongly had up to .054; the room visible under a chair's back had .18.
 */
const VARIETY = 0.1;

/** `source` covers the same view at any resolution. Returns `matte` itself if there is no gap to finish. */
export async function finishGaps(matte: Matte, source: RgbImage, signal: AbortSignal): Promise<Matte> {
  const openings = listOpenings(matte);
  const { length } = openings.holes;
  if (length === 0 || length > MOST_HOLES) return matte;
  const photo = await shrinkPhoto(source, matte);
  const fitting = await enlargeMatte(matte, photo);
  const gaps: (readonly number[])[] = [];
  const { holes, outside, area } = fitting === matte ? openings : listOpenings(fitting);
  const open = new Uint8Array(fitting.data.length);
  for (let i = 0; i < open.length; i++) if (fitting.data[i]! < SUBJECT) open[i] = 1;
  const scene: Scene = { photo, matte: fitting, open, holes, outside, area };
  const unfinished = holes.filter((hole) => shareOnEdges(photo, hole, open, NO_EDGE) < MOST_FINISHED);
  if (unfinished.length === 0) return matte;
  const likelihood = compareToBackdrop(photo, fitting);
  for (const hole of unfinished) {
    const grown = growHole(hole, scene, likelihood);
    const gap = grown && fillIslands(grown, scene);
    if (gap && isGap(gap, scene)) gaps.push(gap);
  }
  return gaps.length === 0 ? matte : openGaps(fitting, photo, gaps, signal);
}

interface Openings {
  /** The holes that are surrounded by the product, except pinholes. */
  readonly holes: readonly Int32Array[];
  readonly outside: readonly Int32Array[];
  /** Number of pixels of the product. */
  readonly area: number;
}

interface Scene extends Openings {
  readonly photo: RgbImage;
  readonly matte: Matte;
  /** 1 where alpha is less than one half. */
  readonly open: Uint8Array;
}

function listOpenings(matte: Matte): Openings {
  const { parts, order } = findParts(matte, { min: 0, max: SUBJECT - 1, neighbours: 4 });
  const area = matte.data.length - parts.reduce((sum, part) => sum + part.area, 0);
  const list = (of: readonly Part[]) => of.map((part) => order.subarray(part.start, part.end));
  return {
    holes: list(parts.filter((part) => !part.touchesFrame && part.area > area * LEAST_SHARE)),
    outside: list(parts.filter((part) => part.touchesFrame)),
    area,
  };
}

/**
 * Returns the pixels of the grown hole; `null` if it does not grow, would meet another opening or the outline, or would
 * become too large.
 */
function growHole(
  hole: Int32Array,
  scene: Scene,
  likelihood: (pixel: number) => number,
): readonly number[] | null {
  const { matte, area } = scene;
  const { width } = matte;
  let bars: Uint16Array | null = null;
  const isIn = new Uint8Array(matte.data.length);
  const gap = [...hole];
  for (const i of hole) isIn[i] = 1;
  for (let next = 0; next < gap.length; next++) {
    const i = gap[next]!;
    for (const n of [i - 1, i + 1, i - width, i + width]) {
      if (isIn[n] || !(likelihood(n) > LIKELIHOOD)) continue;
      bars ??= measureBars(hole, scene);
      if (bars[n]! < BAR_PX * CHAMFER_STEP || touchesFrame(n, matte)) return null;
      isIn[n] = 1;
      gap.push(n);
    }
    if (gap.length - hole.length > MOST_SHARE * area) return null;
  }
  return gap.length === hole.length ? null : gap;
}

/** Distances to all openings except `hole`. */
function measureBars(hole: Int32Array, { matte, outside, holes }: Scene): Uint16Array {
  const others = new Uint8Array(matte.data.length);
  for (const opening of [...outside, ...holes]) {
    if (opening !== hole) for (const i of opening) others[i] = 1;
  }
  return measureDistances(matte, others);
}

function touchesFrame(i: number, { width, height }: Matte): boolean {
  const x = i % width;
  return x === 0 || x === width - 1 || i < width || i >= width * (height - 1);
}

/** Returns the gap including its islands; `null` if these islands are large. */
function fillIslands(gap: readonly number[], { matte }: Scene): readonly number[] | null {
  const outside = { ...matte, data: new Uint8Array(matte.data.length) };
  for (const i of gap) outside.data[i] = 1;
  const { parts, order } = findParts(outside, { min: 0, max: 0, neighbours: 8 });
  const islands = parts.filter((part) => !part.touchesFrame);
  if (islands.reduce((sum, part) => sum + part.area, 0) > ISLAND_SHARE * gap.length) return null;
  return [...gap, ...islands.flatMap((part) => [...order.subarray(part.start, part.end)])];
}

/** A gap is compact, shows more than one color, and ends at strong edges nearly all around. */
function isGap(gap: readonly number[], { photo, open }: Scene): boolean {
  const hull = fillConvex(Int32Array.from(gap).sort(), photo.width).length;
  if (gap.length < COMPACT * hull || measureVariety(photo, gap) < VARIETY) return false;
  const opened = open.slice();
  for (const i of gap) opened[i] = 1;
  return shareOnEdges(photo, gap, opened, STRONG_EDGE) >= EDGE_SHARE;
}

/** Standard deviation of the colors, in OKLab distance. */
function measureVariety(photo: RgbImage, pixels: readonly number[]): number {
  const lab = new Float32Array(3 * pixels.length);
  for (const [n, i] of pixels.entries()) writeLab(photo.data, 3 * i, lab, 3 * n);
  let variance = 0;
  for (let c = 0; c < 3; c++) {
    let sum = 0;
    let squares = 0;
    for (let n = c; n < lab.length; n += 3) {
      sum += lab[n]!;
      squares += lab[n]! ** 2;
    }
    variance += squares / pixels.length - (sum / pixels.length) ** 2;
  }
  return Math.sqrt(Math.max(0, variance));
}
