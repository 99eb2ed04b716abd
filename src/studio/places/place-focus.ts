/** Focus in a place: sharp at the product, blurred in front of and behind it; the backdrop shows beyond the set. */
import { type GeometryBuffer, NOTHING } from '../geometry-buffer.ts';
import { hashInteger, smoothstep } from '../noise.ts';
import { type PlaceView, readBackdrop } from './place-backdrop.ts';

interface SharpPicture {
  readonly buffer: GeometryBuffer;
  /** Linear light, three numbers per pixel. */
  readonly sharp: Float32Array;
}

/** Depth in front of and behind the product's plane that stays sharp: the product's own depth. */
const SHARP_DEPTH = 0.3;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const MIN_TAPS = 8;
const MAX_TAPS = 36;
const TAPS_PER_PIXEL = 1.6;
/** Number of rotations of the disc of taps; using several avoids a visible pattern. A power of two. */
const TURNS = 32;
/** Below this radius, no blur is visible. */
const SMALLEST_PX = 0.4;

/** Depths beyond any set. */
const NEVER = [1e6, 2e6] as const;

const behind = new Float64Array(3);

/**
 * Writes one row, in linear light, to `line`. The blur radius depends only on the row: all pixels of a row
 * average over the same disc, so that the set's far edge is as blurred as the set itself. Where the set's
 * ground fades out, it is blended with the place's own.
 */
export function focusRow(place: PlaceView, { buffer, sharp }: SharpPicture, row: number, line: Float32Array) {
  const { width, height } = buffer;
  const radius = blurOfRow(place, buffer, row);
  const taps =
    radius < SMALLEST_PX ? 1 : Math.min(MAX_TAPS, Math.ceil(MIN_TAPS + TAPS_PER_PIXEL * radius * radius));
  const { dx, dy } = spreadTaps(radius, taps);
  const [fadeFrom, fadeTo] = (place.setting.groundFade ?? NEVER).map((depth) => place.focusDepth + depth) as [
    number,
    number,
  ];
  for (let column = 0; column < width; column++) {
    const turn = (hashInteger(row * 65537 + column) & (TURNS - 1)) * taps;
    let [r, g, b, covered] = [0, 0, 0, 0];
    for (let tap = turn; tap < turn + taps; tap++) {
      const x = column + dx[tap]!;
      const y = row + dy[tap]!;
      const inX = x < 0 ? 0 : x >= width ? width - 1 : x;
      const inY = y < 0 ? 0 : y >= height ? height - 1 : y;
      const at = inY * width + inX;
      if (buffer.material[at] === NOTHING) continue;
      const solid = 1 - smoothstep(fadeFrom, fadeTo, buffer.depth[at]!);
      covered += solid;
      r += solid * sharp[at * 3]!;
      g += solid * sharp[at * 3 + 1]!;
      b += solid * sharp[at * 3 + 2]!;
    }
    const far = 1 - covered / taps;
    if (far > 0) readBackdrop(place, column, row, behind);
    else behind.fill(0);
    line[column * 3] = r / taps + far * behind[0]!;
    line[column * 3 + 1] = g / taps + far * behind[1]!;
    line[column * 3 + 2] = b / taps + far * behind[2]!;
  }
}

/** Offsets of the taps in whole pixels, for each of `TURNS` rotations of the disc. */
function spreadTaps(radius: number, taps: number): { readonly dx: Int16Array; readonly dy: Int16Array } {
  const dx = new Int16Array(TURNS * taps);
  const dy = new Int16Array(TURNS * taps);
  if (taps === 1) return { dx, dy };
  for (let turn = 0; turn < TURNS; turn++) {
    for (let tap = 0; tap < taps; tap++) {
      const reach = radius * Math.sqrt((tap + 0.5) / taps);
      const angle = (2 * Math.PI * turn) / TURNS + tap * GOLDEN_ANGLE;
      dx[turn * taps + tap] = Math.round(reach * Math.cos(angle));
      dy[turn * taps + tap] = Math.round(reach * Math.sin(angle));
    }
  }
  return { dx, dy };
}

/** Minimum blur radius, in pixels, at which the average over the disc hides blocks of two by two pixels. */
const SOFT_PX = 6;

/** Whether this row is so far out of focus that a quarter of its pixels suffices. */
export function isSoftRow(place: PlaceView, buffer: GeometryBuffer, row: number): boolean {
  return blurOfRow(place, buffer, row) >= SOFT_PX;
}

/** Blur radius in pixels for the ground in this row or, if it has none, in the nearest row with ground. */
function blurOfRow(place: PlaceView, { depth, width, height }: GeometryBuffer, row: number): number {
  for (let away = 0; away < height; away++) {
    for (const y of [row + away, row - away]) {
      const nearest = y >= 0 && y < height ? depth[y * width + (width >> 1)]! : 0;
      if (nearest === 0) continue;
      const blurred = Math.max(0, Math.abs(nearest - place.focusDepth) - SHARP_DEPTH);
      return (place.farBlurPx * blurred) / nearest;
    }
  }
  return 0;
}
