/**
 * Step: adds parts to a matte that two other passes over the photo include and it does not.
 *
 * A pass at full resolution often does not recognize a large object as a whole, which coarser and wider passes do: they found the
 * laptop in front of a monitor, a monitor in a blue room, a camera's straps. The opposite does not work: removing parts that
 * those passes leave out cost a white console on white its top, and glasses their lenses. So parts are only ever added, except
 * thin ones, at which coarse passes are poor.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';
import { dropShadows } from './drop-shadows.ts';
import { enlargeMatte } from './enlarge-matte.ts';
import { followPhotoEdges } from './follow-photo-edges.ts';

/** The passes are compared at this size; lengths below are in its pixels. */
const SIDE_PX = 1024;
const SUBJECT = 128;
/** Minimum difference by which both other passes must exceed the matte. */
const LEAST_GAIN = 24;
/** Half the width of the thinnest part that is added, and the maximum distance of such a part's own edge. */
const LEAST_DEPTH_PX = 6;
const EDGE_PX = 16;

/**
 * Whether `matte` may lack a part: the coarse pass includes one that `matte` does not. A far pass may confirm
 * it. Shadows are dropped already here, because a far pass could only add a smaller part of them.
 */
export const mayLackParts = async (source: RgbImage, matte: Matte, coarse: Matte): Promise<boolean> =>
  (await findLostParts(source, matte, { coarse, far: coarse })) !== null;

/** `coarse` and `far` cover the whole photo, as `matte` does, at any size. Returns `matte` itself if it lacks nothing. */
export async function addLostParts(
  source: RgbImage,
  matte: Matte,
  { coarse, far }: { readonly coarse: Matte; readonly far: Matte },
): Promise<Matte> {
  const found = await findLostParts(source, matte, { coarse, far });
  if (found === null) return matte;
  const { lost, most } = found;
  const drawn = await enlargeMatte(await followPhotoEdges(most, source), most);
  const parts = { ...most, data: drawn.data.map((alpha, i) => (lost[i] === 0 ? 0 : alpha)) };
  const added = await enlargeMatte(parts, matte);
  return { ...matte, data: matte.data.map((alpha, i) => Math.max(alpha, added.data[i]!)) };
}

/** `lost` is 1 in the lost parts, `most` is the higher alpha of the two passes; `null` if nothing is lost. */
async function findLostParts(
  source: RgbImage,
  matte: Matte,
  { coarse, far }: { readonly coarse: Matte; readonly far: Matte },
) {
  const size = { width: SIDE_PX, height: SIDE_PX };
  const enlarge = (look: Matte) => enlargeMatte(look, size);
  const [own, one, other] = await Promise.all([enlarge(matte), enlarge(coarse), enlarge(far)]);
  const lost = new Uint8Array(SIDE_PX ** 2);
  const most: Matte = { ...size, data: new Uint8Array(lost.length) };
  for (let i = 0; i < lost.length; i++) {
    const least = Math.min(one.data[i]!, other.data[i]!);
    most.data[i] = Math.max(one.data[i]!, other.data[i]!);
    if (least >= SUBJECT && own.data[i]! < least - LEAST_GAIN) lost[i] = 1;
  }
  const isLost = keepThickParts(lost, most) && (await dropShadows(source, own, lost));
  return isLost ? { lost, most } : null;
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
