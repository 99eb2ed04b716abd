/** The alpha channel of an uploaded photo: is it a cutout of the subject, or only the shape of the picture? */
import { type Box, findHull, measureHull, type Point, type RgbaImage, type RgbImage } from 'packshot-pixels';

/**
 * What an upload's own transparency means. `auto`: a cutout of the subject, unless it only shapes the picture. `ignore`:
 * never a cutout. `keep`: always one.
 */
export const alphaWishes = ['auto', 'ignore', 'keep'] as const;
export type AlphaWish = (typeof alphaWishes)[number];

export interface SplitPhoto extends RgbImage {
  /** The photo's own cutout, one byte per pixel; null if it has none. */
  readonly alpha: Uint8Array | null;
  /** The photo's own transparency if it is no cutout, such as rounded corners: no cutout is more opaque than this. */
  readonly clip: Uint8Array | null;
}

/** Alpha below which a pixel counts as fully transparent: about the least that is visible on a backdrop. */
const CLEAR = 8;

/**
 * Least share of their convex hull that the visible pixels of a straightened, rounded, padded or vignetted picture
 * cover. Of 76 exact mattes of products, only a boxy console and a mug cover as much.
 */
const LEAST_SOLIDITY = 0.98;

/**
 * Makes the pixels outside `painted`, the area of a GIF's first frame, transparent, as browsers do. The decoder makes
 * them black.
 */
export function clearOutside(painted: Box, { width, height, data }: RgbaImage): void {
  for (let y = 0, p = 3; y < height; y++) {
    const inRows = y >= painted.y && y < painted.y + painted.height;
    for (let x = 0; x < width; x++, p += 4) {
      if (!inRows || x < painted.x || x >= painted.x + painted.width) data[p] = 0;
    }
  }
}

/**
 * Without a cutout of its own, a photo's transparent pixels become white, as a viewer would show them. If the photo
 * cannot be a cutout, they continue the visible pixels instead, so that the engine does not see a picture on paper.
 */
export function splitAlpha(rgba: RgbaImage, wish: AlphaWish): SplitPhoto {
  const { width, height } = rgba;
  const pixels = width * height;
  const data = new Uint8Array(pixels * 3);
  const own = new Uint8Array(pixels);
  let most = 0;
  let least = 255;
  for (let i = 0, p = 0, q = 0; i < pixels; i++, p += 3, q += 4) {
    const a = rgba.data[q + 3]!;
    own[i] = a;
    most = Math.max(most, a);
    least = Math.min(least, a);
    data[p] = rgba.data[q]!;
    data[p + 1] = rgba.data[q + 1]!;
    data[p + 2] = rgba.data[q + 2]!;
  }
  const photo = { width, height, data };
  if (least === 255) return { ...photo, alpha: null, clip: null };
  const isPicture = wish !== 'keep' && shapesPicture(own, width);
  if (wish === 'keep' || (wish === 'auto' && !isPicture)) return { ...photo, alpha: own, clip: null };
  if (wish === 'ignore' && isPicture) continueEdges(data, own, width);
  else for (let i = 0; i < pixels; i++) if (own[i]! < CLEAR) data.fill(255, 3 * i, 3 * i + 3);
  // An opacity of the whole picture is not the product's.
  const clip = most === 255 || most === 0 ? own : own.map((a) => Math.round((a * 255) / most));
  return { ...photo, alpha: null, clip: least === most ? null : clip };
}

/** Copies the nearest visible pixel of the row to each clear one, and the nearest visible row to each clear row. */
function continueEdges(data: Uint8Array, alpha: Uint8Array, width: number): void {
  const rows = Array.from({ length: alpha.length / width }, (_, y) => {
    const row = alpha.subarray(y * width, (y + 1) * width);
    return [row.findIndex((a) => a >= CLEAR), row.findLastIndex((a) => a >= CLEAR)] as const;
  });
  const top = rows.findIndex(([left]) => left >= 0);
  const bottom = rows.findLastIndex(([left]) => left >= 0);
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i]! >= CLEAR) continue;
    const y = Math.min(bottom, Math.max(top, Math.floor(i / width)));
    const [left, right] = rows[y]!;
    const from = 3 * (y * width + Math.min(right, Math.max(left, i % width)));
    data.copyWithin(3 * i, from, from + 3);
  }
}

/** Whether the visible pixels form a convex shape without gaps: the picture's, rather than a subject's. */
function shapesPicture(alpha: Uint8Array, width: number): boolean {
  const corners: Point[] = [];
  let visible = 0;
  let rows = 0;
  for (let from = 0, y = 0; from < alpha.length; from += width, y++) {
    let left = -1;
    let right = -1;
    for (let x = 0; x < width; x++) {
      if (alpha[from + x]! < CLEAR) continue;
      if (left < 0) left = x;
      right = x;
      visible++;
    }
    if (left < 0) continue;
    rows++;
    corners.push([left, y], [right + 1, y], [left, y + 1], [right + 1, y + 1]);
  }
  // Along slanted edges, the hull contains up to half a pixel more than the pixels themselves.
  const stairs = rows + width;
  return visible > 0 && visible + stairs / 2 >= LEAST_SOLIDITY * measureHull(findHull(corners));
}
