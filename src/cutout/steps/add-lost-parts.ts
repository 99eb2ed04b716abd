/**
 * Step: adds to a matte the parts that two other passes over the photo include and the matte lacks.
 *
 * A pass at full resolution often does not recognize a large object as a whole. Coarser passes and passes over a wider
 * view do: they found the laptop in front of a monitor, a monitor in a blue room, and a camera's straps. The opposite
 * does not work. When parts were removed because those passes left them out, a white console on white lost its top,
 * and glasses lost their lenses. So parts are only ever added. Thin parts are not added, because coarse passes are
 * poor at them.
 */
import { findMatteBounds, growBox } from '../../pixels/boxes.ts';
import { CHAMFER_STEP, measureDistances } from '../../pixels/chamfer-distance.ts';
import { findParts } from '../../pixels/connected-parts.ts';
import { cutWindow } from '../../pixels/cut-window.ts';
import { type Matte, type RgbImage, SUBJECT } from '../../pixels.ts';
import { dropShadows, readLight } from './drop-shadows.ts';
import { enlargeMatte } from './enlarge-matte.ts';
import { followPhotoEdges } from './follow-photo-edges.ts';

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
/** Minimum alpha of a trace of a part in another pass, and of a semi-transparent area (veil) in the matte. */
const TRACE = 32;
const VEIL = 64;
/** In `growParts`: value of a lost part's pixels. Pixels into which a lost part may grow have the value 1. */
const LOST = 2;
/** Distance over which added parts fade out beyond their outline. */
const FADE_PX = 6;

/**
 * The inputs that can be prepared before the far pass (the one over a wider view) is run. `own` is `matte` at
 * `SIDE_PX`. `coarse` and `light` (the photo's gray values) have that size, too.
 */
export interface PartSearch {
  readonly source: RgbImage;
  readonly matte: Matte;
  readonly own: Matte;
  readonly coarse: Matte;
  readonly light: Uint8Array;
}

/** Both mattes cover the whole photo, at any resolution. */
export async function preparePartSearch(
  source: RgbImage,
  { matte, coarse }: { readonly matte: Matte; readonly coarse: Matte },
): Promise<PartSearch> {
  const size = { width: SIDE_PX, height: SIDE_PX };
  const own = await enlargeMatte(matte, size);
  return {
    source,
    matte,
    own,
    coarse: await enlargeMatte(coarse, size),
    light: await readLight(source, own),
  };
}

/**
 * Whether the coarse pass includes a part that the matte lacks and that is not a shadow. If not, a far pass would be
 * wasted, because a lost part is one that both passes include.
 */
export const mayLackParts = (search: PartSearch): boolean => findLostParts(search, search.coarse) !== null;

/** `far` covers the whole photo, at any resolution. Returns the given matte itself if it lacks no part. */
export async function addLostParts(search: PartSearch, far: Matte): Promise<Matte> {
  const { source, matte } = search;
  const found = findLostParts(search, await enlargeMatte(far, search.own));
  if (found === null) return matte;
  const { most, least } = found;
  const grown = { ...most, data: growParts(found) };
  const area = growBox(findMatteBounds(grown, 1)!, { x: FADE_PX, y: FADE_PX }, most);
  const drawn = await enlargeMatte(await followPhotoEdges(most, source), most);
  const distances = measureDistances(area, cutWindow(grown, area).data);
  const parts = new Uint8Array(grown.data.length);
  for (let y = 0, n = 0; y < area.height; y++) {
    for (let x = 0, i = (area.y + y) * SIDE_PX + area.x; x < area.width; x++, i++, n++) {
      const isOpening = grown.data[i] === 0 && least[i]! >= SUBJECT;
      const share = Math.max(0, 1 - distances[n]! / (FADE_PX * CHAMFER_STEP));
      if (!isOpening) parts[i] = Math.round(drawn.data[i]! * share);
    }
  }
  const added = await enlargeMatte({ ...most, data: parts }, matte);
  const data = matte.data.slice();
  for (let i = 0; i < data.length; i++) if (added.data[i]! > data[i]!) data[i] = added.data[i]!;
  return { ...matte, data };
}

interface LostParts {
  /** 1 in the lost parts. */
  readonly lost: Uint8Array;
  /** The given matte at `SIDE_PX`. */
  readonly own: Matte;
  /** Per pixel, the lower alpha of the two other passes. */
  readonly least: Uint8Array;
  /** Per pixel, the higher alpha of the two other passes. */
  readonly most: Matte;
}

/** `other` is at `SIDE_PX`. Returns `null` if no part is lost. */
function findLostParts({ own, coarse: one, light }: PartSearch, other: Matte): LostParts | null {
  const lost = new Uint8Array(SIDE_PX ** 2);
  const least = new Uint8Array(lost.length);
  const most: Matte = { ...own, data: new Uint8Array(lost.length) };
  for (let i = 0; i < lost.length; i++) {
    least[i] = Math.min(one.data[i]!, other.data[i]!);
    most.data[i] = Math.max(one.data[i]!, other.data[i]!);
    if (least[i]! >= SUBJECT && own.data[i]! < least[i]! - LEAST_GAIN) lost[i] = 1;
  }
  const isLost = keepThickParts(lost, most) && dropShadows(light, own, lost);
  return isLost ? { lost, own, least, most } : null;
}

/**
 * Extends each lost part to two kinds of connected pixels. Where only one of the two passes is sure of product, the
 * other must see at least a trace. Where both are sure, the matte must have at least a veil: `findLostParts` has
 * already rejected pixels with less than a veil, as a shadow, or as too thin (for example, a narrow opening in the
 * product).
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
  const all = { ...size, data: lost };
  const box = findMatteBounds(all, 1);
  if (box === null) return false;
  const area = growBox(box, { x: 1, y: 1 }, size);
  const kept = cutWindow(all, area).data;
  for (let n = 0; n < kept.length; n++) kept[n] = 1 - kept[n]!;
  const depths = measureDistances(area, kept);
  const core = new Uint8Array(kept.length);
  for (let n = 0; n < core.length; n++) if (depths[n]! > LEAST_DEPTH_PX * CHAMFER_STEP) core[n] = 1;
  const distances = measureDistances(area, core);
  for (let y = 0, n = 0; y < area.height; y++) {
    for (let x = 0, i = (area.y + y) * size.width + area.x; x < area.width; x++, i++, n++) {
      if (distances[n]! > EDGE_PX * CHAMFER_STEP) lost[i] = 0;
    }
  }
  return core.includes(1);
}
