/** Pass: smooths sampled light without crossing edges of the set. */
import { type Guide, NOTHING } from './geometry-buffer.ts';

export interface DenoiseSettings {
  /** Numbers a texel in `values`: 1 or 3. */
  readonly channels: 1 | 3;
  readonly levels: number;
  /** Exponent of the normals' agreement. */
  readonly normalPower: 4 | 8;
  /** Width of the luminance weight: relative to the luminance (light), or absolute per level (visibility). */
  readonly range: { readonly relative: number; readonly floor: number } | readonly number[];
}

/** B3 spline, one side of it, and its middle (Dammertz et al. 2010, edge-avoiding a-trous). */
const KERNEL = Float64Array.of(3 / 8, 1 / 4, 1 / 16);
/** Distance off a texel's plane that still counts as the same surface, as a share of depth and step (scenes, 3.5). */
const PLANE_SHARE = 0.02;

/** All levels; leaves `values` in an undefined state. */
export function denoiseAll(guide: Guide, settings: DenoiseSettings, values: Float32Array): Float32Array {
  let from: Float32Array = values;
  let to: Float32Array = new Float32Array(values.length);
  for (let level = 0; level < settings.levels; level++) {
    denoiseLevel(guide, settings, level, from, to, 0, guide.height);
    [from, to] = [to, from];
  }
  return from;
}

/** One level from `from` into `to`, rows `fromRow` to `toRow`; `level` doubles the reach each time. */
export function denoiseLevel(
  guide: Guide,
  settings: DenoiseSettings,
  level: number,
  from: Float32Array,
  to: Float32Array,
  fromRow: number,
  toRow: number,
): void {
  const { width, height, material } = guide;
  const { channels } = settings;
  const reach = 1 << level;
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < width; column++) {
      const texel = row * width + column;
      const skip = channels === 1 && isEven(from, width, height, column, row, reach);
      if (skip || material[texel] === NOTHING) {
        for (let c = 0; c < channels; c++) {
          to[texel * channels + c] = from[texel * channels + c]!;
        }
      } else {
        filterTexel(guide, settings, level, from, to, column, row);
      }
    }
  }
}

function filterTexel(
  { width, height, position, normal, depth, material }: Guide,
  { channels, normalPower, range }: DenoiseSettings,
  level: number,
  from: Float32Array,
  to: Float32Array,
  column: number,
  row: number,
): void {
  const reach = 1 << level;
  const texel = row * width + column;
  const own = material[texel]!;
  const luminance = luminanceAt(from, texel, channels);
  const [relative, floor] = rangeOf(range, level);
  const n = texel * 3;
  const planeScale = PLANE_SHARE * depth[texel]! * Math.max(1, reach * 0.5);
  const inversePlane = 1 / (planeScale * planeScale);
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let total = 0;
  const lastX = Math.min(2, Math.floor((width - 1 - column) / reach));
  const lastY = Math.min(2, Math.floor((height - 1 - row) / reach));
  for (let dy = -Math.min(2, Math.floor(row / reach)); dy <= lastY; dy++) {
    for (let dx = -Math.min(2, Math.floor(column / reach)); dx <= lastX; dx++) {
      const other = (row + dy * reach) * width + column + dx * reach;
      const o = other * 3;
      let agree = normal[n]! * normal[o]! + normal[n + 1]! * normal[o + 1]! + normal[n + 2]! * normal[o + 2]!;
      if (material[other] !== own || agree <= 0) {
        continue;
      }
      agree *= agree;
      agree *= agree;
      if (normalPower === 8) {
        agree *= agree;
      }
      const off =
        normal[n]! * (position[o]! - position[n]!) +
        normal[n + 1]! * (position[o + 1]! - position[n + 1]!) +
        normal[n + 2]! * (position[o + 2]! - position[n + 2]!);
      const theirs = luminanceAt(from, other, channels);
      // By the brighter of both: a texel whose few rays all missed the softbox must not keep to itself.
      const difference = (theirs - luminance) / (relative * Math.max(theirs, luminance) + floor);
      const weight =
        KERNEL[dx < 0 ? -dx : dx]! *
        KERNEL[dy < 0 ? -dy : dy]! *
        agree *
        Math.exp(-off * off * inversePlane - difference * difference);
      const at = other * channels;
      total += weight;
      sum0 += weight * from[at]!;
      if (channels === 3) {
        sum1 += weight * from[at + 1]!;
        sum2 += weight * from[at + 2]!;
      }
    }
  }
  const base = texel * channels;
  to[base] = sum0 / total;
  if (channels === 3) {
    to[base + 1] = sum1 / total;
    to[base + 2] = sum2 / total;
  }
}

/** Of a texel; the value itself where there is one channel. */
function luminanceAt(values: Float32Array, texel: number, channels: 1 | 3): number {
  const at = texel * channels;
  return channels === 1
    ? values[at]!
    : 0.2126 * values[at]! + 0.7152 * values[at + 1]! + 0.0722 * values[at + 2]!;
}

/** Factor on the luminance and what is added to it; light is judged more narrowly the wider a level reaches. */
function rangeOf(range: DenoiseSettings['range'], level: number): readonly [relative: number, floor: number] {
  return 'floor' in range
    ? [range.relative / (1 + 0.6 * level), range.floor]
    : [0, range[level] ?? range[range.length - 1]!];
}

/** Fully lit or fully dark all round: most of any picture, and nothing to smooth. */
function isEven(
  values: Float32Array,
  width: number,
  height: number,
  column: number,
  row: number,
  reach: number,
): boolean {
  const own = values[row * width + column]!;
  const left = Math.max(0, column - reach);
  const right = Math.min(width - 1, column + reach);
  const up = Math.max(0, row - reach) * width;
  const down = Math.min(height - 1, row + reach) * width;
  const at = row * width;
  return (
    values[at + left] === own &&
    values[at + right] === own &&
    values[up + column] === own &&
    values[down + column] === own &&
    values[up + left] === own &&
    values[up + right] === own &&
    values[down + left] === own &&
    values[down + right] === own
  );
}
