/**
 * Limits the colors of a rim to those that the photo shows there.
 *
 * If a matte is too faint, removing the backdrop's share from a pixel removes too much. The color overshoots:
 * the edge shows a line that is brighter or darker than both sides, or a fringe in the complement of the
 * backdrop's color. A rim's true color is never more extreme than both the photo's pixel and the solid
 * subject next to it. So each channel is clamped to the range between these two. A rim with a distinct color,
 * such as a bright bevel, keeps that color, because the photo shows it.
 */
import type { Box, Matte, RgbaImage, RgbImage } from 'packshot-pixels';

/** A color stays if no channel differs from the photo's by more than this, in sRGB levels: the difference is noise. */
const MARGIN = 6;
/**
 * Half the width of the window that is searched for solid pixels, and the sampling step. As long as fewer than `FEWEST`
 * solid pixels are found, both are doubled, up to `DOUBLINGS` times.
 */
const REACH_PX = 4;
const STRIDE_PX = 2;
const DOUBLINGS = 2;
const FEWEST = 2;

/**
 * Limits the colors of `cutout` within `box` where alpha is above 0 and below `opaque`. The cutout, the photo and the
 * matte have the same size.
 */
export function holdRimColors(
  cutout: RgbaImage,
  photo: RgbImage,
  matte: Matte,
  { box, opaque }: { readonly box: Box; readonly opaque: number },
): void {
  const range = new ColorRange(photo, matte, opaque);
  const { width, data: alphas } = matte;
  for (let y = box.y; y < box.y + box.height; y++) {
    const row = y * width;
    for (let i = row + box.x, end = row + box.x + box.width; i < end; i++) {
      const alpha = alphas[i]!;
      if (alpha === 0 || alpha >= opaque) continue;
      if (!isFar(cutout.data, i * 4, photo.data, i * 3)) continue;
      if (range.find(i - row, y)) range.hold(cutout.data, i * 4, i * 3);
    }
  }
}

function isFar(colors: Uint8Array, at: number, photo: Uint8Array, p: number): boolean {
  return (
    Math.abs(colors[at]! - photo[p]!) > MARGIN ||
    Math.abs(colors[at + 1]! - photo[p + 1]!) > MARGIN ||
    Math.abs(colors[at + 2]! - photo[p + 2]!) > MARGIN
  );
}

/** Minimum and maximum of each channel among the solid pixels near a position. */
class ColorRange {
  private readonly least = new Uint8Array(3);
  private readonly greatest = new Uint8Array(3);
  private readonly photo: RgbImage;
  private readonly matte: Matte;
  private readonly opaque: number;

  constructor(photo: RgbImage, matte: Matte, opaque: number) {
    this.photo = photo;
    this.matte = matte;
    this.opaque = opaque;
  }

  /** Collects the solid pixels near (`x`, `y`). Returns whether there are enough of them. */
  find(x: number, y: number): boolean {
    for (let doubling = 0; doubling <= DOUBLINGS; doubling++) {
      if (this.collect(x, y, 2 ** doubling) >= FEWEST) return true;
    }
    return false;
  }

  private collect(x: number, y: number, factor: number): number {
    const { matte, photo, opaque } = this;
    const { width, data } = matte;
    const rgb = photo.data;
    const reach = REACH_PX * factor;
    const stride = STRIDE_PX * factor;
    const toX = Math.min(width - 1, x + reach);
    const toY = Math.min(matte.height - 1, y + reach);
    // The window is clipped at the frame, which shifts the sampling positions. That does no harm.
    const fromX = Math.max(0, x - reach);
    let count = 0;
    let r0 = 255;
    let g0 = 255;
    let b0 = 255;
    let r1 = 0;
    let g1 = 0;
    let b1 = 0;
    for (let v = Math.max(0, y - reach); v <= toY; v += stride) {
      for (let n = v * width + fromX, end = v * width + toX; n <= end; n += stride) {
        if (data[n]! < opaque) continue;
        const r = rgb[n * 3]!;
        const g = rgb[n * 3 + 1]!;
        const b = rgb[n * 3 + 2]!;
        if (r < r0) r0 = r;
        if (r > r1) r1 = r;
        if (g < g0) g0 = g;
        if (g > g1) g1 = g;
        if (b < b0) b0 = b;
        if (b > b1) b1 = b;
        count++;
      }
    }
    const { least, greatest } = this;
    least[0] = r0;
    least[1] = g0;
    least[2] = b0;
    greatest[0] = r1;
    greatest[1] = g1;
    greatest[2] = b1;
    return count;
  }

  hold(colors: Uint8Array, at: number, p: number): void {
    for (let c = 0; c < 3; c++) {
      const own = this.photo.data[p + c]!;
      const from = Math.max(0, Math.min(own, this.least[c]!) - MARGIN);
      const to = Math.min(255, Math.max(own, this.greatest[c]!) + MARGIN);
      colors[at + c] = Math.min(to, Math.max(from, colors[at + c]!));
    }
  }
}
