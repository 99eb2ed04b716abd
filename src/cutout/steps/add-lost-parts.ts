/**
 * Step: adds the parts to a matte that it lacks and two other passes over the photo include.
 *
 * A pass at full resolution often does not recognize a large object as a whole. Coarser and wider passes do: they found
 * the laptop in front of a monitor, a monitor in a blue room, and a camera's straps. The opposite does not work. When
 * parts were removed because those passes left them out, a white console on white lost its top, and glasses lost their
 * lenses. So parts are only ever added. Thin parts are not added, because coarse passes are poor at them.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';
import { findParts } from './connected-parts.ts';
import { dropShadows } from './drop-shadows.ts';
import { enlargeMatte } from './enlarge-matte.ts';
import { followPhotoEdges } from './follow-photo-edges.ts';

/** The passes are compared at this size; lengths below are in its pixels. */
const SIDE_PX = 1024;
const SUBJECT = 128;
/** Minimum difference by which both other passes must exceed the matte. */
const LEAST_GAIN = 24;
/**
 * Pixels count as the core of a part if they are deeper inside it than `LEAST_DEPTH_PX`. Pixels farther than `EDGE_PX`
 * from any core, such as thin parts, are not added.
 */
const LEAST_DEPTH_PX = 6;
const EDGE_PX = 16;
/** Minimum alpha at which a pass sees a trace of a part, and at which the matte has a veil of it. */
const TRACE = 32;
const VEIL = 64;
/** Value of a lost part's pixels; 1 marks the pixels into which a lost part may grow. */
const LOST = 2;
/** Distance over which added parts fade out beyond their outline. */
const FADE_PX = 6;

/**
 * Whether the coarse pass includes a part that `matte` lacks and that is not a shadow. If so, a far pass is worthwhile:
 * a part that both passes include is added. The far pass can only reduce the area that is added.
 */
export const mayLackParts = async (source: RgbImage, matte: Matte, coarse: Matte): Promise<boolean> =>
  (await findLostParts(source, matte, { coarse, far: coarse })) !== null;

/** All three mattes cover the whole photo, at any resolution. Returns `matte` itself if it lacks no part. */
export async function addLostParts(
  source: RgbImage,
  matte: Matte,
  { coarse, far }: { readonly coarse: Matte; readonly far: Matte },
): Promise<Matte> {
  const found = await findLostParts(source, matte, { coarse, far });
  if (found === null) return matte;
  const { most, least } = found;
  const drawn = await enlargeMatte(await followPhotoEdges(most, source), most);
  const grown = growParts(found);
  const distances = measureDistances(most, grown);
  const parts = drawn.data.map((alpha, i) => {
    const isOpening = grown[i] === 0 && least[i]! >= SUBJECT;
    return isOpening ? 0 : Math.round(alpha * Math.max(0, 1 - distances[i]! / (FADE_PX * CHAMFER_STEP)));
  });
  const added = await enlargeMatte({ ...most, data: parts }, matte);
  return { ...matte, data: matte.data.map((alpha, i) => Math.max(alpha, added.data[i]!)) };
}

interface LostParts {
  /** 1 in the lost parts. */
  readonly lost: Uint8Array;
  /** The given matte; and, per pixel, the lower and the higher alpha of the two other passes. */
  readonly own: Matte;
  readonly least: Uint8Array;
  readonly most: Matte;
}

/** Returns `null` if no part is lost. */
async function findLostParts(
  source: RgbImage,
  matte: Matte,
  { coarse, far }: { readonly coarse: Matte; readonly far: Matte },
): Promise<LostParts | null> {
  const size = { width: SIDE_PX, height: SIDE_PX };
  const enlarge = (look: Matte) => enlargeMatte(look, size);
  const [own, one, other] = await Promise.all([enlarge(matte), enlarge(coarse), enlarge(far)]);
  const lost = new Uint8Array(SIDE_PX ** 2);
  const least = new Uint8Array(lost.length);
  const most: Matte = { ...size, data: new Uint8Array(lost.length) };
  for (let i = 0; i < lost.length; i++) {
    least[i] = Math.min(one.data[i]!, other.data[i]!);
    most.data[i] = Math.max(one.data[i]!, other.data[i]!);
    if (least[i]! >= SUBJECT && own.data[i]! < least[i]! - LEAST_GAIN) lost[i] = 1;
  }
  const isLost = keepThickParts(lost, most) && (await dropShadows(source, own, lost));
  return isLost ? { lost, own, least, most } : null;
}

/**
 * Extends each lost part to connected pixels where one of the two passes is sure and the other sees a trace, or where
 * both are sure and the matte has at least a veil. Where both are sure and the matte has no veil, the pixels belong to
 * narrow openings and are not added.
 */
function growParts({ lost, own, least, most }: LostParts): Uint8Array {
  const found = { ...most, data: lost.slice() };
  for (let i = 0; i < lost.length; i++) {
    const goesOn =
      least[i]! >= SUBJECT ? own.data[i]! >= VEIL : most.data[i]! >= SUBJECT && least[i]! >= TRACE;
    found.data[i] = lost[i] === 1 ? LOST : Number(goesOn);
  }
  const { parts, order } = findParts(found, { min: 1, max: LOST, neighbours: 4 });
  const grown = new Uint8Array(lost.length);
  for (const { start, end, peak } of parts) {
    if (peak === LOST) for (let n = start; n < end; n++) grown[order[n]!] = 1;
  }
  return grown;
}

/** Clears thin parts, and returns whether any part is left. */
function keepThickParts(lost: Uint8Array, size: Matte): boolean {
  const kept = new Uint8Array(lost.length);
  for (let i = 0; i < lost.length; i++) kept[i] = 1 - lost[i]!;
  const depths = measureDistances(size, kept);
  const core = new Uint8Array(lost.length);
  let isAny = false;
  for (let i = 0; i < lost.length; i++) {
    if (depths[i]! <= LEAST_DEPTH_PX * CHAMFER_STEP) continue;
    core[i] = 1;
    isAny = true;
  }
  const distances = measureDistances(size, core);
  for (let i = 0; i < lost.length; i++) if (distances[i]! > EDGE_PX * CHAMFER_STEP) lost[i] = 0;
  return isAny;
}
