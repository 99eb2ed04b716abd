/**
 * Low-discrepancy sequences per pixel. They are the same in every thread, and decorrelated between neighboring pixels.
 */

// R2 sequence (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
const R2_X = 0.7548776662466927;
const R2_Y = 0.5698402909980532;
// Two constants of the four-dimensional version of this sequence.
const R4_Z = 0.733891856627126;
const R4_W = 0.6287067210378087;

/**
 * Offset of a pixel, 0 to 1, by interleaved gradient noise (Jimenez 2014). Neighboring pixels get evenly distributed
 * offsets, whose noise is easy to remove.
 */
export function gradientOffset(x: number, y: number): number {
  return fraction(52.9829189 * fraction(0.06711056 * x + 0.00583715 * y));
}

/**
 * First coordinate, 0 to 1, of sample `index` for a pixel whose sequence is shifted by `offset` (Cranley and Patterson
 * 1976).
 */
export function firstOf(index: number, offset: number): number {
  return fraction(index * R2_X + offset);
}
export function secondOf(index: number, offset: number): number {
  return fraction(index * R2_Y + offset);
}

/** Third coordinate of the same sample, 0 to 1. Like the fourth, it is for further random choices in that sample. */
export function thirdOf(index: number, offset: number): number {
  return fraction(index * R4_Z + offset);
}
export function fourthOf(index: number, offset: number): number {
  return fraction(index * R4_W + offset);
}

function fraction(value: number): number {
  return value - Math.floor(value);
}
