/**
 * Step: restores the subject's own colors along its rim by removing the old background's share.
 *
 * Fast multi-level foreground estimation (Germer, Uelwer, Conrad, Harmeling 2020, arXiv 2006.14970): each pixel is
 * modeled as alpha * F + (1 - alpha) * B, where F and B should be smooth where alpha changes. This is solved from
 * coarse to fine, with a few sweeps per level. Here the fine levels are solved only around the rim, and the finest in
 * strips, so that even a 50-megapixel photo needs memory only for its coarse levels.
 */
import { type Box, growBox, type Matte, type RgbaImage, type RgbImage } from 'packshot-pixels';
import { holdRimColors } from './hold-rim-colors.ts';

/** From this alpha (.98) on, a pixel shows only the subject, and its color is kept exactly. */
const OPAQUE = 250;
/** Smoothness weights: a constant, and a weight per unit of change in alpha (section 2.2 of the paper: 1e-5 and 1). */
const REGULARIZATION = 1e-5;
const GRADIENT_WEIGHT = 1;
/** Sweeps per level: the paper's 10 for sides up to 32 px, 2 above. */
const SMALL_SIDE_PX = 32;
const SMALL_SWEEPS = 10;
const SWEEPS = 2;
/**
 * Levels with sides up to this length are solved for all pixels, to spread colors far. Larger levels are solved only
 * around the rim.
 */
const DENSE_SIDE_PX = 64;
/** Rows of the finest level solved at a time. */
const STRIP_ROWS = 128;
/** Width of the background around the subject's box that the coarse levels include. */
const MARGIN_PX = 16;

/** Foreground and background colors of some rows of one level, 3 bytes per pixel. */
interface Colors {
  readonly width: number;
  readonly height: number;
  readonly foreground: Uint8Array;
  readonly background: Uint8Array;
}

/** One level's picture: every 2^level-th pixel of the source, within the box. */
interface Level {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  readonly alpha: Uint8Array;
}

/** `box` contains every pixel whose alpha is not 0. Fully transparent pixels become zeros. */
export function cleanEdges(source: RgbImage, matte: Matte, box: Box): RgbaImage {
  const area = growBox(box, { x: MARGIN_PX, y: MARGIN_PX }, source);
  const data = new Uint8Array(source.width * source.height * 4);
  let coarse: Colors | null = null;
  const finest = Math.ceil(Math.log2(Math.max(area.width, area.height)));
  for (let level = finest; level >= 1; level--) {
    const picture = sampleLevel(source, matte, { area, level, fromRow: 0, toRow: area.height });
    coarse = solve(picture, coarse, { firstRow: 0, into: makeColors(picture) });
  }
  // Used for one strip after another.
  const colors = makeColors({ width: area.width, height: Math.min(area.height, STRIP_ROWS + 2 * SWEEPS) });
  for (let row = 0; row < area.height; row += STRIP_ROWS) {
    // Extra rows around the strip, one per sweep, carry the influence of the rows beyond it.
    const fromRow = Math.max(0, row - SWEEPS);
    const endRow = Math.min(area.height, row + STRIP_ROWS);
    const toRow = Math.min(area.height, endRow + SWEEPS);
    const strip = sampleLevel(source, matte, { area, level: 0, fromRow, toRow });
    const { foreground } = solve(strip, coarse, { firstRow: fromRow, into: colors });
    for (let y = row; y < endRow; y++) {
      const from = (y - fromRow) * area.width;
      const to = ((area.y + y) * source.width + area.x) * 4;
      writeRow(data, to, strip.alpha.subarray(from, from + area.width), foreground.subarray(from * 3));
    }
  }
  const cutout = { width: source.width, height: source.height, data };
  holdRimColors(cutout, source, matte, { box, opaque: OPAQUE });
  return cutout;
}

function writeRow(data: Uint8Array, start: number, alpha: Uint8Array, foreground: Uint8Array): void {
  for (let x = 0, p = 0, q = start; x < alpha.length; x++, p += 3, q += 4) {
    const a = alpha[x]!;
    if (a === 0) continue;
    data[q] = foreground[p]!;
    data[q + 1] = foreground[p + 1]!;
    data[q + 2] = foreground[p + 2]!;
    data[q + 3] = a;
  }
}

interface LevelSpan {
  readonly area: Box;
  /** 0 is the source's own resolution. */
  readonly level: number;
  /** Rows of the box, in source pixels; `toRow` is exclusive. */
  readonly fromRow: number;
  readonly toRow: number;
}

/** Nearest sampling, as in the paper: averaging would mix the two colors to be separated. */
function sampleLevel(source: RgbImage, matte: Matte, { area, level, fromRow, toRow }: LevelSpan): Level {
  const step = 2 ** level;
  const half = step >> 1;
  const width = Math.ceil(area.width / step);
  const height = Math.ceil((toRow - fromRow) / step);
  const rgb = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  for (let y = 0, i = 0, p = 0; y < height; y++) {
    const row = (area.y + Math.min(toRow - 1, fromRow + y * step + half)) * source.width + area.x;
    if (step === 1) {
      alpha.set(matte.data.subarray(row, row + width), i);
      rgb.set(source.data.subarray(row * 3, (row + width) * 3), p);
      i += width;
      p += width * 3;
      continue;
    }
    for (let x = 0; x < width; x++, i++, p += 3) {
      const at = row + Math.min(area.width - 1, x * step + half);
      alpha[i] = matte.data[at]!;
      rgb[p] = source.data[at * 3]!;
      rgb[p + 1] = source.data[at * 3 + 1]!;
      rgb[p + 2] = source.data[at * 3 + 2]!;
    }
  }
  return { width, height, rgb, alpha };
}

