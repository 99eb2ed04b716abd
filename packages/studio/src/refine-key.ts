/** Pass: traces the key light's visibility again along the edges of shadows, with all samples. */

import type { BuiltSet } from './built-set.ts';
import type { Guide } from './geometry-buffer.ts';
import { mayBeEarly, traceTexel } from './key-light.ts';

/** Difference of visibility between neighbors above which a texel counts as the edge of a shadow. */
const EDGE_STEP = 0.05;

/**
 * Copies rows of `from` to `to`, and traces some texels again. Where the first few rays of a texel were all lit or all
 * dark, `key-light` skipped the rest. If such a texel differs from a neighbor, its first rays missed the edge of a
 * shadow, which would look jagged. So this texel is traced again with all `samples` rays.
 */
export function refineKey(
  built: BuiltSet,
  guide: Guide,
  samples: number,
  from: Float32Array,
  to: Float32Array,
  fromRow: number,
  toRow: number,
): void {
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < guide.width; column++) {
      const texel = row * guide.width + column;
      const value = from[texel]!;
      to[texel] =
        mayBeEarly(value) && isBesideEdge(guide, from, column, row)
          ? traceTexel(built, guide, column, row, samples, samples)
          : value;
    }
  }
}

/** Whether the visibility at a neighbor of the same material differs by more than `EDGE_STEP`. */
function isBesideEdge(
  { width, height, material }: Guide,
  values: Float32Array,
  column: number,
  row: number,
): boolean {
  const texel = row * width + column;
  const own = values[texel]!;
  const right = Math.min(width - 1, column + 1);
  const down = Math.min(height - 1, row + 1);
  for (let y = Math.max(0, row - 1); y <= down; y++) {
    for (let x = Math.max(0, column - 1); x <= right; x++) {
      const other = y * width + x;
      if (Math.abs(values[other]! - own) > EDGE_STEP && material[other] === material[texel]) return true;
    }
  }
  return false;
}
