/** Low-discrepancy numbers per pixel: deterministic in every thread, and decorrelated between neighboring pixels. */

// R2 sequence (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
const R2_X = 0.7548776662466927;
const R2_Y = 0.5698402909980532;
// Two constants of the same sequence in four dimensions.
const R4_Z = 0.733891856627126;
const R4_W = 0.6287067210378087;

/**
 * Interleaved gradient noise (Jimenez 2014): neighboring pixels get evenly distributed offsets, which
 * denoises well. 0 to 1.
 */
export function gradientOffset(x: number, y: number): number {
  return fraction(52.9829189 * fraction(0.06711056 * x + 0.00583715 * y));
}

/** First coordinate of sample `index` for a pixel with shift `offset` (Cranley and Patterson 1976). 0 to 1. */
export function firstOf(index: number, offset: number): number {
  return fraction(index * R2_X + offset);
}
export function secondOf(index: number, offset: number): number {
  return fraction(index * R2_Y + offset);
}

/** Two more coordinates of the same sample, for a second plane. 0 to 1. */
export function thirdOf(index: number, offset: number): number {
  return fraction(index * R4_Z + offset);
}
export function fourthOf(index: number, offset: number): number {
  return fraction(index * R4_W + offset);
}

function fraction(value: number): number {
  return value - Math.floor(value);
}
