/** Step: merges a closer pass over a part of the photo into a matte, inside a box only. */
import { type Box, cutWindow, findMatteBounds, type Matte } from 'packshot-pixels';
import { enlargeMatte } from '../steps/enlarge-matte.ts';
import { refineMatte } from '../steps/refine-matte.ts';
import { mixPass } from './mix-passes.ts';

interface Merging {
  readonly before: Matte;
  /** The matte of `crop`, at any resolution. */
  readonly pass: Matte;
  /** The part that the pass covers, in whole pixels of the photo. */
  readonly crop: Box;
  readonly box: Box;
}

/**
 * Inside `box`, the pass replaces the matte. It fades in along the sides of the box that are not sides of the
 * photo. Returns the new matte and the bounds of the changes, or `null` if nothing changes.
 */
export async function mergePass({
  before,
  pass,
  crop,
  box,
}: Merging): Promise<{ readonly matte: Matte; readonly box: Box } | null> {
  const placed = await enlargeMatte(refineMatte(pass), crop);
  const window = { ...box, x: box.x - crop.x, y: box.y - crop.y };
  const matte = { ...before, data: before.data.slice() };
  mixPass(matte, cutWindow(placed, window), { window: box, share: 1 });
  const changed = matte.data.map((alpha, i) => (alpha === before.data[i] ? 0 : 1));
  const bounds = findMatteBounds({ ...before, data: changed }, 1);
  return bounds && { matte, box: bounds };
}
