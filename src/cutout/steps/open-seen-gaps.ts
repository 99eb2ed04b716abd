/**
 * Step: opens gaps that the coarse pass sees, and the closer ones do not.
 *
 * The closer a pass, the less it shows around a product: from close up, the dark opening under a radio's handle could
 * as well be a part of the radio. A hole of the coarse matte is opened if the photo shows the backdrop's own colors in
 * it and strong edges around it. In 77 photos, the coarse pass had 68 holes that the closer pass had closed. One of
 * them is an opening of this kind, and none of the others meets these conditions.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { compareToBackdrop } from './backdrop-likelihood.ts';
import { findParts } from './connected-parts.ts';
import { enlargeMatte } from './enlarge-matte.ts';
import { estimateBackdrop } from './estimate-backdrop.ts';
import { writeLab } from './lab-photo.ts';
import { openGaps } from './open-gaps.ts';
import { shareOnEdges } from './photo-edges.ts';
import { shrinkPhoto } from './shrink-photo.ts';

const SUBJECT = 128;
/** Maximum alpha of a pure backdrop pixel. */
const BACKDROP = 8;
/** Minimum area of a hole, as a share of the product. */
const LEAST_SHARE = 0.005;
/** A hole has a mean alpha of at most this in the coarse matte, and of at least `CLOSED` in the matte to be changed. */
const SEEN = 90;
const CLOSED = 160;
/**
 * A hole's colors are compared with those of the backdrop, continued behind the product. In OKLab, at least half of the
 * pixels must differ by at most `SAME_COLOR`, and nine tenths by at most `MOST_OFF`. These distances were .025 and .033
 * under the radio's handle, and at least .032 and .042 in holes that are parts of products, except for places on
 * baskets.
 */
const SAME_COLOR = 0.03;
const MOST_OFF = 0.05;
/** Minimum mean log-likelihood ratio of backdrop to product. */
const LIKELIHOOD = 0.3;
/** Minimum share of a hole's outline across which colors differ by `EDGE` in OKLab: .86 under the handle. */
const EDGE = 0.05;
const EDGE_SHARE = 0.75;
/** A hole grows by up to this many pixels of the matte, over connected pixels with a likelihood above `GROWING`. */
const GROWTH_PX = 12;
const GROWING = 0.5;

/** `coarse` and `source` cover the same view. Returns `matte` itself if there is nothing to open. */
export async function openSeenGaps(
  matte: Matte,
  coarse: Matte,
  source: RgbImage,
  signal: AbortSignal,
): Promise<Matte> {
  const product = coarse.data.reduce((count, alpha) => count + (alpha >= SUBJECT ? 1 : 0), 0);
  const { parts, order } = findParts(coarse, { min: 0, max: SUBJECT - 1, neighbours: 4 });
  const seen = parts.filter(
    ({ touchesFrame, area, mass }) => !touchesFrame && area >= LEAST_SHARE * product && mass <= SEEN * area,
  );
  if (seen.length === 0) return matte;
  const small = await enlargeMatte(matte, coarse);
  const closed = seen
    .map(({ start, end }) => order.subarray(start, end))
    .filter((hole) => hole.reduce((sum, i) => sum + small.data[i]!, 0) >= CLOSED * hole.length);
  if (closed.length === 0) return matte;
  const scene = { photo: await shrinkPhoto(source, coarse), coarse, small };
  const gaps = closed.filter((hole) => showsBackdrop(hole, scene));
  if (gaps.length === 0) return matte;
  const photo = await shrinkPhoto(source, matte);
  const fitting = await enlargeMatte(matte, photo);
  return openGaps(fitting, photo, growGaps(gaps, coarse, { photo, matte: fitting }), signal);
}

interface Scene {
  readonly photo: RgbImage;
  readonly coarse: Matte;
  /** The matte to be changed, at the size of the coarse one. */
  readonly small: Matte;
}

function showsBackdrop(hole: Int32Array, { photo, coarse, small }: Scene): boolean {
  const likelihood = compareToBackdrop(photo, small);
  if (hole.reduce((sum, i) => sum + likelihood(i), 0) < LIKELIHOOD * hole.length) return false;
  const open = Uint8Array.from(coarse.data, (alpha) => (alpha < SUBJECT ? 1 : 0));
  if (shareOnEdges(photo, hole, open, EDGE) < EDGE_SHARE) return false;
  const known = Uint8Array.from(small.data, (alpha) => (alpha <= BACKDROP ? 255 : 0));
  const backdrop = Uint8Array.from(estimateBackdrop(photo, known).colors, Math.round);
  const own = new Float32Array(3);
  const behind = new Float32Array(3);
  const distances = Float32Array.from(hole, (i) => {
    writeLab(photo.data, 3 * i, own, 0);
    writeLab(backdrop, 3 * i, behind, 0);
    return Math.hypot(own[0]! - behind[0]!, own[1]! - behind[1]!, own[2]! - behind[2]!);
  }).sort();
  const middle = distances[hole.length >> 1]!;
  return middle <= SAME_COLOR && distances[Math.floor(0.9 * hole.length)]! <= MOST_OFF;
}

interface Large {
  readonly photo: RgbImage;
  readonly matte: Matte;
}

/**
 * Returns the holes' pixels at the size of the matte, and the connected pixels around them that have the backdrop's
 * colors.
 */
function growGaps(holes: readonly Int32Array[], coarse: Matte, { photo, matte }: Large): number[][] {
  const { width, height } = matte;
  const likelihood = compareToBackdrop(photo, matte);
  const reached = new Uint8Array(width * height);
  const isHole = new Uint8Array(coarse.data.length);
  for (const hole of holes) for (const i of hole) isHole[i] = 1;
  const gap: number[] = [];
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * coarse.height) / height) * coarse.width;
    for (let x = 0; x < width; x++, i++) {
      if (isHole[row + Math.floor(((x + 0.5) * coarse.width) / width)] === 0) continue;
      reached[i] = 1;
      gap.push(i);
    }
  }
  let front = gap;
  for (let step = 0; step < GROWTH_PX; step++) {
    const next: number[] = [];
    for (const i of front) {
      for (const n of [i - 1, i + 1, i - width, i + width]) {
        if (reached[n] !== 0 || !(likelihood(n) > GROWING)) continue;
        reached[n] = 1;
        next.push(n);
      }
    }
    gap.push(...next);
    front = next;
  }
  return [gap];
}
