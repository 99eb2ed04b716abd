/** Step: repairs specks and semi-transparent areas (veils) that engines leave in a matte. */
import {
  CHAMFER_STEP,
  cutWindow,
  findMatteBounds,
  findParts,
  growBox,
  type Matte,
  measureDistances,
  SUBJECT,
} from 'packshot-pixels';

/** Minimum alpha of a part. Lower values are haze, too faint to see on a backdrop. */
const PART_MIN = 13;
/**
 * A speck's alpha adds up to less than this share of the largest part's sum, and none of its pixels has an alpha of
 * `SPECK_PEAK` or more. Other small parts stay, because products may have several parts.
 */
const SPECK_MASS_SHARE = 0.002;
const SPECK_PEAK = 160;
/**
 * Depth inside the subject where closing veils begins, as a share of the matte's longer side. Closing is complete at
 * twice this depth.
 */
const DEPTH_SHARE = 1 / 128;
const MIN_DEPTH_PX = 2;

export const refineMatte = (matte: Matte): Matte => closeVeils(dropSpecks(matte));

/** Keeps parts that are large or certain, and removes haze and specks, which would also enlarge the subject's box. */
export function dropSpecks(matte: Matte): Matte {
  const data = new Uint8Array(matte.data.length);
  const { parts, order } = findParts(matte, { min: PART_MIN, max: 255, neighbours: 8 });
  const largest = parts.reduce((mass, part) => Math.max(mass, part.mass), 0);
  for (const { mass, peak, start, end } of parts) {
    if (mass < largest * SPECK_MASS_SHARE && peak < SPECK_PEAK) continue;
    for (let n = start; n < end; n++) data[order[n]!] = matte.data[order[n]!]!;
  }
  return { ...matte, data };
}

/**
 * Makes the subject's interior solid. Engines are unsure on large plain surfaces, which then show gray stains on a dark
 * backdrop. Far from any background, pixels with an alpha of at least one half become solid; those of clear glass have
 * less.
 */
export function closeVeils(matte: Matte): Matte {
  const box = findMatteBounds(matte, SUBJECT);
  if (box === null) return matte;
  // One pixel of background on each side, except where the box meets the photo's frame.
  const area = growBox(box, { x: 1, y: 1 }, matte);
  const background = cutWindow(matte, area).data.map((alpha) => (alpha < SUBJECT ? 1 : 0));
  const depths = measureDistances(area, background);
  const from = CHAMFER_STEP * Math.max(MIN_DEPTH_PX, Math.max(matte.width, matte.height) * DEPTH_SHARE);
  const data = matte.data.slice();
  for (let y = 0, n = 0; y < area.height; y++) {
    for (let x = 0, i = (area.y + y) * matte.width + area.x; x < area.width; x++, i++, n++) {
      if (data[i]! < SUBJECT || depths[n]! <= from) continue;
      data[i] = Math.round(data[i]! + (255 - data[i]!) * Math.min(1, (depths[n]! - from) / from));
    }
  }
  return { ...matte, data };
}
