/** Measures of the product in a scene: whether its pixels are unchanged, its placement, its contrast, and its rim. */
import { hueDistance, oklabFromRgb } from '../../src/scenes/oklch.ts';
import { cielab, coverCanvas, distanceTo, type Shot } from './picture.ts';
import { findWallColor } from './plate.ts';

/** Pixels "deep inside" the product are more than this many pixels from any pixel that is not opaque. */
const DEEP_PX = 4;

function findDeep(shot: Shot): number[] {
  const cover = coverCanvas(shot);
  const depth = distanceTo(shot, (i) => cover[i]! < 255);
  return [...depth.keys()].filter((i) => depth[i]! > DEEP_PX);
}

/**
 * CIE 1976 color difference between the scaled cutout and the `picture`, deep inside the product. Undefined
 * for products too thin to have such pixels.
 */
export function measureProductChange(
  shot: Shot,
  picture: Uint8Array,
): { readonly max: number; readonly mean: number } | undefined {
  const { image, x: left, y: top } = shot.product;
  const deep = findDeep(shot);
  if (deep.length === 0) return undefined;
  let max = 0;
  let sum = 0;
  for (const i of deep) {
    const from = ((Math.floor(i / shot.width) - top) * image.width + (i % shot.width) - left) * 4;
    const own = cielab(image.data[from]!, image.data[from + 1]!, image.data[from + 2]!);
    const shown = cielab(picture[i * 3]!, picture[i * 3 + 1]!, picture[i * 3 + 2]!);
    const change = Math.hypot(own[0] - shown[0], own[1] - shown[1], own[2] - shown[2]);
    max = Math.max(max, change);
    sum += change;
  }
  return { max, mean: sum / deep.length };
}

export interface Place {
  /** Width of the product's box, as a fraction of the frame's width. */
  readonly width: number;
  /** Height of the product's box, as a fraction of the frame's height. */
  readonly height: number;
  /**
   * Smallest distance from the product's box to an edge of the frame. Horizontal distances are fractions of the frame's
   * width, vertical ones fractions of its height.
   */
  readonly border: number;
  readonly freeAbove: number;
  /**
   * Horizontal offset of the product's centroid from the center of the frame, as a fraction of the width;
   * right is positive.
   */
  readonly offCenter: number;
}

export function measurePlace(shot: Shot): Place {
  const { width, height } = shot;
  const cover = coverCanvas(shot);
  let [minX, maxX, minY, maxY, sum, area] = [width, -1, height, -1, 0, 0];
  for (let i = 0; i < cover.length; i++) {
    if (cover[i]! < 128) continue;
    const x = i % width;
    const y = (i - x) / width;
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minY = Math.min(minY, y);
    maxY = Math.max(maxY, y);
    sum += x + 0.5;
    area++;
  }
  return {
    width: (maxX + 1 - minX) / width,
    height: (maxY + 1 - minY) / height,
    border: Math.min(minX / width, (width - 1 - maxX) / width, minY / height, (height - 1 - maxY) / height),
    freeAbove: minY / height,
    offCenter: sum / area / width - 0.5,
  };
}

/** Alpha of the rim: 5 to 95 %. */
const CLEAR = 13;
const SOLID = 242;
const REACH_PX = 4;
/** CIE L*: a clearly visible difference. */
const VISIBLE = 8;

/** Halo: fraction of rim pixels that are brighter by 8 L* than both the product and the set within 4 px. */
export function measureHalo(shot: Shot): number {
  const { width, height, picture } = shot;
  const cover = coverCanvas(shot);
  const lightness = Float32Array.from(
    cover,
    (_, i) => cielab(picture.data[i * 3]!, picture.data[i * 3 + 1]!, picture.data[i * 3 + 2]!)[0],
  );
  let rim = 0;
  let bright = 0;
  for (let i = 0; i < cover.length; i++) {
    if (cover[i]! < CLEAR || cover[i]! >= SOLID) continue;
    const x = i % width;
    const y = (i - x) / width;
    let inside = Number.NEGATIVE_INFINITY;
    let outside = Number.NEGATIVE_INFINITY;
    for (let v = Math.max(0, y - REACH_PX); v <= Math.min(height - 1, y + REACH_PX); v++) {
      for (let u = Math.max(0, x - REACH_PX); u <= Math.min(width - 1, x + REACH_PX); u++) {
        const at = v * width + u;
        if (cover[at]! >= SOLID) inside = Math.max(inside, lightness[at]!);
        else if (cover[at]! < CLEAR) outside = Math.max(outside, lightness[at]!);
      }
    }
    // Skip a rim pixel without a solid pixel nearby, or without a clear one: it belongs to glass or to a wire, not to
    // an outline.
    if (inside < 0 || outside < 0) continue;
    rim++;
    if (lightness[i]! > Math.max(inside, outside) + VISIBLE) bright++;
  }
  return rim === 0 ? 0 : bright / rim;
}

