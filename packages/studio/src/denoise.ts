/** Pass: edge-avoiding smoothing of sampled light. */
import { luminanceOf } from 'packshot-pixels';
import { type Guide, NOTHING } from './geometry-buffer.ts';

export interface DenoiseSettings {
  /** Values per texel: 1 or 3. */
  readonly channels: 1 | 3;
  readonly levels: number;
  /** Exponent of the normal weight: a power of two. */
  readonly normalPower: number;
  /**
   * Luminance difference at which a neighbor's weight falls off. For light: relative to the luminance, plus a constant.
   * For visibility: one absolute value per level.
   */
  readonly range: { readonly relative: number; readonly floor: number } | readonly number[];
  /**
   * 1 at the index of each material that shows this light; all materials by default. Texels of other materials are
   * skipped.
   */
  readonly materials?: Uint8Array;
}

/** Center and right half of the B3 spline kernel (Dammertz et al. 2010, edge-avoiding À-Trous wavelet transform). */
const KERNEL = Float64Array.of(3 / 8, 1 / 4, 1 / 16);
/**
 * A neighbor at this distance from a texel's tangent plane has its weight reduced to 1/e, because it may be part of
 * another surface. As a fraction of the texel's depth, for a reach of up to 2; beyond that, proportional to the reach.
 */
const PLANE_SHARE = 0.02;

/**
 * Filters rows `fromRow` to `toRow` of one level, reading `from` and writing `to`. The reach doubles with each `level`.
 */
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
  const { channels, materials } = settings;
  const reach = 1 << level;
  const [relative, floor] = rangeOf(settings.range, level);
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < width; column++) {
      const texel = row * width + column;
      const own = material[texel]!;
      if (materials !== undefined && materials[own] !== 1) {
        continue;
      }
      const skip = channels === 1 && isUniform(from, width, height, column, row, reach);
      if (skip || own === NOTHING) {
        for (let c = 0; c < channels; c++) {
          to[texel * channels + c] = from[texel * channels + c]!;
        }
      } else {
        filterTexel(guide, settings, reach, relative, floor, from, to, column, row);
      }
    }
  }
}

function filterTexel(
  { width, height, position, normal, depth, material }: Guide,
  { channels, normalPower }: DenoiseSettings,
  reach: number,
  relative: number,
  floor: number,
  from: Float32Array,
  to: Float32Array,
  column: number,
  row: number,
): void {
  const texel = row * width + column;
  const own = material[texel]!;
  const luminance = luminanceAt(from, texel, channels);
  const nx = normal[texel * 3]!;
  const ny = normal[texel * 3 + 1]!;
  const nz = normal[texel * 3 + 2]!;
  const plane = nx * position[texel * 3]! + ny * position[texel * 3 + 1]! + nz * position[texel * 3 + 2]!;
  const planeScale = PLANE_SHARE * depth[texel]! * Math.max(1, reach * 0.5);
  const inversePlane = 1 / (planeScale * planeScale);
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let total = 0;
  for (let dy = -2; dy <= 2; dy++) {
    const otherRow = row + dy * reach;
    if (otherRow < 0 || otherRow >= height) {
      continue;
    }
    const weightY = KERNEL[dy < 0 ? -dy : dy]!;
    for (let dx = -2; dx <= 2; dx++) {
      const otherColumn = column + dx * reach;
      const other = otherRow * width + otherColumn;
      if (otherColumn < 0 || otherColumn >= width || material[other] !== own) {
        continue;
      }
      const o = other * 3;
      let agree = nx * normal[o]! + ny * normal[o + 1]! + nz * normal[o + 2]!;
      if (agree <= 0) {
        continue;
      }
      for (let power = normalPower; power > 1; power /= 2) {
        agree *= agree;
      }
      const off = nx * position[o]! + ny * position[o + 1]! + nz * position[o + 2]! - plane;
      const theirs = luminanceAt(from, other, channels);
      // Relative to the brighter of the two, because a texel is too dark if all its rays missed the softbox.
      const difference =
        (theirs - luminance) / (relative * (theirs > luminance ? theirs : luminance) + floor);
      const weight =
        KERNEL[dx < 0 ? -dx : dx]! *
        weightY *
        agree *
        fallOff(off * off * inversePlane + difference * difference);
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

/**
 * Approximates exp(-x) as (1 - x/16)^16, with an error below 0.02, in a third of the time. Returns 0 for x of at least
 * 16.
 */
export function fallOff(x: number): number {
  if (x >= 16) {
    return 0;
  }
  let power = 1 - x * 0.0625;
  power *= power;
  power *= power;
  power *= power;
  return power * power;
}

/** Luminance of a texel; if there is only one channel, its value. */
function luminanceAt(values: Float32Array, texel: number, channels: 1 | 3): number {
  const at = texel * channels;
  return channels === 1 ? values[at]! : luminanceOf(values, at);
}

/**
 * Relative and absolute width of the luminance weight at a level. For light, the relative width shrinks with each
 * level.
 */
function rangeOf(range: DenoiseSettings['range'], level: number): readonly [relative: number, floor: number] {
  return 'floor' in range
    ? [range.relative / (1 + 0.6 * level), range.floor]
    : [0, range[level] ?? range[range.length - 1]!];
}

/**
 * Whether the eight nearest of the sampled neighbors have the texel's value. This is so in most of a picture; there is
 * then no noise to smooth.
 */
function isUniform(
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
