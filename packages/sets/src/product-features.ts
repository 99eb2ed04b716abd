/** Measurements of a cutout that need no model: silhouette, colors, light direction and viewpoint. */

import { cutWindow, type Edge, oklabFromRgb, type Rgb, type RgbaImage } from 'packshot-pixels';
import { findStandingLine, findUnderside, makeSilhouette, measureWhite } from 'packshot-studio';
import { type Oklch, oklchFromOklab } from './oklch.ts';
import {
  measureBaseElevation,
  measureFoot,
  measureLegsElevation,
  measureViewElevation,
} from './product/foot.ts';
import { fitGround, type GroundFit } from './product/ground-fit.ts';
import {
  eachPixel,
  findInside,
  type Mask,
  type MaskBox,
  measureBox,
  measureSolidity,
  measureThinness,
  measureTurn,
} from './product/mask.ts';
import { measureCropped, measureScatter } from './product/pose-clues.ts';
import { measureRimElevation } from './product/rim.ts';

/** Fractions are 0 to 1. */
export interface ProductFeatures {
  /** Width of the subject's bounding box divided by its height. */
  readonly aspect: number;
  /** Fraction of the bounding box that the subject covers. */
  readonly fill: number;
  /** The subject's area divided by the area of its convex hull; 1 for a subject without concavities. */
  readonly solidity: number;
  /** Angle in degrees, 0 to 45, by which the outline is a turned rectangle; 0 if it is no rectangle. */
  readonly turnDeg: number;
  /** Intersection over union with the horizontally mirrored subject. */
  readonly symmetry: number;
  /** Area of the background enclosed by the subject, as a fraction of the bounding box. */
  readonly holes: number;
  /** Fraction of the subject that is thinner than 6 % of the box's longer side: wires, legs, straps. */
  readonly thinness: number;
  /** Mean width of the subject in each of eight equal bands, top to bottom, as a fraction of the box's width. */
  readonly profile: readonly number[];
  /** Distance between the leftmost and the rightmost point on the ground, as a fraction of the box's width. */
  readonly footWidth: number;
  /**
   * Horizontal offset of the centroid from the box center, as a fraction of the box's width, -0.4 to 0.4;
   * caused by a handle, for example.
   */
  readonly areaOffset: number;
  /** Number of separate legs, 0 to 9; 0 for one broad foot. */
  readonly legs: number;
  /** Fraction of the subject's interior that is translucent. */
  readonly seeThrough: number;
  readonly meanColor: Oklch;
  /** Mean color along the outline, where the subject meets the colors of the set. */
  readonly rimColor: Oklch;
  /** Mean color of the dominant hue; the overall mean for a gray product. */
  readonly mainColor: Oklch;
  /** Fraction of clearly colored pixels (chroma above 0.06). */
  readonly colorfulness: number;
  /** Fraction of pixels with the color of human skin. */
  readonly skin: number;
  /** Mean lightness difference between pixels that are 1/128 of the longer side apart, 0 to 0.3. */
  readonly texture: number;
  readonly lightFrom: 'left' | 'right' | 'unclear';
  /** Linear color of the product's white parts in the photo; undefined if it has none. */
  readonly white: Rgb | undefined;
  /** Camera elevation of the photo in degrees, 4 to 30; undefined if neither rim nor foot reveals it. */
  readonly viewElevationDeg: number | undefined;
  /** The same by the rim of an open vessel alone, such as a mug's; undefined if no rim is seen. */
  readonly rimElevationDeg?: number | undefined;
  /** Rough camera elevation in degrees for a product on legs, from the height of its rear feet in the photo. */
  readonly legsElevationDeg: number | undefined;
  /** Shape of the hidden underside: 0 if it is flat, 1 for that of a ball. */
  readonly roundness: number;
  /**
   * For each edge of the photo that crops the subject, the fraction of the bounding box's side at this edge that the
   * subject covers.
   */
  readonly cropped: Readonly<Partial<Record<Edge, number>>>;
  /**
   * Largest vertical distance between the lowest points of two separate parts, as a fraction of the subject's height; 0
   * for a subject in one piece.
   */
  readonly scatter: number;
  /** How the product touches the ground. */
  readonly ground: GroundFit;
}

/** Longer side of the measured picture, in pixels; a larger picture would not improve the measurements. */
const maxSide = 256;
/** Alpha threshold of the mask: half-covered pixels belong to the subject. */
const coveredFrom = 128;

/**
 * Returns undefined for a nearly empty cutout, with fewer than 64 pixels after downscaling. `touchesEdges`: the edges of
 * the photo that crop the subject.
 */
