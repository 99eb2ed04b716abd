/**
 * Step: makes glass transparent, and removes the old backdrop's color from it.
 *
 * If the backdrop behind the glass is known, each pixel has a minimum alpha that explains its color (Smith,
 * Blinn 1996). Glass that absorbs light becomes semi-transparent and dark, and a reflection semi-transparent and
 * bright. Composited over the old backdrop, the glass looks as in the photo. Over a new backdrop, it shows that
 * backdrop with the glass's tint and reflections (environment matting without refraction: Zongker, Werner, Curless,
 * Salesin 1999).
 */
import type { Box, Matte, RgbaImage, RgbImage } from '../../pixels.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';
import type { Backdrop } from './estimate-backdrop.ts';
import { type Glass, leastAlpha } from './find-glass.ts';

/**
 * Limits for the minimum alpha of a pixel. Up to the first limit, the pixel gets its minimum alpha. From the second on,
 * it becomes opaque, which keeps rims, and objects behind the glass. Between the two, its alpha rises from the minimum
 * to opaque.
 */
const SOLID_FROM = 0.3;
const SOLID_FULLY = 0.65;
/**
 * The same limits for pixels brighter than the backdrop. They are higher, because such a pixel may be a reflection: it
 * adds light, and the backdrop still shows through.
 */
const BRIGHT_FROM = 0.7;
const BRIGHT_FULLY = 0.95;
/**
 * Even the clearest glass reflects a little light. So a gray as bright as the old backdrop is laid over the new one,
 * with this alpha where the glass is perfectly clear.
 */
const VEIL = 0.07;
/** The mask is grown by this distance, because it ends slightly before the rim. */
const GROW_PX = 2.5;

/** Glass found in a small copy of a part of the photo. */
export interface PlacedGlass {
  readonly glass: Glass;
  /** The part, in the photo's pixels. */
  readonly window: Box;
}

/** Bounds of the glass in the photo's pixels, including its rim. */
export function locateGlass({ glass: { mask, box }, window }: PlacedGlass): Box {
  const across = window.width / mask.width;
  const down = window.height / mask.height;
  const grow = GROW_PX + 1;
  const x = window.x + Math.max(0, Math.floor((box.x - grow) * across));
  const y = window.y + Math.max(0, Math.floor((box.y - grow) * down));
  const right = Math.ceil((box.x + box.width + grow) * across);
  const bottom = Math.ceil((box.y + box.height + grow) * down);
  return {
    x,
    y,
    width: window.x + Math.min(window.width, right) - x,
    height: window.y + Math.min(window.height, bottom) - y,
  };
}

/**
 * Writes the glass into `cutout`, which has straight alpha and the size of `photo`. Pixels outside the glass stay
 * unchanged.
 */
export function clearGlass(cutout: RgbaImage, photo: RgbImage, placed: PlacedGlass): void {
  const { glass, window } = placed;
  const across = glass.mask.width / window.width;
  const down = glass.mask.height / window.height;
  const share = growMask(glass.mask);
  const box = locateGlass(placed);
  const behind = new Float32Array(4);
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      const i = y * photo.width + x;
      if (cutout.data[i * 4 + 3] === 0) continue;
      const u = (x + 0.5 - window.x) * across - 0.5;
      const v = (y + 0.5 - window.y) * down - 0.5;
      readBehind(glass.backdrop, share, { u, v }, behind);
      if (behind[3]! > 0) clearPixel(cutout.data, photo.data, i, behind);
    }
  }
}

/** Returns 1 on the grown glass, falling to 0 over its outermost pixel. */
function growMask(mask: Matte): Float32Array {
  const distances = measureDistances(mask, mask.data);
  return Float32Array.from(distances, (distance) =>
    Math.min(1, Math.max(0, GROW_PX - distance / CHAMFER_STEP)),
  );
}

/** Samples bilinearly, and writes four values: the three channels of the backdrop's color, and the share of glass. */
function readBehind(
  { width, height, colors }: Backdrop,
  share: Float32Array,
  { u, v }: { readonly u: number; readonly v: number },
  into: Float32Array,
): void {
  const x = Math.min(width - 1, Math.max(0, u));
  const y = Math.min(height - 1, Math.max(0, v));
  const left = Math.floor(x);
  const top = Math.floor(y);
  into.fill(0);
  for (let corner = 0; corner < 4; corner++) {
    const px = Math.min(width - 1, left + (corner & 1));
    const py = Math.min(height - 1, top + (corner >> 1));
    const weight = ((corner & 1) === 1 ? x - left : 1 - x + left) * (corner > 1 ? y - top : 1 - y + top);
    const at = py * width + px;
    for (let c = 0; c < 3; c++) into[c]! += weight * colors[at * 3 + c]!;
    into[3]! += weight * share[at]!;
  }
}

function clearPixel(data: Uint8Array, photo: Uint8Array, i: number, behind: Float32Array): void {
  const before = data[i * 4 + 3]! / 255;
  const least = leastAlpha(photo.subarray(i * 3, i * 3 + 3), behind, 0);
  const isBright = photo[i * 3 + 1]! > behind[1]!;
  const rise = isBright ? ramp(least, BRIGHT_FROM, BRIGHT_FULLY) : ramp(least, SOLID_FROM, SOLID_FULLY);
  const own = least + (1 - least) * rise;
  const veil = VEIL * (1 - own);
  const gray = 0.2126 * behind[0]! + 0.7152 * behind[1]! + 0.0722 * behind[2]!;
  const share = behind[3]!;
  const alpha = 1 - share + share * (own + veil);
  if (alpha > 0.995) return;
  for (let c = 0; c < 3; c++) {
    const seen = photo[i * 3 + c]!;
    const kept = Math.min(255 * own, Math.max(0, seen - (1 - own) * behind[c]!)) + veil * gray;
    data[i * 4 + c] = Math.min(255, Math.round(((1 - share) * data[i * 4 + c]! + share * kept) / alpha));
  }
  data[i * 4 + 3] = Math.max(1, Math.round(255 * alpha * before));
}

function ramp(value: number, from: number, to: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}
