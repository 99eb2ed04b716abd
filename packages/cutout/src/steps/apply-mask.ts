/**
 * Step: applies a caller's mask to a matte: white is subject, black is background, and gray leaves the matte unchanged,
 * with one exception.
 *
 * Gray between a white and a black area is the anti-aliased or resampled edge of the mask, so it becomes alpha.
 */
import { type Box, findMatteBounds, type Matte } from 'packshot-pixels';
import { resampleRegion } from './enlarge-matte.ts';

/**
 * Mask values up to `BLACK` count as black, and values from `WHITE` on count as white, because masks saved as
 * JPEG are not exact.
 */
const BLACK = 63;
const WHITE = 192;
/** Gray counts as an edge if both white and black lie within this many pixels. */
const EDGE_PX = 2;
const LEFT_ALONE = 0;
const SETTLED = 255;

interface Applied {
  readonly matte: Matte;
  /** Bounds of the changed pixels. */
  readonly box: Box;
}

/** `mask` has the aspect ratio of `before`, at any resolution. Returns `null` if the mask changes nothing. */
export async function applyMask(before: Matte, mask: Matte): Promise<Applied | null> {
  const whole = { x: 0, y: 0, width: mask.width, height: mask.height };
  const settled = await resampleRegion({ ...mask, data: findSettled(mask) }, whole, before);
  const values = await resampleRegion(mask, whole, before);
  const data = before.data.slice();
  const changed = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) {
    if (settled.data[i]! < SETTLED / 2) continue;
    const alpha = Math.round((255 * (values.data[i]! - BLACK)) / (WHITE - BLACK));
    const clipped = Math.min(255, Math.max(0, alpha));
    if (data[i] === clipped) continue;
    data[i] = clipped;
    changed[i] = 1;
  }
  const box = findMatteBounds({ ...before, data: changed }, 1);
  return box && { matte: { ...before, data }, box };
}

function findSettled(mask: Matte): Uint8Array {
  return mask.data.map((value, i) =>
    value <= BLACK || value >= WHITE || isEdge(mask, i) ? SETTLED : LEFT_ALONE,
  );
}

function isEdge({ width, height, data }: Matte, i: number): boolean {
  const x = i % width;
  const y = (i - x) / width;
  let hasBlack = false;
  let hasWhite = false;
  for (let v = Math.max(0, y - EDGE_PX); v <= Math.min(height - 1, y + EDGE_PX); v++) {
    for (let u = Math.max(0, x - EDGE_PX); u <= Math.min(width - 1, x + EDGE_PX); u++) {
      const value = data[v * width + u]!;
      if (value <= BLACK) hasBlack = true;
      else if (value >= WHITE) hasWhite = true;
    }
  }
  return hasBlack && hasWhite;
}