export function measureProduct(
  cutout: RgbaImage,
  touchesEdges: readonly Edge[] = [],
): ProductFeatures | undefined {
  const image = sampleDown(cutout);
  const { width, height } = image;
  const bits = new Uint8Array(width * height);
  for (let index = 0; index < bits.length; index++)
    bits[index] = image.data[index * 4 + 3]! >= coveredFrom ? 1 : 0;
  const mask: Mask = { width, height, data: bits };
  const box = measureBox(mask);
  if (!box || box.area < 64) return undefined;
  const inside = findInside(mask, box);
  const colors = measureColors(image, mask, inside.deep);
  const symmetry = measureSymmetry(mask, box);
  const inBox = cutWindow(image, box);
  const aspect = box.width / box.height;
  const silhouette = makeSilhouette(inBox);
  const line = findStandingLine(silhouette, aspect);
  const ground = fitGround(silhouette, line, aspect);
  const rimElevationDeg = measureRimElevation(inBox);
  return {
    aspect,
    fill: box.area / (box.width * box.height),
    solidity: measureSolidity(mask, box),
    turnDeg: measureTurn(mask, box),
    symmetry,
    holes: inside.holeArea / (box.width * box.height),
    thinness: measureThinness(mask, box),
    profile: measureProfile(mask, box),
    areaOffset: measureAreaOffset(mask, box),
    ...measureFoot(mask, box),
    seeThrough: measureSeeThrough(image, mask, inside.deep),
    ...colors,
    white: measureWhite(image),
    // The rim comes first, because a mug's rounded foot looks as if it were seen from higher up. The foot is not used
    // for an asymmetric product, whose lower edge is a sole or a wheel rather than a round foot.
    viewElevationDeg:
      rimElevationDeg ??
      (symmetry < 0.72 ? undefined : measureViewElevation(mask, box)) ??
      measureBaseElevation(silhouette, line, aspect),
    rimElevationDeg,
    legsElevationDeg: measureLegsElevation(silhouette, line, aspect),
    roundness: findUnderside(silhouette, aspect).roundness,
    cropped: withoutLegs(measureCropped(mask, box, touchesEdges), ground),
    scatter: measureScatter(mask, box),
    ground,
  };
}

/** Feet behind a cropped leg are this far above the photo's edge, as fractions of the subject's height. */
const rearFeet = { from: 0.03, to: 0.4 } as const;
/** Legs are narrower than this, as a fraction of the subject's width. */
const maxLegs = 0.2;

/** If the photo's lower edge crops only legs whose ends are near, as other feet show, the product stands. */
function withoutLegs(
  { bottom, ...others }: ProductFeatures['cropped'],
  { contacts }: GroundFit,
): ProductFeatures['cropped'] {
  const isWhole = bottom === undefined || bottom < maxLegs;
  const hasFeet = contacts.some(({ y }) => y > rearFeet.from && y < rearFeet.to);
  if (isWhole && hasFeet && Object.keys(others).length === 0) return others;
  return bottom === undefined ? others : { ...others, bottom };
}

