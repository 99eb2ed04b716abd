/**
 * Step: adds to a matte the parts that two other passes over the photo include and the matte lacks.
 *
 * A pass at full resolution often does not recognize a large object as a whole. Coarser passes and passes over a wider
 * view do. The opposite does not work: when parts were removed because those passes left them out, a white console on
 * white lost its top, and glasses lost their lenses. Thin parts are not added, because coarse passes are poor at them.
 */
import {
  CHAMFER_STEP,
  cutWindow,
  findMatteBounds,
  growBox,
  type Matte,
  measureDistances,
  SUBJECT,
} from 'packshot-pixels';
import { enlargeMatte } from './enlarge-matte.ts';

/** To compare the passes, their mattes are scaled to squares of this side. All lengths below are in their pixels. */
const SIDE_PX = 1024;
/** In a lost part, the alpha of both other passes exceeds that of the matte by more than this (of 255). */
const LEAST_GAIN = 24;
/**
 * Pixels count as the core of a part if they are deeper inside it than `LEAST_DEPTH_PX`. Pixels farther than `EDGE_PX`
 * from any core, such as thin parts, are not added.
 */
const LEAST_DEPTH_PX = 6;
const EDGE_PX = 16;
/** Distance over which added parts fade out beyond their outline. */
const FADE_PX = 6;

interface LostParts {
  /** 1 in the lost parts. */
  readonly lost: Matte;
  /** Per pixel, the lower and the higher alpha of the two other passes. */
  readonly least: Uint8Array;
  readonly most: Uint8Array;
}

/** Whether a pass includes a part that the matte lacks. All mattes cover the whole photo, at any resolution. */
export const mayLackParts = async (matte: Matte, coarse: Matte): Promise<boolean> =>
  (await findLostParts(matte, coarse, coarse)) !== null;

/** Returns the given matte itself if it lacks no part. */
export async function addLostParts(matte: Matte, coarse: Matte, far: Matte): Promise<Matte> {
  const found = await findLostParts(matte, coarse, far);
  if (found === null) return matte;
  const { lost, least, most } = found;
  const area = growBox(findMatteBounds(lost, 1)!, { x: FADE_PX, y: FADE_PX }, lost);
  const distances = measureDistances(area, cutWindow(lost, area).data);
  const parts = { ...lost, data: new Uint8Array(SIDE_PX ** 2) };
  for (let y = 0, n = 0; y < area.height; y++) {
    for (let x = 0, i = (area.y + y) * SIDE_PX + area.x; x < area.width; x++, i++, n++) {
      const isOpening = lost.data[i] === 0 && least[i]! >= SUBJECT;
      const share = Math.max(0, 1 - distances[n]! / (FADE_PX * CHAMFER_STEP));
      if (!isOpening) parts.data[i] = Math.round(most[i]! * share);
    }
  }
  const added = await enlargeMatte(parts, matte);
  return { ...matte, data: matte.data.map((alpha, i) => Math.max(alpha, added.data[i]!)) };
}

async function findLostParts(matte: Matte, one: Matte, other: Matte): Promise<LostParts | null> {
  const size = { width: SIDE_PX, height: SIDE_PX };
  const own = await enlargeMatte(matte, size);
  const [a, b] = [await enlargeMatte(one, size), await enlargeMatte(other, size)];
  const lost: Matte = { ...size, data: new Uint8Array(SIDE_PX ** 2) };
  const least = a.data.map((alpha, i) => Math.min(alpha, b.data[i]!));
  const most = a.data.map((alpha, i) => Math.max(alpha, b.data[i]!));
  for (let i = 0; i < least.length; i++)
    if (least[i]! >= SUBJECT && own.data[i]! < least[i]! - LEAST_GAIN) lost.data[i] = 1;
  return keepThickParts(lost) ? { lost, least, most } : null;
}

/** Clears thin parts, and returns whether any part is left. */
function keepThickParts(lost: Matte): boolean {
  const box = findMatteBounds(lost, 1);
  if (box === null) return false;
  const area = growBox(box, { x: 1, y: 1 }, lost);
  const depths = measureDistances(
    area,
    cutWindow(lost, area).data.map((is) => 1 - is),
  );
  const core = new Uint8Array(depths.length);
  for (let n = 0; n < core.length; n++) if (depths[n]! > LEAST_DEPTH_PX * CHAMFER_STEP) core[n] = 1;
  const distances = measureDistances(area, core);
  for (let y = 0, n = 0; y < area.height; y++) {
    for (let x = 0, i = (area.y + y) * SIDE_PX + area.x; x < area.width; x++, i++, n++) {
      if (distances[n]! > EDGE_PX * CHAMFER_STEP) lost.data[i] = 0;
    }
  }
  return core.includes(1);
}
