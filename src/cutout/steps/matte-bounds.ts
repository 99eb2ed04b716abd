/** Where a matte's subject lies. */
import type { Box, Matte } from '../../pixels.ts';

/** Bounds of the pixels with alpha of at least `minAlpha`, 1 to 255; `null` if there are none. */
export function findMatteBounds({ width, height, data }: Matte, minAlpha: number): Box | null {
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let first = 0;
    while (first < width && data[row + first]! < minAlpha) first++;
    if (first === width) continue;
    let last = width - 1;
    while (data[row + last]! < minAlpha) last--;
    if (first < left) left = first;
    if (last > right) right = last;
    if (top === height) top = y;
    bottom = y;
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Bounds of the pixels with these indices; there is at least one. */
export function boundPixels(
  pixels: ArrayLike<number>,
  { width, height }: { readonly width: number; readonly height: number },
): Box {
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