function sampleDown(image: RgbaImage): RgbaImage {
  const step = Math.ceil(Math.max(image.width, image.height) / maxSide);
  if (step <= 1) return image;
  const width = Math.floor(image.width / step);
  const height = Math.floor(image.height / step);
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = ((y * step + (step >> 1)) * image.width + x * step + (step >> 1)) * 4;
      data.set(image.data.subarray(from, from + 4), (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

function measureAreaOffset(mask: Mask, box: MaskBox): number {
  let sum = 0;
  eachPixel(mask, box, (x) => {
    sum += x + 0.5;
  });
  return sum / box.area / box.width - 0.5;
}

function measureSymmetry(mask: Mask, box: MaskBox): number {
  let both = 0;
  eachPixel(mask, box, (x, y) => {
    both += mask.data[(box.y + y) * mask.width + box.x + box.width - 1 - x]!;
  });
  return both / (2 * box.area - both);
}

function measureProfile(mask: Mask, { height, ...box }: MaskBox): number[] {
  const bandOf = (y: number): number => Math.min(7, Math.floor((y * 8) / height));
  const [covered, rows] = [new Float64Array(8), new Float64Array(8)];
  for (let y = 0; y < height; y++) rows[bandOf(y)]!++;
  eachPixel(mask, { height, ...box }, (_, y) => covered[bandOf(y)]!++);
  return [...covered].map((count, band) => (rows[band]! > 0 ? count / (rows[band]! * box.width) : 0));
}

/**
 * Mattes are soft at every rim, so only semi-transparent pixels well inside the outline are taken as a sign of glass,
 * gauze or mesh.
 */
function measureSeeThrough({ data }: RgbaImage, { data: bits }: Mask, deep: Uint8Array): number {
  let soft = 0;
  let all = 0;
  for (let index = 0; index < bits.length; index++) {
    if (!deep[index]) continue;
    all++;
    const alpha = data[index * 4 + 3]!;
    if (alpha > 20 && alpha < 235) soft++;
  }
  return all > 0 ? soft / all : 0;
}

/** Colors of human skin in photos: lightness, chroma and hue in OKLCH. */
export const isSkin = ({ l, c, h }: Oklch): boolean =>
  l > 0.3 && l < 0.9 && c > 0.035 && c < 0.14 && h > 30 && h < 75;

const hueBins = 24;
const minChroma = 0.06;
/** Smallest difference in OKLab lightness at which one side looks lit; about 4 in CIE L*. */
const minSideDifference = 0.035;

function measureColors(image: RgbaImage, { width, height, data: bits }: Mask, deep: Uint8Array) {
  const [all, rim] = [openTally(), openTally()];
  const bins = Array.from({ length: hueBins }, openTally);
  const lightness = new Float32Array(width * height);
  let colorful = 0;
  let skin = 0;
  const columns = new Float64Array(width);
  const columnCounts = new Float64Array(width);
  for (let index = 0; index < bits.length; index++) {
    if (!bits[index]) continue;
    const lab = oklabFromRgb(image.data[index * 4]!, image.data[index * 4 + 1]!, image.data[index * 4 + 2]!);
    const color = oklchFromOklab(lab);
    const { c, h } = color;
    if (isSkin(color)) skin++;
    lightness[index] = lab[0];
    columns[index % width]! += lab[0];
    columnCounts[index % width]!++;
    addColor(all, lab, c);
    if (!deep[index]) addColor(rim, lab, c);
    if (c < minChroma) continue;
    colorful++;
    addColor(bins[Math.floor((h / 360) * hueBins) % hueBins]!, lab, c);
  }
  const { count } = all;
  const mean = meanOf(all);
  const strongest = bins.reduce((best, bin) => (bin.weight > best.weight ? bin : best));
  // A hue on less than 5 % of the pixels is a logo rather than the product's color.
  const hasColor = strongest.count > 0.05 * count;
  return {
    meanColor: mean,
    rimColor: rim.count > 0 ? meanOf(rim) : mean,
    mainColor: hasColor ? meanOf(strongest) : mean,
    colorfulness: colorful / count,
    skin: skin / count,
    texture: measureTexture(lightness, { width, height, data: bits }),
    lightFrom: compareHalves(columns, columnCounts),
  };
}

const openTally = () => ({ lab: [0, 0, 0], weight: 0, count: 0 });
type Tally = ReturnType<typeof openTally>;

function addColor(to: Tally, lab: Rgb, chroma: number): void {
  to.weight += chroma;
  to.count++;
  for (let channel = 0; channel < 3; channel++) to.lab[channel]! += lab[channel]!;
}

const meanOf = ({ lab: [l = 0, a = 0, b = 0], count }: Tally): Oklch =>
  oklchFromOklab([l / count, a / count, b / count]);

function compareHalves(columns: Float64Array, counts: Float64Array): ProductFeatures['lightFrom'] {
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0);
  const sumOf = (values: Float64Array, from: number, to: number): number =>
    values.subarray(from, to).reduce((sum, value) => sum + value, 0);
  const half = (from: number, to: number): number =>
    sumOf(columns, from, to) / Math.max(1, sumOf(counts, from, to));
  const middle = (first + last + 1) / 2;
  const difference = half(first, Math.floor(middle)) - half(Math.ceil(middle), last + 1);
  if (Math.abs(difference) < minSideDifference) return 'unclear';
  return difference > 0 ? 'left' : 'right';
}

function measureTexture(lightness: Float32Array, { width, height, data: bits }: Mask): number {
  const step = Math.max(1, Math.round(Math.max(width, height) / 128));
  let total = 0;
  let count = 0;
  for (let y = 0; y + step < height; y++) {
    for (let x = 0; x + step < width; x++) {
      const index = y * width + x;
      if (!bits[index] || !bits[index + step] || !bits[index + step * width]) continue;
      total += Math.abs(lightness[index]! - lightness[index + step]!);
      total += Math.abs(lightness[index]! - lightness[index + step * width]!);
      count += 2;
    }
  }
  return count > 0 ? total / count : 0;
}
