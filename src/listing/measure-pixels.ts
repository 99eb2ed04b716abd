/**
 * Measures the pixels of a main picture: its background, the product's size and position, the edges that crop the
 * product, and borders.
 */
import type { Source } from 'packshot-photos';
import type { Box } from 'packshot-pixels';
import { type Background, findProduct } from './find-product.ts';
import { isFramed } from './is-framed.ts';
import { measureBlur } from './measure-blur.ts';
import { measureNearWhite } from './measure-near-white.ts';
import { darkest, distance, isWhite, medianColor, NOISE, share } from './pixel-samples.ts';

export interface PixelMeasures {
  /** Lowest channel value in the four corners, 0 to 255; a pixel that is not opaque counts as 0. */
  readonly cornerDarkest: number;
  /** Fraction of the ring along the picture's edges that is exactly 255, 255, 255 and opaque. */
  readonly ringWhiteShare: number;
  /** Like `ringWhiteShare`, but fully transparent pixels count as well. */
  readonly ringWhiteOrClearShare: number;
  /**
   * Of the light background connected to the picture's edges, the fraction whose lowest channel value is 250 to 254,
   * excluding the product's soft edge; null if there is no such background.
   */
  readonly nearWhiteShare: number | null;
  readonly transparentShare: number;
  /** 1 for a line or bar along all four sides, else 0. */
  readonly framed: number;
  /** 0 if nothing differs from a plain background, else 1. */
  readonly hasContent: number;
  /**
   * Bounding box of the product, in pixels. Null if the background is not plain, the picture has a border, or no
   * product was found.
   */
  readonly productBox: Box | null;
  /** The product's width or height as a fraction of the picture's, whichever is greater. */
  readonly fillShare: number | null;
  /** The product's longer side as a fraction of the picture's longer side. */
  readonly longSideShare: number | null;
  /** Product pixels as a fraction of all pixels. */
  readonly areaShare: number | null;
  readonly productLongestPx: number | null;
  /**
   * Distance between the product's center and the picture's, horizontal or vertical, whichever is greater, as
   * a fraction of the picture's shorter side.
   */
  readonly offCenterShare: number | null;
  /** Blur of the product, from 0 (sharp) to 1 (blurred); see `measureBlur`. */
  readonly blur: number | null;
  /** Number of the picture's edges that the product (the largest part) touches. */
  readonly cutEdges: number | null;
  /** Number of the picture's edges that other parts touch. */
  readonly otherEdges: number | null;
  /** Number of small parts that stand apart from the product. */
  readonly fragments: number | null;
}

/** Width of the ring and side of the corner squares, as fractions of the picture's shorter side. */
const RING = 0.005;
const CORNER = 0.02;
/** A background is plain if at least this fraction of the ring has one color. */
const PLAIN = 0.85;

export function measurePixels(picture: Source): PixelMeasures {
  const { width, height } = picture;
  const shorter = Math.min(width, height);
  const ring = listRing(picture, Math.max(1, Math.round(shorter * RING)));
  const background = findBackground(picture, ring);
  const framed = isFramed(picture) ? 1 : 0;
  const product = background && !framed ? findProduct(picture, background) : null;
  const box = product?.box ?? null;
  const { width: across, height: down } = box ?? { width: 0, height: 0 };
  return {
    cornerDarkest: findCornerDarkest(picture, Math.max(2, Math.round(shorter * CORNER))),
    ringWhiteShare: share(ring, (p) => isWhite(picture, p)),
    ringWhiteOrClearShare: share(ring, (p) => isWhite(picture, p) || picture.alpha?.[p] === 0),
    nearWhiteShare: measureNearWhite(picture),
    transparentShare: picture.alpha ? share(picture.alpha, (alpha) => alpha < 255) : 0,
    framed,
    hasContent: product && !box ? 0 : 1,
    productBox: box,
    fillShare: product && Math.max(across / width, down / height),
    longSideShare: product && Math.max(across, down) / Math.max(width, height),
    areaShare: product && product.pixels / (width * height),
    productLongestPx: product && Math.max(across, down),
    offCenterShare: box && findOffset(picture, box) / shorter,
    blur: box && measureBlur(picture, box),
    cutEdges: product?.cutEdges ?? null,
    otherEdges: product?.otherEdges ?? null,
    fragments: product?.fragments ?? null,
  };
}

/** Like `offCenterShare`, in pixels. */
function findOffset({ width, height }: Source, box: Box): number {
  const across = Math.abs(box.x + box.width / 2 - width / 2);
  const down = Math.abs(box.y + box.height / 2 - height / 2);
  return Math.max(across, down);
}

function listRing({ width, height }: Source, depth: number): Uint32Array {
  const ring: number[] = [];
  for (let y = 0; y < height; y++) {
    const whole = y < depth || y >= height - depth;
    for (let x = 0; x < width; x++) {
      if (!whole && x === depth) x = Math.max(x, width - depth);
      ring.push(y * width + x);
    }
  }
  return Uint32Array.from(ring);
}

function findCornerDarkest(picture: Source, side: number): number {
  const { width, height } = picture;
  let least = 255;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      for (const row of [y, height - 1 - y]) {
        for (const column of [x, width - 1 - x]) {
          least = Math.min(least, darkest(picture, row * width + column));
        }
      }
    }
  }
  return least;
}

function findBackground(picture: Source, ring: Uint32Array): Background | null {
  const { alpha } = picture;
  if (alpha && share(ring, (p) => alpha[p]! <= NOISE) >= PLAIN) return 'transparent';
  const plain = medianColor(picture, ring);
  return share(ring, (p) => distance(picture, p, plain) <= NOISE) >= PLAIN ? plain : null;
}
