/** Finds the parts of a photo that one look takes for product and another does not. */
import type { Matte } from '../../pixels.ts';
import { CHAMFER_STEP, measureDistances } from '../steps/chamfer-distance.ts';
import { markOutline } from '../steps/compare-looks.ts';
import { findParts } from '../steps/connected-parts.ts';
import { GRID_PX, type Opinion, SUBJECT } from './opinions.ts';

/** What is nearer than this to both outlines is a matter of drawing. */
const OUTLINE_PX = 3;
/** Smaller parts are left as they are. */
const MIN_AREA_PX = 60;

export interface Dispute {
  /** Pixel indices of the grid. */
  readonly pixels: Int32Array;
  /** Whether the other opinion adds the part to what is held, or removes it. */
  readonly adds: boolean;
  readonly other: Opinion;
  /** Of its innermost pixel from both outlines, in pixels of the grid. */
  readonly depth: number;
}

/** `held` and `other` have the grid's size. */
export function findDisputes(held: Matte, other: Opinion): Dispute[] {
  const toHeld = measureDistances(held, markOutline(held));
  const toOther = measureDistances(other.matte, markOutline(other.matte));
  const disputes: Dispute[] = [];
  for (const adds of [true, false]) {
    const differs: Matte = { width: GRID_PX, height: GRID_PX, data: new Uint8Array(GRID_PX ** 2) };
    for (let i = 0; i < differs.data.length; i++) {
      const inHeld = held.data[i]! >= SUBJECT;
      if (inHeld !== adds && other.matte.data[i]! >= SUBJECT === adds) differs.data[i] = 1;
    }
    const { parts, order } = findParts(differs, { min: 1, max: 1, neighbours: 4 });
    for (const { start, end, area } of parts) {
      if (area < MIN_AREA_PX) continue;
      const pixels = order.slice(start, end);
      const depth = pixels.reduce((deepest, i) => Math.max(deepest, Math.min(toHeld[i]!, toOther[i]!)), 0);
      // No outline at all is as far as it gets.
      if (depth > OUTLINE_PX * CHAMFER_STEP)
        disputes.push({ pixels, adds, other, depth: Math.min(GRID_PX, depth / CHAMFER_STEP) });
    }
  }
  return disputes;
}
