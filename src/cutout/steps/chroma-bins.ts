/** Sorts colors into bins by their chroma in proportion to their lightness, and counts them. */
import { decodeSrgb, oklabFromLinear } from '../../srgb.ts';

/** Width of a bin along each axis, in units of OKLab's a or b divided by the lightness. */
const BIN = 0.005;
/** Lightness, 0 to 1, below which chroma is mostly noise. */
const DARK = 0.2;
/**
 * A bin's number is `ROW` times its position along the axis a, plus its position along the axis b. Each axis has fewer
 * than `ROW` positions.
 */
const ROW = 1000;

const linear = Float64Array.from({ length: 256 }, (_, byte) => decodeSrgb(byte / 255));

/**
 * The bin of OKLab a and b, both divided by the lightness: a shadow does not change these ratios. Neighboring bins are
 * 1 or `ROW` apart.
 */
export function findChromaBin(rgb: Uint8Array, at: number): number {
  const [light, a, b] = oklabFromLinear([linear[rgb[at]!]!, linear[rgb[at + 1]!]!, linear[rgb[at + 2]!]!]);
  const lightness = Math.max(DARK, light);
  return Math.round(a / lightness / BIN) * ROW + Math.round(b / lightness / BIN);
}

/** Counts chromas; neighboring bins count as the same chroma. */
export function countChromas() {
  const counts = new Map<number, number>();
  const shares = new Map<number, number>();
  let count = 0;

  function measureShare(bin: number): number {
    let same = 0;
    for (const row of [-ROW, 0, ROW]) {
      for (const column of [-1, 0, 1]) same += counts.get(bin + row + column) ?? 0;
    }
    return same / count;
  }

  return {
    size: () => count,

    add(bin: number): void {
      counts.set(bin, (counts.get(bin) ?? 0) + 1);
      count++;
    },

    /** Share of the counted chromas that are about the same as this one. Call this after the last `add`. */
    shareOf(bin: number): number {
      const known = shares.get(bin);
      if (known !== undefined) return known;
      const share = measureShare(bin);
      shares.set(bin, share);
      return share;
    },
  };
}
