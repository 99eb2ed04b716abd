/** Finds the YCbCr value that JPEG decoders convert exactly to a given color. */
import type { Rgb } from 'packshot-pixels';

/** Each 0 to 255; integers unless they come from `toYCbCr`, which does not round. */
export type YCbCr = readonly [y: number, cb: number, cr: number];

/** Conversion of JFIF 1.02 (the BT.601 matrix), not rounded. */
export function toYCbCr([r, g, b]: Rgb): YCbCr {
  return [
    0.299 * r + 0.587 * g + 0.114 * b,
    128 - 0.168735892 * r - 0.331264108 * g + 0.5 * b,
    128 + 0.5 * r - 0.418687589 * g - 0.081312411 * b,
  ];
}

/**
 * Converts as decoders do: each channel is rounded separately and then clipped (libjpeg's `jdcolor.c`, 16-bit fixed
 * point).
 */
export function decodeYCbCr([y, cb, cr]: YCbCr): Rgb {
  const clip = (value: number): number => Math.min(255, Math.max(0, value));
  const fixed = (factor: number): number => Math.round(factor * 65536);
  const [u, v] = [cb - 128, cr - 128];
  return [
    clip(y + ((fixed(1.402) * v + 32768) >> 16)),
    clip(y + ((-fixed(0.344136286) * u - fixed(0.714136286) * v + 32768) >> 16)),
    clip(y + ((fixed(1.772) * u + 32768) >> 16)),
  ];
}

/**
 * Returns the nearest YCbCr value that decodes exactly to the color. For three quarters of all colors, no such value
 * exists; for those, returns the value with the smallest error. The search is wide because of channels that clip: for
 * pure greens, the exact value is some steps away.
 */
export function findExactYCbCr(color: Rgb): YCbCr {
  const own = toYCbCr(color);
  const [y0, cb0, cr0] = [Math.round(own[0]), Math.round(own[1]), Math.round(own[2])];
  let best: YCbCr = [y0, cb0, cr0];
  let minCost = Number.POSITIVE_INFINITY;
  for (let y = Math.max(0, y0 - 4); y <= Math.min(255, y0 + 4); y++) {
    for (let cb = Math.max(0, cb0 - 4); cb <= Math.min(255, cb0 + 4); cb++) {
      for (let cr = Math.max(0, cr0 - 4); cr <= Math.min(255, cr0 + 4); cr++) {
        const decoded = decodeYCbCr([y, cb, cr]);
        const error =
          (decoded[0] - color[0]) ** 2 + (decoded[1] - color[1]) ** 2 + (decoded[2] - color[2]) ** 2;
        const cost = 1000 * error + (y - own[0]) ** 2 + (cb - own[1]) ** 2 + (cr - own[2]) ** 2;
        if (cost < minCost) {
          minCost = cost;
          best = [y, cb, cr];
        }
      }
    }
  }
  return best;
}

export interface LevelRange {
  /** Integers 0 to 255, or infinite if the decoder clips all values beyond. */
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the range in which each plane may vary without changing the decoded color. A range that reaches 0 or 255 is
 * infinite on that side, because the decoder clips. Apart from that, only the plane with the widest range may vary,
 * because the errors of two planes would add up. On white, this plane is Cb: it may be one step too high, because the
 * decoder then clips blue and rounds the change of green away.
 */
export function findSlack(exact: YCbCr): [LevelRange, LevelRange, LevelRange] {
  const wanted = decodeYCbCr(exact).join();
  const ranges = exact.map((level, plane): LevelRange => {
    const decodesAlike = (value: number): boolean => {
      const moved: [number, number, number] = [...exact];
      moved[plane] = value;
      return value >= 0 && value <= 255 && decodeYCbCr(moved).join() === wanted;
    };
    let [low, high] = [level, level];
    while (decodesAlike(low - 1)) low--;
    while (decodesAlike(high + 1)) high++;
    return { low, high };
  });
  const widths = ranges.map(({ low, high }) => high - low);
  const widest = widths.indexOf(Math.max(...widths));
  return ranges.map((range, plane): LevelRange => {
    const { low, high } = plane === widest ? range : { low: exact[plane]!, high: exact[plane]! };
    return {
      low: low === 0 ? Number.NEGATIVE_INFINITY : low,
      high: high === 255 ? Number.POSITIVE_INFINITY : high,
    };
  }) as [LevelRange, LevelRange, LevelRange];
}
