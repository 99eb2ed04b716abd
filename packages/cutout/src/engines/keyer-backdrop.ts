/**
 * Finds a plain backdrop: the area that can be reached from the photo's frame without crossing an edge. Light falloff,
 * a paper sweep and soft shadows are gradual and count as backdrop; the outline of a product is an edge.
 */
import { findParts, type Lab, type Part } from 'packshot-pixels';

export interface Backdrop {
  /** 1 where the backdrop is visible, except for a margin of a few pixels along every edge. */
  readonly seen: Uint8Array;
  /** Estimated backdrop colors for every pixel, including those behind the product. */
  readonly colours: Lab;
  /** Smooth areas that do not count as backdrop: flat areas of the product, and holes in the product. */
  readonly enclosed: readonly Int32Array[];
}

/** Maximum color change per pixel in a backdrop, in OKLab. Paper and soft shadows stay below this limit. */
const STEP = 0.009;
/** In a noisy photo, the limit rises to this multiple of the median color change along the frame. */
const NOISE_STEPS = 3;
/** If the limit is above this value, the frame shows a pattern or noise, and edges mean nothing. */
const MAX_STEP = 0.03;
/** Edges are thickened by this many pixels to close gaps in a faint outline. */
const EDGE_REACH_PX = 2;
/** A backdrop is plain if at least this share of the frame is one smooth area; a product may cover the rest. */
const PLAIN_SHARE = 0.55;
/**
 * Another area that touches the frame, for example one that the product separates from the main area, counts as
 * backdrop if its mean color differs from the main area's by no more than this, in OKLab.
 */
const SAME_BACKDROP = 0.08;
const MIN_ENCLOSED_PX = 24;

/** Returns null if the photo is not plain along its frame. */
export function findBackdrop(photo: Lab): Backdrop | null {
  const { width, height } = photo;
  const steps = measureSteps(photo);
  const limit = Math.max(STEP, NOISE_STEPS * findMedian(steps.filter((_, i) => isFrame(i, photo))));
  if (limit > MAX_STEP) return null;
  const smooth = markSmooth(steps, { width, height, limit });
  const { parts, order } = findParts({ width, height, data: smooth }, { min: 1, max: 1, neighbours: 4 });
  const pixelsOf = (part: Part): Int32Array => order.subarray(part.start, part.end);
  const atFrame = parts
    .filter((part) => part.touchesFrame)
    .map((part) => {
      const pixels = pixelsOf(part);
      const frame = pixels.reduce((count, i) => count + (isFrame(i, photo) ? 1 : 0), 0);
      return { pixels, frame, mean: measureMean(photo, pixels) };
    });
  const main = atFrame.reduce((most, part) => (part.frame > most.frame ? part : most), atFrame[0]!);
  if (main === undefined || main.frame < PLAIN_SHARE * (2 * width + 2 * height - 4)) return null;
  const seen = new Uint8Array(width * height);
  for (const { pixels, mean } of atFrame) {
    if (Math.hypot(mean[0] - main.mean[0], mean[1] - main.mean[1], mean[2] - main.mean[2]) > SAME_BACKDROP)
      continue;
    for (const index of pixels) seen[index] = 1;
  }
  const enclosed = parts
    .filter((part) => part.area >= MIN_ENCLOSED_PX && seen[order[part.start]!] === 0)
    .map(pixelsOf);
  return { seen, enclosed, colours: fillIn(photo, seen) };
}

export function measureMean(photo: Lab, pixels: Int32Array): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (const index of pixels) for (let c = 0; c < 3; c++) sum[c]! += photo.data[3 * index + c]!;
  return [sum[0] / pixels.length, sum[1] / pixels.length, sum[2] / pixels.length];
}

function isFrame(index: number, { width, height }: Lab): boolean {
  const x = index % width;
  return x === 0 || x === width - 1 || index < width || index >= width * (height - 1);
}

function findMedian(values: Float32Array): number {
  return values.slice().sort()[values.length >> 1] ?? 0;
}

