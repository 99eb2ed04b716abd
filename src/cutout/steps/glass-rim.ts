/** Distinguishes a lens in its frame from a part of the product that has the backdrop's color. */
import type { Matte } from '../../pixels.ts';

/**
 * Number of directions in which a rim is searched for, and the minimum fractions of these directions in which
 * the rim is narrow (`THIN_SHARE`) and visible (`RIMMED_SHARE`).
 */
const RAYS = 48;
const THIN_SHARE = 0.75;
const RIMMED_SHARE = 0.6;
/** Minimum fraction of directions with a narrow rim in a small copy. */
const GUESS_SHARE = 0.6;
/** Maximum width of the rim, as a fraction of the area's diameter. A width of `MIN_WIDTH_PX` is always allowed. */
const WIDTH_SHARE = 0.12;
const MIN_WIDTH_PX = 6;
/**
 * A rim is visible if `cover` (see `hasRim`) rises by at least `EDGE` within `EDGE_REACH_PX` pixels of where the
 * area ends. Only pixels with an alpha of at least `SURE` count.
 */
const EDGE = 24;
const EDGE_REACH_PX = 3;
const SURE = 250;
/** Alpha below which the subject ends. */
const SUBJECT = 128;

/**
 * Whether the area, seen from its center, ends near the subject's outline in most directions, at an edge
 * rather than in a gradual change. `cover` is the fraction of each pixel, 0 to 255, that the backdrop does
 * not explain. On 50 product photos, the lenses of eyeglasses have a rim in at least .83 of all directions,
 * and all other areas in at most .21.
 */
export function hasRim(inside: Int32Array, cover: Uint8Array, matte: Matte): boolean {
  const { thin, rimmed } = followRays(inside, cover, matte);
  return thin >= THIN_SHARE && rimmed >= RIMMED_SHARE;
}

/**
 * Like `hasRim`, for a copy so small that rims are blurred. Checks only whether the area ends near the outline in most
 * directions.
 */
export const mayHaveRim = (inside: Int32Array, cover: Uint8Array, matte: Matte): boolean =>
  followRays(inside, cover, matte).thin >= GUESS_SHARE;

/**
 * Returns two fractions of all directions: `thin`, in which the outline is near, and `rimmed`, in which there is also
 * an edge before the outline.
 */
function followRays(inside: Int32Array, cover: Uint8Array, matte: Matte) {
  const { width } = matte;
  const own = new Uint8Array(matte.data.length);
  const middle = { x: 0, y: 0 };
  for (const i of inside) {
    own[i] = 1;
    middle.x += (i % width) / inside.length;
    middle.y += Math.floor(i / width) / inside.length;
  }
  const reach = Math.max(MIN_WIDTH_PX, WIDTH_SHARE * Math.sqrt((4 * inside.length) / Math.PI));
  let thin = 0;
  let rimmed = 0;
  for (let ray = 0; ray < RAYS; ray++) {
    const path = listPath(middle, (2 * Math.PI * ray) / RAYS, matte);
    const last = path.findLastIndex((i) => own[i] === 1);
    const past = path.slice(last + 1);
    const rim = past.findIndex((i) => matte.data[i]! < SUBJECT);
    if (last < 0 || rim < 0 || rim > reach) continue;
    thin++;
    const before = path.slice(Math.max(0, last - EDGE_REACH_PX), last + 1);
    const behind = past.slice(0, Math.min(rim, EDGE_REACH_PX));
    const isSure = (i: number) => matte.data[i]! >= SURE;
    const least = Math.min(...before.filter(isSure).map((i) => cover[i]!));
    const most = Math.max(...behind.filter(isSure).map((i) => cover[i]!));
    if (most - least >= EDGE) rimmed++;
  }
  return { thin: thin / RAYS, rimmed: rimmed / RAYS };
}

/** Lists the pixels from the center to the border of the picture, one step apart. */
function listPath(
  middle: { readonly x: number; readonly y: number },
  angle: number,
  { width, height }: Matte,
): number[] {
  const path: number[] = [];
  for (let r = 0; ; r++) {
    const x = Math.round(middle.x + r * Math.cos(angle));
    const y = Math.round(middle.y + r * Math.sin(angle));
    if (x < 0 || y < 0 || x >= width || y >= height) return path;
    path.push(y * width + x);
  }
}
