/** Boxes: where the subject of a matte or cutout lies, and boxes around others. */
import type { Box, Matte, RgbaImage, Size } from './pixels.ts';

/** Bounds of the pixels with alpha of at least `minAlpha`, 1 to 255; `null` if there are none. */
export function findMatteBounds({ width, height, data }: Matte | RgbaImage, minAlpha: number): Box | null {
  const channels = data.length / (width * height);
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    // Alpha is the last channel.
    const row = channels * y * width + channels - 1;
    let first = 0;
    while (first < width && data[row + channels * first]! < minAlpha) first++;
    if (first === width) continue;
    let last = width - 1;
    while (data[row + channels * last]! < minAlpha) last--;
    if (first < left) left = first;
    if (last > right) right = last;
    if (top === height) top = y;
    bottom = y;
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Bounds of the pixels with these indices; there is at least one. */
export function boundPixels(pixels: ArrayLike<number>, { width, height }: Size): Box {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let n = 0; n < pixels.length; n++) {
    const x = pixels[n]! % width;
    const y = (pixels[n]! - x) / width;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** The box enlarged by this many pixels on each side, clipped to the picture. */
export function growBox(
  { x, y, width, height }: Box,
  by: { readonly x: number; readonly y: number },
  picture: Size,
): Box {
  const sides = { left: x - by.x, top: y - by.y, right: x + width + by.x, bottom: y + height + by.y };
  return roundOut(sides, picture)!;
}

/** The smallest box that contains both. */
export function joinBoxes(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  const width = Math.max(a.x + a.width, b.x + b.width) - x;
  return { x, y, width, height: Math.max(a.y + a.height, b.y + b.height) - y };
}

/**
 * The part of the picture `into` that a box in `from`, a picture of the same view, covers: with a margin on each side, as
 * a fraction of the box, in whole pixels.
 */
export function scaleBox({ x, y, width, height }: Box, from: Size, into: Size, marginShare: number): Box {
  const [across, down] = [into.width / from.width, into.height / from.height];
  const [marginX, marginY] = [marginShare * width, marginShare * height];
  const sides = {
    left: (x - marginX) * across,
    top: (y - marginY) * down,
    right: (x + width + marginX) * across,
    bottom: (y + height + marginY) * down,
  };
  return roundOut(sides, into)!;
}

interface Sides {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The smallest whole-pixel box that contains the sides, clipped to the picture; `null` if it is empty. */
export function roundOut(sides: Sides, { width, height }: Size): Box | null {
  const x = Math.max(0, Math.floor(sides.left));
  const y = Math.max(0, Math.floor(sides.top));
  const right = Math.min(width, Math.ceil(sides.right));
  const bottom = Math.min(height, Math.ceil(sides.bottom));
  return right <= x || bottom <= y ? null : { x, y, width: right - x, height: bottom - y };
}