/** Start and end of each of the two compared bands: distances from the outline, in pixels. */
const RING_PX = [3, 10] as const;

/**
 * Median OKLab distance across the outline. Two bands follow the outline at the distances `RING_PX`, one inside the
 * product and one in the set. At each outline pixel, the mean colors of the two bands are compared, within a box that
 * reaches `RING_PX[1]` pixels to each side. The median ignores the foot, where a product may blend into its shadow.
 */
export function measureSeparation(shot: Shot): number {
  const { width, height, picture } = shot;
  const cover = coverCanvas(shot);
  const fromSet = distanceTo(shot, (i) => cover[i]! < 128);
  const fromProduct = distanceTo(shot, (i) => cover[i]! >= 128);
  const inRing = (distance: number): boolean => distance >= RING_PX[0] && distance <= RING_PX[1];
  const inner = sumTable(shot, (i) => inRing(fromSet[i]!));
  const outer = sumTable(shot, (i) => inRing(fromProduct[i]!));
  const distances: number[] = [];
  for (let i = 0; i < cover.length; i++) {
    if (fromSet[i]! !== 1) continue;
    const x = i % width;
    const y = (i - x) / width;
    const box = {
      x0: Math.max(0, x - RING_PX[1]),
      y0: Math.max(0, y - RING_PX[1]),
      x1: Math.min(width, x + RING_PX[1] + 1),
      y1: Math.min(height, y + RING_PX[1] + 1),
    };
    const own = inner(box);
    const other = outer(box);
    if (own && other) distances.push(Math.hypot(own[0] - other[0], own[1] - other[1], own[2] - other[2]));
  }
  return median(distances);

  function sumTable({ width: w, height: h }: Shot, isPart: (i: number) => boolean) {
    const stride = (w + 1) * 4;
    const table = new Float64Array(stride * (h + 1));
    for (let y = 0; y < h; y++) {
      const row = [0, 0, 0, 0];
      for (let x = 0; x < w; x++) {
        const i = y * w + x;
        if (isPart(i)) {
          const p = i * 3;
          const lab = oklabFromRgb(picture.data[p]!, picture.data[p + 1]!, picture.data[p + 2]!);
          for (let c = 0; c < 3; c++) row[c]! += lab[c]!;
          row[3]!++;
        }
        for (let c = 0; c < 4; c++) {
          table[(y + 1) * stride + (x + 1) * 4 + c] = table[y * stride + (x + 1) * 4 + c]! + row[c]!;
        }
      }
    }
    return ({ x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number }) => {
      const at = (x: number, y: number, c: number): number => table[y * stride + x * 4 + c]!;
      const part = (c: number): number => at(x1, y1, c) - at(x0, y1, c) - at(x1, y0, c) + at(x0, y0, c);
      const count = part(3);
      return count < 1 ? undefined : ([part(0) / count, part(1) / count, part(2) / count] as const);
    };
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Minimum chroma (OKLCH) of colors that can clash. */
const STRONG_CHROMA = 0.12;

/** Hue difference between product and wall in degrees; undefined if one of them is too gray to clash. */
export function measureClash(shot: Shot): number | undefined {
  const wall = findWallColor(shot);
  const own = shot.features.mainColor;
  if (!wall || wall.c <= STRONG_CHROMA || own.c <= STRONG_CHROMA) return undefined;
  return hueDistance(wall.h, own.h);
}
