/**
 * Finds where two passes over the same view contradict each other.
 *
 * Two passes always differ slightly along the outline. They differ most on meshes and cables: for a wire
 * basket, the IoU of the two mattes was only .92. This is no contradiction: the closer pass is just better. So
 * differences near an outline are ignored. A difference more than a few pixels away from both outlines means
 * that one of the passes lost or invented a part.
 */
import { CHAMFER_STEP, findParts, type Matte, markOutline, measureDistances, SUBJECT } from 'packshot-pixels';
import { type Place, toPlace } from '../steps/doubtful-places.ts';

/** Differences closer than this to either outline are ignored; in pixels for a view of 1024 px. */
const OUTLINE_PX = 4;
const REFERENCE_SIDE_PX = 1024;
/** Maximum number of parts that are listed. The remaining parts are small, and a person would not check that many. */
const MOST_DISPUTED = 12;

export interface Comparison {
  /** The fraction of the union of both subjects, 0 to 1, on which the two mattes do not contradict each other. */
  readonly agreement: number;
  /** The contradicting parts, largest first, in the mattes' pixels. */
  readonly disputed: readonly Place[];
}

/** Both mattes must have the same size. */
export function findContradictions(a: Matte, b: Matte): Comparison {
  const { width, height } = a;
  const reach = CHAMFER_STEP * OUTLINE_PX * (Math.max(width, height) / REFERENCE_SIDE_PX);
  const differs: Matte = { width, height, data: new Uint8Array(a.data.length) };
  let either = 0;
  let different = 0;
  for (let i = 0; i < a.data.length; i++) {
    const inA = a.data[i]! >= SUBJECT;
    const inB = b.data[i]! >= SUBJECT;
    if (inA || inB) either++;
    if (inA === inB) continue;
    differs.data[i] = 1;
    different++;
  }
  if (different === 0) return { agreement: 1, disputed: [] };
  const toA = measureDistances(a, markOutline(a));
  const toB = measureDistances(b, markOutline(b));
  const { parts, order } = findParts(differs, { min: 1, max: 255, neighbours: 8 });
  let contradicted = 0;
  const disputed: Int32Array[] = [];
  for (const part of parts) {
    const pixels = order.subarray(part.start, part.end);
    let deep = 0;
    for (const i of pixels) if (toA[i]! > reach && toB[i]! > reach) deep++;
    if (deep === 0) continue;
    contradicted += deep;
    disputed.push(pixels);
  }
  return {
    agreement: 1 - contradicted / either,
    disputed: disputed
      .sort((one, other) => other.length - one.length)
      .slice(0, MOST_DISPUTED)
      .map((pixels) => toPlace(pixels, a)),
  };
}