/**
 * `level` may be a strip of a level; `firstRow` is the strip's first row in the whole level. The colors are written to
 * `into`, which may have room for more rows.
 */
function solve(
  level: Level,
  coarse: Colors | null,
  { firstRow, into }: { readonly firstRow: number; readonly into: Colors },
): Colors {
  const { width, height } = level;
  startFrom(level, coarse, { firstRow, into });
  const isDense = Math.max(width, height) <= DENSE_SIDE_PX && coarse !== null;
  const unknown = isDense || coarse === null ? listAll(level) : listRim(level);
  const sweeps = Math.max(width, height) <= SMALL_SIDE_PX ? SMALL_SWEEPS : SWEEPS;
  for (let sweep = 0; sweep < sweeps; sweep++) sweepLevel(level, into, unknown);
  return into;
}

/** Writes the starting colors: the coarser level's result, or the photo's colors where no estimate is needed. */
function startFrom(
  { width, height, rgb, alpha }: Level,
  coarse: Colors | null,
  { firstRow, into }: { readonly firstRow: number; readonly into: Colors },
): void {
  const { foreground, background } = into;
  foreground.set(rgb);
  background.set(rgb);
  if (coarse === null) return;
  for (let y = 0, i = 0, p = 0; y < height; y++) {
    const parents = ((firstRow + y) >> 1) * coarse.width;
    for (let x = 0; x < width; x++, i++, p += 3) {
      const a = alpha[i]!;
      const parent = (parents + (x >> 1)) * 3;
      if (a < OPAQUE) {
        foreground[p] = coarse.foreground[parent]!;
        foreground[p + 1] = coarse.foreground[parent + 1]!;
        foreground[p + 2] = coarse.foreground[parent + 2]!;
      }
      if (a > 0) {
        background[p] = coarse.background[parent]!;
        background[p + 1] = coarse.background[parent + 1]!;
        background[p + 2] = coarse.background[parent + 2]!;
      }
    }
  }
}

function makeColors({ width, height }: Pick<Colors, 'width' | 'height'>): Colors {
  const bytes = width * height * 3;
  return { width, height, foreground: new Uint8Array(bytes), background: new Uint8Array(bytes) };
}

function listAll({ width, height }: Level): Int32Array {
  return Int32Array.from({ length: width * height }, (_, index) => index);
}

const MIXED = 1;
const SOLID = 2;

/** Lists the mixed pixels and their neighbors. The neighbors carry known colors across the edge. */
function listRim({ width, height, alpha }: Level): Int32Array {
  const isRim = new Uint8Array(alpha.length);
  let count = 0;
  const kinds = new Uint8Array(alpha.length);
  for (let i = 0; i < kinds.length; i++) kinds[i] = alpha[i]! >= OPAQUE ? SOLID : alpha[i]! > 0 ? MIXED : 0;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const kind = kinds[i]!;
      if (
        kind === MIXED ||
        (x > 0 && kinds[i - 1] !== kind) ||
        (x < width - 1 && kinds[i + 1] !== kind) ||
        (y > 0 && kinds[i - width] !== kind) ||
        (y < height - 1 && kinds[i + width] !== kind)
      ) {
        isRim[i] = 1;
        count++;
      }
    }
  }
  const list = new Int32Array(count);
  for (let i = 0, n = 0; n < count; i++) if (isRim[i] === 1) list[n++] = i;
  return list;
}

/** One Gauss-Seidel sweep: solves the 2x2 system of section 2.2 for each pixel, with its four neighbors fixed. */
function sweepLevel({ width, height, rgb, alpha }: Level, colors: Colors, unknown: Int32Array): void {
  const { foreground, background } = colors;
  for (let n = 0; n < unknown.length; n++) {
    const i = unknown[n]!;
    const x = i % width;
    const a = alpha[i]!;
    const left = x > 0 ? i - 1 : i;
    const right = x < width - 1 ? i + 1 : i;
    const up = i >= width ? i - width : i;
    const down = i < width * (height - 1) ? i + width : i;
    const wl = REGULARIZATION + (GRADIENT_WEIGHT / 255) * Math.abs(a - alpha[left]!);
    const wr = REGULARIZATION + (GRADIENT_WEIGHT / 255) * Math.abs(a - alpha[right]!);
    const wu = REGULARIZATION + (GRADIENT_WEIGHT / 255) * Math.abs(a - alpha[up]!);
    const wd = REGULARIZATION + (GRADIENT_WEIGHT / 255) * Math.abs(a - alpha[down]!);
    const weights = wl + wr + wu + wd;
    const share = a / 255;
    const rest = 1 - share;
    const a00 = share * share + weights;
    const a01 = share * rest;
    const a11 = rest * rest + weights;
    const scale = 1 / (a00 * a11 - a01 * a01);
    for (let c = 0; c < 3; c++) {
      const p = i * 3 + c;
      const l = left * 3 + c;
      const r = right * 3 + c;
      const u = up * 3 + c;
      const d = down * 3 + c;
      const value = rgb[p]!;
      const f =
        share * value + wl * foreground[l]! + wr * foreground[r]! + wu * foreground[u]! + wd * foreground[d]!;
      const b =
        rest * value + wl * background[l]! + wr * background[r]! + wu * background[u]! + wd * background[d]!;
      if (a < OPAQUE) foreground[p] = toByte((a11 * f - a01 * b) * scale);
      if (a > 0) background[p] = toByte((a00 * b - a01 * f) * scale);
    }
  }
}

function toByte(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0;
}
