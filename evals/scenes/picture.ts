/** Basic measures of a scene's pictures: light, colors, the product's coverage and foot, and distances in pixels. */
import type { RgbaImage, RgbImage } from '../../src/pixels.ts';
import type { ProductFeatures } from '../../src/scenes/product-features.ts';
import { decodeSrgb } from '../../src/srgb.ts';
import type { ScenePlan } from '../../src/studio/scene-plan.ts';

export interface PlacedProduct {
  readonly image: RgbaImage;
  /** Left edge on the canvas, in pixels. */
  readonly x: number;
  readonly y: number;
}

/** All pictures of a scene, at the same size. */
export interface Shot {
  readonly width: number;
  readonly height: number;
  readonly plan: ScenePlan;
  readonly features: ProductFeatures;
  /** The empty set. */
  readonly plate: RgbImage;
  /** The set with the product's shadow and reflection, without its pixels. */
  readonly grounded: RgbImage;
  /** The final picture, before encoding. */
  readonly picture: RgbImage;
  readonly product: PlacedProduct;
  /** 1 where the plate shows the wall or, in a flat lay, the ground. */
  readonly wall: Uint8Array;
  /** Fraction of the key light that reaches the foot past the gobo and the props, 0 to 1. */
  readonly footVisibility: number;
  /** 1 where the product blocks the key light: its cast shadow. */
  readonly shaded: Uint8Array;
  /** Row in which the ground meets the wall; undefined for a sweep and in a real place. */
  readonly horizonRow: number | undefined;
}

const linear = Float64Array.from({ length: 256 }, (_, level) => decodeSrgb(level / 255));

/** Relative luminance (IEC 61966-2-1), 0 to 1. */
export function luminanceAt(data: Uint8Array, pixel: number): number {
  const p = pixel * 3;
  return 0.2126 * linear[data[p]!]! + 0.7152 * linear[data[p + 1]!]! + 0.0722 * linear[data[p + 2]!]!;
}

/** Luma (ITU-R BT.601), 0 to 255, which the literature uses to measure noise and gradients. */
export function lumaOf({ data, width, height }: RgbImage): Float32Array {
  return Float32Array.from(
    { length: width * height },
    (_, i) => 0.299 * data[i * 3]! + 0.587 * data[i * 3 + 1]! + 0.114 * data[i * 3 + 2]!,
  );
}

/** CIE 1976 L*a*b*, D65, of three sRGB bytes. */
export function cielab(red: number, green: number, blue: number): [l: number, a: number, b: number] {
  const [r, g, b] = [linear[red]!, linear[green]!, linear[blue]!];
  const x = bend((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = bend(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = bend((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
function bend(t: number): number {
  return t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116;
}

/** The product's alpha on the whole canvas. */
export function coverCanvas({
  width,
  height,
  product,
}: Pick<Shot, 'width' | 'height' | 'product'>): Uint8Array {
  const cover = new Uint8Array(width * height);
  const { image, x: left, y: top } = product;
  for (let y = Math.max(0, -top); y < Math.min(image.height, height - top); y++) {
    for (let x = Math.max(0, -left); x < Math.min(image.width, width - left); x++) {
      cover[(top + y) * width + left + x] = image.data[(y * image.width + x) * 4 + 3]!;
    }
  }
  return cover;
}

/**
 * Distance in pixels to the nearest pixel for which `isTarget` is true, at most 8.3% too large: two chamfer passes
 * (Borgefors 1986) with the weights 1 and 1.41.
 */
export function distanceTo(
  { width, height }: { readonly width: number; readonly height: number },
  isTarget: (pixel: number) => boolean,
): Float32Array {
  const far = width + height;
  const distance = Float32Array.from({ length: width * height }, (_, i) => (isTarget(i) ? 0 : far));
  const relax = (x: number, y: number, step: -1 | 1): void => {
    let best = distance[y * width + x]!;
    const other = y + step;
    const hasOther = other >= 0 && other < height;
    const hasBefore = x + step >= 0 && x + step < width;
    const hasAfter = x - step >= 0 && x - step < width;
    if (hasBefore) best = Math.min(best, distance[y * width + x + step]! + 1);
    if (hasOther) best = Math.min(best, distance[other * width + x]! + 1);
    if (hasOther && hasBefore) best = Math.min(best, distance[other * width + x + step]! + Math.SQRT2);
    if (hasOther && hasAfter) best = Math.min(best, distance[other * width + x - step]! + Math.SQRT2);
    distance[y * width + x] = best;
  };
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) relax(x, y, -1);
  for (let y = height - 1; y >= 0; y--) for (let x = width - 1; x >= 0; x--) relax(x, y, 1);
  return distance;
}

/** Minimum alpha of pixels that belong to the product: one half. */
const COVERED = 128;
/**
 * The foot line is the lower hull of the product, as far as its slope is at most `MAX_SLOPE`. Where the hull is
 * steeper, it is the product's side.
 */
const MAX_SLOPE = 0.18;
/**
 * A column touches the ground if its lowest pixel is at most this fraction of the product's height above the foot line.
 */
const TOUCHING = 0.035;

/** Canvas coordinates of the product's lowest pixel in each column that touches the ground. */
export function findFoot({
  image,
  x: left,
  y: top,
}: PlacedProduct): { readonly x: number; readonly y: number }[] {
  const low = Array.from({ length: image.width }, (_, x) => {
    for (let y = image.height - 1; y >= 0; y--) {
      if (image.data[(y * image.width + x) * 4 + 3]! >= COVERED) return { x, y };
    }
    return undefined;
  }).filter((point) => point !== undefined);
  const first = low.reduce((best, point) => (point.y > (best?.y ?? -1) ? point : best), low[0]);
  if (!first) return [];
  const rightHull = followHull(low.filter(({ x }) => x >= first.x));
  const leftHull = followHull(low.filter(({ x }) => x <= first.x).reverse());
  const line = [...leftHull.reverse(), ...rightHull.slice(1)];
  return low
    .filter(({ x, y }) => interpolate(line, x) - y <= TOUCHING * image.height)
    .map(({ x, y }) => ({ x: left + x, y: top + y }));
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Follows the lower hull outward from the first point for as long as the hull rises gently. */
function followHull(points: readonly Point[]): Point[] {
  const line = points.slice(0, 1);
  let rest = points.slice(1);
  for (let last = line[0]; last && rest.length > 0; last = line.at(-1)) {
    const rise = ({ x, y }: Point): number => (last!.y - y) / Math.abs(x - last!.x);
    const next = rest.reduce((best, point) => (rise(point) <= rise(best) ? point : best));
    if (rise(next) > MAX_SLOPE) break;
    line.push(next);
    rest = rest.filter(({ x }) => Math.abs(x - line[0]!.x) > Math.abs(next.x - line[0]!.x));
  }
  return line;
}

function interpolate(line: readonly Point[], x: number): number {
  const after = line.findIndex((point) => point.x >= x);
  if (after === 0) return line[0]!.y;
  if (after < 0) return line.at(-1)!.y;
  const [from, to] = [line[after - 1]!, line[after]!];
  return from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x);
}
