/** Step: lists the places of a cutout that a person should check, and what one click would change there. */

import { type Box, boundPixels, type Matte, measureDistances, type Parts, SUBJECT } from 'packshot-pixels';
import type { DoubtfulPlace } from '../subject.ts';
import { traceOutline } from './trace-outline.ts';

/** Maximum number of places that are listed; a person would not check more. */
const MOST_PLACES = 12;
const MOST_CORNERS = 48;
/**
 * A place is a duplicate if the overlap of its box and the box of an earlier place exceeds this share of the larger
 * box.
 */
const SAME_SHARE = 0.5;

/** A region of the photo. */
export interface Place {
  /** In pixels of the photo or of a smaller grid; the comment of each function says which. */
  readonly box: Box;
  /** A mask that covers the box, at any resolution; nonzero inside the region. */
  readonly map: Matte;
}

/** The connected pixels as a place, in coordinates of their grid. */
export function toPlace(pixels: Int32Array, { width, height }: Omit<Matte, 'data'>): Place {
  const box = boundPixels(pixels, { width, height });
  const data = new Uint8Array(box.width * box.height);
  for (const i of pixels) {
    const x = i % width;
    data[((i - x) / width - box.y) * box.width + x - box.x] = 1;
  }
  return { box, map: { width: box.width, height: box.height, data } };
}

/**
 * Converts a place to another grid. The place's own grid has the size `size`, and covers the box `from` of the other
 * grid.
 */
export function movePlace(
  { box, map }: Place,
  size: { readonly width: number; readonly height: number },
  from: Box,
): Place {
  const across = from.width / size.width;
  const down = from.height / size.height;
  const x = Math.floor(from.x + box.x * across);
  const y = Math.floor(from.y + box.y * down);
  const width = Math.max(1, Math.ceil(box.width * across));
  return { box: { x, y, width, height: Math.max(1, Math.ceil(box.height * down)) }, map };
}

/**
 * The separate parts of a cutout except the largest one, largest first, filtered by `isWorthWhile`. Places are in
 * pixels of `grid`.
 */
export function findSmallerParts(
  { parts, order }: Parts,
  grid: Omit<Matte, 'data'>,
  isWorthWhile: (area: number) => boolean,
): Place[] {
  const [, ...smaller] = parts.toSorted((a, b) => b.area - a.area);
  return smaller
    .filter(({ area }) => isWorthWhile(area))
    .slice(0, MOST_PLACES)
    .map(({ start, end }) => toPlace(order.subarray(start, end), grid));
}

/**
 * Lists separate parts first, since one click corrects each of them. All places are in pixels of the photo.
 * `matte` covers the whole photo.
 */
export function listDoubtfulPlaces(
  matte: Matte,
  { parts, disputed }: { readonly parts: readonly Place[]; readonly disputed: readonly Place[] },
): DoubtfulPlace[] {
  const listed: DoubtfulPlace[] = [];
  const add = (reason: DoubtfulPlace['reason'], place: Place): void => {
    const box = clip(place.box, matte);
    if (box === null || listed.some((other) => isSame(other.box, box)) || listed.length === MOST_PLACES)
      return;
    listed.push({ reason, box, ...describe({ ...place, box }, matte) });
  };
  for (const place of parts) add('separate_part', place);
  for (const place of disputed) add('looks_differ', place);
  return listed;
}

function describe({ box, map }: Place, matte: Matte): Pick<DoubtfulPlace, 'outline' | 'part'> {
  const across = box.width / map.width;
  const down = box.height / map.height;
  const at = findDeepest(map);
  const x = Math.min(matte.width - 1, Math.floor(box.x + ((at % map.width) + 0.5) * across));
  const y = Math.min(matte.height - 1, Math.floor(box.y + (Math.floor(at / map.width) + 0.5) * down));
  const outline = traceOutline(map, MOST_CORNERS).map(
    ([u, v]) => [Math.round(box.x + u * across), Math.round(box.y + v * down)] as const,
  );
  const mode = matte.data[y * matte.width + x]! >= SUBJECT ? 'erase' : 'keep';
  return { outline, part: { mode, x, y } };
}

/** The pixel farthest from the region's outline. */
function findDeepest({ width, height, data }: Matte): number {
  // One extra pixel on each side, so that the box's sides count as outline.
  const wide = { width: width + 2, height: height + 2 };
  const outside = new Uint8Array(wide.width * wide.height).fill(1);
  for (let i = 0; i < data.length; i++)
    if (data[i] !== 0) outside[(Math.floor(i / width) + 1) * wide.width + (i % width) + 1] = 0;
  const depths = measureDistances(wide, outside);
  let deepest = 0;
  for (let i = 1; i < depths.length; i++) if (depths[i]! > depths[deepest]!) deepest = i;
  return (Math.floor(deepest / wide.width) - 1) * width + (deepest % wide.width) - 1;
}

function clip({ x, y, width, height }: Box, photo: Matte): Box | null {
  const right = Math.min(photo.width, x + width);
  const bottom = Math.min(photo.height, y + height);
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  return right <= left || bottom <= top
    ? null
    : { x: left, y: top, width: right - left, height: bottom - top };
}

function isSame(a: Box, b: Box): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return false;
  return width * height > SAME_SHARE * Math.max(a.width * a.height, b.width * b.height);
}
