/** Checks that an engine left the product unchanged, and locates the product. */
import { type Box, boundPixels, findParts, type Matte, type RgbaImage } from 'packshot-pixels';
import type { Place } from './painting.ts';

/**
 * Minimum overlap of the painted and the expected outline, as intersection over union. A lower threshold would accept a
 * second bottle that touches the first, or a bottle whose neck has changed.
 */
const MIN_OVERLAP = 0.92;
/** A part of the matte above this fraction of the largest part's area counts as a second product. */
const SECOND_SHARE = 0.1;
/** Maximum relative change of the product's aspect ratio: an engine that may move the product may also distort it. */
const MAX_STRETCH = 0.04;

export interface PaintingCheck {
  /** A removal engine's matte of the painted picture, at any size. */
  readonly matte: Matte;
  /** The product's silhouette: the alpha channel inside the cutout's box, at any size. */
  readonly product: RgbaImage;
  /** Where we placed the product, in fractions of the picture. */
  readonly expected: Place;
  /** Whether the engine may have moved the product. */
  readonly mayMove: boolean;
}

export type PaintingVerdict =
  | { readonly place: Place; readonly overlap: number }
  | { readonly why: string; readonly overlap: number };

export function checkPainting({ matte, product, expected, mayMove }: PaintingCheck): PaintingVerdict {
  const { parts, order } = findParts(matte, { min: 128, max: 255, neighbours: 4 });
  const [largest, second] = parts.toSorted((one, other) => other.area - one.area);
  if (!largest) return { why: 'there is no product in it', overlap: 0 };
  if (second && second.area > SECOND_SHARE * largest.area) {
    return { why: 'there is a second product in it', overlap: 0 };
  }
  const place = mayMove
    ? toPlace(boundPixels(order.subarray(largest.start, largest.end), matte), matte)
    : expected;
  if (mayMove && stretchOf(place, matte, product) > MAX_STRETCH) {
    return { why: 'the proportions of the product have changed', overlap: 0 };
  }
  const overlap = measureOverlap(matte, product, place);
  return overlap >= MIN_OVERLAP
    ? { place, overlap }
    : { why: `the product's outline has changed (overlap ${overlap.toFixed(2)})`, overlap };
}

const toPlace = (box: Box, { width, height }: Matte): Place => ({
  x: box.x / width,
  y: box.y / height,
  width: box.width / width,
  height: box.height / height,
});

function stretchOf(place: Place, { width, height }: Matte, product: RgbaImage): number {
  const found = (place.width * width) / (place.height * height);
  return Math.abs(found / (product.width / product.height) - 1);
}

/** Returns the intersection over union of matte and silhouette, both thresholded at one half. */
function measureOverlap({ width, height, data }: Matte, product: RgbaImage, place: Place): number {
  let both = 0;
  let either = 0;
  for (let y = 0; y < height; y++) {
    const v = ((y + 0.5) / height - place.y) / place.height;
    const row = v >= 0 && v < 1 ? Math.floor(v * product.height) : -1;
    for (let x = 0; x < width; x++) {
      const u = ((x + 0.5) / width - place.x) / place.width;
      const inside = row >= 0 && u >= 0 && u < 1;
      const expected =
        inside && product.data[4 * (row * product.width + Math.floor(u * product.width)) + 3]! >= 128;
      const found = data[y * width + x]! >= 128;
      if (expected && found) both++;
      if (expected || found) either++;
    }
  }
  return either === 0 ? 0 : both / either;
}
