/** Focus in a place: sharp at the product, blurred in front of and behind it; the backdrop shows beyond the set. */
import { smoothstep } from 'packshot-pixels';
import { type GeometryBuffer, NOTHING } from '../geometry-buffer.ts';
import { type PlaceView, readBackdrop } from './place-backdrop.ts';

interface SharpPicture {
  readonly buffer: GeometryBuffer;
  /** Linear light, three numbers per pixel. */
  readonly sharp: Float32Array;
}

/** Everything up to this far in front of and behind the product's plane, in world units, stays sharp. */
const SHARP_DEPTH = 0.3;
/** Below this radius, no blur is visible. */
const SMALLEST_PX = 0.4;

/** Three channels of light, and how much of the disc the set covers; the backdrop fills the rest. */
const CHANNELS = 4;
/** If the set leaves less than this fraction of the disc uncovered, that is a rounding error. */
const NO_COVER = 1e-9;

/** Fade range for ground that does not fade: depths beyond any set. */
const NEVER = [1e6, 2e6] as const;

const behind = new Float64Array(3);
/** Reused for all rows: new arrays for each row would be 180 MB of garbage per picture of 1600 px. */
const scratch = { sums: new Float64Array(0), disc: new Float64Array(0) };

/** Returns the first `length` numbers of a scratch array, which may hold old values; replaces it if it is too short. */
function scratchOf(name: keyof typeof scratch, length: number): Float64Array {
  if (scratch[name].length < length) scratch[name] = new Float64Array(length);
  return scratch[name].subarray(0, length);
}

/**
 * Writes one row, in linear light, to `line`. The blur radius depends only on the row: all pixels of a row
 * average over the same disc, so that the set's far edge is as blurred as the set itself. The average is exact:
 * random samples would break that edge up into grains. Where the set's ground fades out, it is blended with the place's
 * own ground.
 */
export function focusRow(place: PlaceView, picture: SharpPicture, row: number, line: Float32Array) {
  const { width } = picture.buffer;
  const blur = blurOfRow(place, picture.buffer, row);
  // A disc as wide as the pixel leaves the pixel unchanged.
  const radius = blur < SMALLEST_PX ? 0.5 : Math.hypot(blur, 0.5);
  const margin = Math.ceil(radius) + 1;
  const sums = scratchOf('sums', (width + 2 * margin + 1) * CHANNELS);
  const disc = scratchOf('disc', width * CHANNELS).fill(0);
  const [fadeFrom, fadeTo] = place.setting.groundFade ?? NEVER;
  const fade = [place.focusDepth + fadeFrom, place.focusDepth + fadeTo] as const;
  let area = 0;
  // Rows at the same distance above and below have the same width in the disc.
  for (let away = 0; away < radius; away++) {
    const half = Math.sqrt(radius * radius - away * away);
    sums.fill(0);
    addRow(picture, row - away, margin, fade, sums);
    if (away > 0) addRow(picture, row + away, margin, fade, sums);
    addSpans(sums, margin, half, disc);
    area += (away > 0 ? 4 : 2) * half;
  }
  for (let column = 0; column < width; column++) {
    const from = column * CHANNELS;
    const far = Math.max(0, 1 - disc[from + 3]! / area);
    if (far > NO_COVER) readBackdrop(place, column, row, behind);
    else behind.fill(0);
    for (let c = 0; c < 3; c++) line[column * 3 + c] = disc[from + c]! / area + far * behind[c]!;
  }
}

/**
 * Adds a row's light and cover to `sums`, from the second entry on; beyond its ends, the row repeats its last pixels.
 */
function addRow(
  { buffer, sharp }: SharpPicture,
  row: number,
  margin: number,
  [fadeFrom, fadeTo]: readonly [number, number],
  sums: Float64Array,
): void {
  const { width, height } = buffer;
  const start = Math.min(height - 1, Math.max(0, row)) * width;
  for (let column = -margin; column < width + margin; column++) {
    const at = start + Math.min(width - 1, Math.max(0, column));
    if (buffer.material[at] === NOTHING) continue;
    const depth = buffer.depth[at]!;
    const solid = depth <= fadeFrom ? 1 : 1 - smoothstep(fadeFrom, fadeTo, depth);
    const to = (column + margin + 1) * CHANNELS;
    sums[to] = sums[to]! + solid * sharp[at * 3]!;
    sums[to + 1] = sums[to + 1]! + solid * sharp[at * 3 + 1]!;
    sums[to + 2] = sums[to + 2]! + solid * sharp[at * 3 + 2]!;
    sums[to + 3] = sums[to + 3]! + solid;
  }
}

/**
 * Turns `sums` into prefix sums, and adds the sum over each pixel's span, `half` to either side of its middle, to
 * `disc`.
 */
function addSpans(sums: Float64Array, margin: number, half: number, disc: Float64Array): void {
  for (let at = CHANNELS; at < sums.length; at++) sums[at] = sums[at]! + sums[at - CHANNELS]!;
  // In every column, the span's ends lie at the same fractions of a pixel.
  const left = Math.floor(0.5 - half);
  const right = Math.floor(0.5 + half);
  const fromLeft = 0.5 - half - left;
  const fromRight = 0.5 + half - right;
  let a = (margin + left) * CHANNELS;
  let b = (margin + right) * CHANNELS;
  for (let at = 0; at < disc.length; at++, a++, b++) {
    const before = sums[a]! + fromLeft * (sums[a + CHANNELS]! - sums[a]!);
    const after = sums[b]! + fromRight * (sums[b + CHANNELS]! - sums[b]!);
    disc[at] = disc[at]! + after - before;
  }
}

/** Minimum blur radius, in pixels, at which the average over the disc hides blocks of two by two pixels. */
const SOFT_PX = 6;

/** Whether this row is so far out of focus that shading one of every four pixels suffices. */
export function isSoftRow(place: PlaceView, buffer: GeometryBuffer, row: number): boolean {
  return blurOfRow(place, buffer, row) >= SOFT_PX;
}

/**
 * Blur radius, in pixels, at the set's depth in the middle column of this row or, if the set is not visible there, of
 * the nearest row in which it is.
 */
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
