/** Scores one cutout against a ground-truth matte and, if known, the subject's true foreground colors. */
import { markContour } from '../../packages/pixels/src/outlines.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** One byte per pixel. */
  readonly alpha: Uint8Array;
  /** Interleaved RGB: the colors of the subject without any backdrop; `null` if unknown. */
  readonly foreground: Uint8Array | null;
}

export interface Score {
  /** Mean absolute error of alpha, 0 to 1. */
  readonly mae: number;
  /** Intersection over union of the pixels with an alpha of at least one half, 0 to 1. */
  readonly iou: number;
  /** F-score of the boundary within 2 px, 0 to 1. */
  readonly bf2: number;
  /** F-score of the boundary within 5 px, 0 to 1. */
  readonly bf5: number;
  /**
   * Mean absolute error of alpha, 0 to 1, in the edge band: the pixels within 8 px of the true contour or of a pixel
   * that is partly transparent in the ground truth.
   */
  readonly edge: number;
  /** Mean absolute RGB error, 0 to 255, in the edge band, with both pictures composited over magenta. */
  readonly halo?: number;
  /**
   * Mean absolute error of the subject's color in the edge band, 0 to 255. Each pixel is weighted by its alpha in the
   * cutout or in the ground truth, whichever is smaller.
   */
  readonly fgerr?: number;
  /** Mean absolute RGB error of the whole picture over mid-gray, 0 to 255. */
  readonly comp?: number;
}

const SUBJECT = 128;
const BAND_PX = 8;
const MAGENTA = [255, 0, 255];
const GRAY = 128;

/** Precomputed data of the ground truth, shared by all cutouts of a photo. */
export interface Truth extends Picture {
  readonly contour: Uint8Array;
  readonly toContour: Float32Array;
  readonly toEdge: Float32Array;
}

export function prepareTruth(picture: Picture): Truth {
  const contour = markContour({ ...picture, data: picture.alpha });
  const edge = contour.map((flag, i) => (flag || isMixed(picture.alpha[i]!) ? 1 : 0));
  return {
    ...picture,
    contour,
    toContour: measureDistances(picture, contour),
    toEdge: measureDistances(picture, edge),
  };
}

/** Omits the scores of colors unless the foreground colors of both `cutout` and `truth` are known. */
export function scoreCutout(cutout: Picture, truth: Truth): Score {
  let error = 0;
  let both = 0;
  let either = 0;
  let edgeError = 0;
  let edgePixels = 0;
  for (let i = 0; i < truth.alpha.length; i++) {
    const off = Math.abs(cutout.alpha[i]! - truth.alpha[i]!) / 255;
    error += off;
    const inCutout = cutout.alpha[i]! >= SUBJECT;
    const inTruth = truth.alpha[i]! >= SUBJECT;
    if (inCutout && inTruth) both++;
    if (inCutout || inTruth) either++;
    if (truth.toEdge[i]! > BAND_PX) continue;
    edgePixels++;
    edgeError += off;
  }
  const contour = markContour({ ...cutout, data: cutout.alpha });
  const toContour = measureDistances(cutout, contour);
  const boundary = (tolerancePx: number): number => scoreBoundary({ contour, toContour }, truth, tolerancePx);
  return {
    mae: error / truth.alpha.length,
    iou: either === 0 ? 1 : both / either,
    bf2: boundary(2),
    bf5: boundary(5),
    edge: edgePixels === 0 ? 0 : edgeError / edgePixels,
    ...scoreColors(cutout, truth),
  };
}

function scoreColors(cutout: Picture, truth: Truth): Partial<Score> {
  if (truth.foreground === null || cutout.foreground === null) return {};
  let halo = 0;
  let bandPixels = 0;
  let colorError = 0;
  let colorWeight = 0;
  let composite = 0;
  for (let i = 0; i < truth.alpha.length; i++) {
    const a = truth.alpha[i]! / 255;
    const p = cutout.alpha[i]! / 255;
    const inBand = truth.toEdge[i]! <= BAND_PX;
    const weight = Math.min(a, p);
    if (inBand) bandPixels++;
    if (inBand && weight > 0.05) colorWeight += weight;
    for (let c = 0; c < 3; c++) {
      const exact = truth.foreground[i * 3 + c]!;
      const ours = cutout.foreground[i * 3 + c]!;
      composite += Math.abs((exact - GRAY) * a - (ours - GRAY) * p) / 3;
      if (!inBand) continue;
      const behind = MAGENTA[c]!;
      halo += Math.abs(exact * a + (1 - a) * behind - ours * p - (1 - p) * behind) / 3;
      if (weight > 0.05) colorError += (weight * Math.abs(exact - ours)) / 3;
    }
  }
  return {
    halo: bandPixels === 0 ? 0 : halo / bandPixels,
    fgerr: colorWeight === 0 ? 0 : colorError / colorWeight,
    comp: composite / truth.alpha.length,
  };
}

interface Contour {
  readonly contour: Uint8Array;
  readonly toContour: Float32Array;
}

function scoreBoundary(ours: Contour, truth: Contour, tolerancePx: number): number {
  let exact = 0;
  let found = 0;
  let drawn = 0;
  let right = 0;
  for (let i = 0; i < truth.contour.length; i++) {
    if (truth.contour[i] === 1) {
      exact++;
      if (ours.toContour[i]! <= tolerancePx + 0.01) found++;
    }
    if (ours.contour[i] === 1) {
      drawn++;
      if (truth.toContour[i]! <= tolerancePx + 0.01) right++;
    }
  }
  const recall = exact === 0 ? 1 : found / exact;
  const precision = drawn === 0 ? (exact === 0 ? 1 : 0) : right / drawn;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

function isMixed(alpha: number): boolean {
  return alpha > 5 && alpha < 250;
}

/** Chamfer distance in pixels to the nearest marked pixel, with steps of 1 and of the square root of 2. */
function measureDistances({ width, height }: Picture, marked: Uint8Array): Float32Array {
  // A margin of one pixel on each side, so that every pixel has eight neighbors.
  const stride = width + 2;
  const distances = new Float32Array(stride * (height + 2)).fill(1e6);
  for (let y = 0, i = 0, n = stride + 1; y < height; y++, n += 2) {
    for (let x = 0; x < width; x++, i++, n++) if (marked[i] === 1) distances[n] = 0;
  }
  sweep(distances, { stride, width, height }, 1);
  sweep(distances, { stride, width, height }, -1);
  const inner = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = (y + 1) * stride + 1;
    inner.set(distances.subarray(row, row + width), y * width);
  }
  return inner;
}

/** `way` is 1 for a sweep from the top left, and -1 for one from the bottom right. */
function sweep(
  distances: Float32Array,
  { stride, width, height }: { readonly stride: number; readonly width: number; readonly height: number },
  way: 1 | -1,
): void {
  for (let row = 1; row <= height; row++) {
    const y = way === 1 ? row : height + 1 - row;
    let n = y * stride + (way === 1 ? 1 : width);
    for (let x = 0; x < width; x++, n += way) {
      const before = n - way * stride;
      const straight = Math.min(distances[n - way]!, distances[before]!) + 1;
      const slanted = Math.min(distances[before - 1]!, distances[before + 1]!) + Math.SQRT2;
      distances[n] = Math.min(distances[n]!, straight, slanted);
    }
  }
}