/** Gradient magnitude per pixel over all three channels, by the 3x3 Sobel operator. */
function measureSteps({ width, height, data }: Lab): Float32Array {
  const steps = new Float32Array(width * height);
  for (let channel = 0; channel < 3; channel++) {
    for (let y = 0, i = 0; y < height; y++) {
      const up = y > 0 ? -width : 0;
      const down = y < height - 1 ? width : 0;
      for (let x = 0; x < width; x++, i++) {
        const left = x > 0 ? -1 : 0;
        const right = x < width - 1 ? 1 : 0;
        // Sobel weights; divided by 8, they give the change per pixel.
        const a = data[3 * (i + up + left) + channel]!;
        const b = data[3 * (i + up) + channel]!;
        const c = data[3 * (i + up + right) + channel]!;
        const d = data[3 * (i + left) + channel]!;
        const e = data[3 * (i + right) + channel]!;
        const f = data[3 * (i + down + left) + channel]!;
        const g = data[3 * (i + down) + channel]!;
        const h = data[3 * (i + down + right) + channel]!;
        const across = (c + 2 * e + h - a - 2 * d - f) / 8;
        const along = (f + 2 * g + h - a - 2 * b - c) / 8;
        steps[i]! += across * across + along * along;
      }
    }
  }
  for (let i = 0; i < steps.length; i++) steps[i] = Math.sqrt(steps[i]!);
  return steps;
}

/** Returns 1 where no edge is near. Edges are dilated by a square, first by rows, then by columns. */
function markSmooth(
  steps: Float32Array,
  { width, height, limit }: { readonly width: number; readonly height: number; readonly limit: number },
): Uint8Array {
  const rows = new Uint8Array(steps.length);
  const smooth = new Uint8Array(steps.length).fill(1);
  for (let i = 0; i < steps.length; i++) {
    if (steps[i]! <= limit) continue;
    const x = i % width;
    rows.fill(1, i - Math.min(x, EDGE_REACH_PX), i + Math.min(width - 1 - x, EDGE_REACH_PX) + 1);
  }
  for (let y = 0; y < height; y++) {
    const from = Math.max(0, y - EDGE_REACH_PX);
    const to = Math.min(height - 1, y + EDGE_REACH_PX);
    for (let i = y * width; i < (y + 1) * width; i++) {
      if (rows[i] === 0) continue;
      const x = i - y * width;
      for (let v = from; v <= to; v++) smooth[v * width + x] = 0;
    }
  }
  return smooth;
}

/**
 * Fills the gaps between the known colors with averages at ever coarser levels: the pull-push algorithm of Gortler et
 * al. 1996 ("The Lumigraph", section 3.4).
 */
function fillIn({ width, height, data }: Lab, known: Uint8Array): Lab {
  const out = data.slice();
  if (width === 1 && height === 1) return { width, height, data: out };
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const count = new Uint8Array(half.width * half.height);
  const mean = new Float32Array(3 * count.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (known[i] === 0) continue;
      const at = (y >> 1) * half.width + (x >> 1);
      for (let c = 0; c < 3; c++) mean[3 * at + c]! += data[3 * i + c]!;
      count[at]!++;
    }
  }
  for (let i = 0; i < mean.length; i++) mean[i]! /= Math.max(1, count[Math.floor(i / 3)]!);
  const { data: coarse } = fillIn({ ...half, data: mean }, count);
  for (let y = 0, i = 0; y < height; y++) {
    const v = Math.min(half.height - 1, Math.max(0, y / 2 - 0.25));
    const top = Math.floor(v) * half.width;
    const bottom = Math.min(half.height - 1, Math.floor(v) + 1) * half.width;
    const tv = v - Math.floor(v);
    for (let x = 0; x < width; x++, i++) {
      if (known[i]! > 0) continue;
      const u = Math.min(half.width - 1, Math.max(0, x / 2 - 0.25));
      const near = Math.floor(u);
      const far = Math.min(half.width - 1, near + 1);
      const tu = u - near;
      for (let c = 0; c < 3; c++) {
        out[3 * i + c] =
          (1 - tv) * ((1 - tu) * coarse[3 * (top + near) + c]! + tu * coarse[3 * (top + far) + c]!) +
          tv * ((1 - tu) * coarse[3 * (bottom + near) + c]! + tu * coarse[3 * (bottom + far) + c]!);
      }
    }
  }
  return { width, height, data: out };
}
