/** Compares a cutout with the exact matte, by measures that distinguish good cutouts from bad ones. */
import type { Matte, RgbaImage, RgbImage } from '../../packages/pixels/src/pixels.ts';

export interface Comparison {
  /** Mean absolute error of the matte over the whole photo, 0 to 1. */
  readonly matteError: number;
  /** Mean absolute error of the matte within 8 px of the exact matte's edge, where errors are most visible. */
  readonly edgeError: number;
  /** Intersection over union of pixels that are at least half subject. */
  readonly iou: number;
  /**
   * 99.9th percentile of the color difference of the composites on white, 0 to 255. The product's true color in an edge
   * pixel is unknown: it lies between the color of the nearest solid pixel and the color in the photo, which still
   * contains backdrop. So both are tried, and the smaller difference counts. With the photo's color alone, a perfect
   * cutout would score up to 43 (the earbuds).
   */
  readonly compositeP999: number;
}

const EDGE_PX = 8;

export function compareCutout(cutout: RgbaImage, expected: Matte, source: RgbImage): Comparison {
  const { width, height, data: exact } = expected;
  const inBand = markBand(expected);
  const histogram = new Uint32Array(256);
  let error = 0;
  let edgeError = 0;
  let edgePixels = 0;
  let both = 0;
  let either = 0;
  for (let i = 0; i < exact.length; i++) {
    const alpha = cutout.data[i * 4 + 3]!;
    const off = Math.abs(alpha - exact[i]!) / 255;
    error += off;
    if (inBand[i] === 1) {
      edgeError += off;
      edgePixels++;
    }
    if (alpha >= 128 && exact[i]! >= 128) both++;
    if (alpha >= 128 || exact[i]! >= 128) either++;
    const asSeen = measureOnWhite(cutout, source, { i, from: i, exact: exact[i]! });
    const solid = isMixed(exact[i]!) ? findNearestSolid(expected, i) : i;
    const asSolid =
      solid === i ? asSeen : measureOnWhite(cutout, source, { i, from: solid, exact: exact[i]! });
    histogram[Math.min(asSeen, asSolid)]!++;
  }
  return {
    matteError: error / (width * height),
    edgeError: edgeError / Math.max(1, edgePixels),
    iou: either === 0 ? 1 : both / either,
    compositeP999: findPercentile(histogram, 0.999),
  };
}

const isMixed = (alpha: number): boolean => alpha > 5 && alpha < 250;

/** The nearest pixel that shows only the product, at most `EDGE_PX` away; pixel `i` itself if there is none. */
function findNearestSolid({ width, height, data }: Matte, i: number): number {
  const x = i % width;
  const y = (i - x) / width;
  let nearest = i;
  let least = Number.POSITIVE_INFINITY;
  for (let v = Math.max(0, y - EDGE_PX); v <= Math.min(height - 1, y + EDGE_PX); v++) {
    for (let u = Math.max(0, x - EDGE_PX); u <= Math.min(width - 1, x + EDGE_PX); u++) {
      const distance = (u - x) ** 2 + (v - y) ** 2;
      if (distance >= least || data[v * width + u]! < 250) continue;
      least = distance;
      nearest = v * width + u;
    }
  }
  return nearest;
}

/**
 * The largest channel difference between two composites on white: the cutout, and the exact matte with the photo's
 * color at pixel `from`.
 */
function measureOnWhite(
  cutout: RgbaImage,
  source: RgbImage,
  { i, from, exact }: { readonly i: number; readonly from: number; readonly exact: number },
): number {
  const alpha = cutout.data[i * 4 + 3]!;
  let greatest = 0;
  for (let c = 0; c < 3; c++) {
    const actual = (cutout.data[i * 4 + c]! * alpha + 255 * (255 - alpha)) / 255;
    const wanted = (source.data[from * 3 + c]! * exact + 255 * (255 - exact)) / 255;
    greatest = Math.max(greatest, Math.abs(actual - wanted));
  }
  return Math.round(greatest);
}

function findPercentile(histogram: Uint32Array, share: number): number {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (let value = 0; value < histogram.length; value++) {
    seen += histogram[value]!;
    if (seen >= total * share) return value;
  }
  return 255;
}

/** 1 within a distance of `EDGE_PX`, across and down, of each mixed pixel or hard edge of the exact matte. */
function markBand({ width, height, data }: Matte): Uint8Array {
  const rows = new Uint8Array(data.length);
  const band = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const x = i % width;
    const isStep = x > 0 && data[i]! >= 128 !== data[i - 1]! >= 128;
    const isStepDown = i >= width && data[i]! >= 128 !== data[i - width]! >= 128;
    if (isMixed(data[i]!) || isStep || isStepDown) {
      rows.fill(1, i - Math.min(x, EDGE_PX), i + Math.min(width - 1 - x, EDGE_PX) + 1);
    }
  }
  for (let i = 0; i < data.length; i++) {
    if (rows[i] === 0) continue;
    const y = Math.floor(i / width);
    const from = Math.max(0, y - EDGE_PX);
    const to = Math.min(height - 1, y + EDGE_PX);
    for (let v = from; v <= to; v++) band[v * width + (i % width)] = 1;
  }
  return band;
}
