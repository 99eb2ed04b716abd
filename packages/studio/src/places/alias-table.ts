/** Table for drawing numbers in proportion to weights, in constant time (Walker 1977; construction: Vose 1991). */
export interface AliasTable {
  /** For each slot, the probability of drawing the slot's own number. */
  readonly keep: Float32Array;
  /** For each slot, the number drawn otherwise: an integer below 2^24, which a float holds exactly. */
  readonly other: Float32Array;
}

export function makeAliasTable(weights: ArrayLike<number>): AliasTable {
  const { length } = weights;
  let total = 0;
  for (let i = 0; i < length; i++) total += weights[i]!;
  const keep = new Float32Array(length).fill(1);
  const other = Float32Array.from({ length }, (_, i) => i);
  if (!(total > 0)) return { keep, other };
  const scaled = Float64Array.from({ length }, (_, i) => (weights[i]! * length) / total);
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < length; i++) (scaled[i]! < 1 ? small : large).push(i);
  while (small.length > 0 && large.length > 0) {
    const poor = small.pop()!;
    const rich = large.at(-1)!;
    keep[poor] = scaled[poor]!;
    other[poor] = rich;
    scaled[rich] = scaled[rich]! - (1 - scaled[poor]!);
    if (scaled[rich]! < 1) small.push(large.pop()!);
  }
  return { keep, other };
}

/**
 * Draws a number. `random`, 0 to 1, is multiplied by the number of slots. The result's integer part chooses a slot, and
 * its fractional part decides between the slot's two numbers.
 */
export function drawNumber({ keep, other }: AliasTable, random: number): number {
  const scaled = random * keep.length;
  const slot = Math.min(keep.length - 1, Math.floor(scaled));
  return scaled - slot < keep[slot]! ? slot : other[slot]!;
}
