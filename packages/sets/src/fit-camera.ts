/**
 * Frames a product: its size in the picture, the camera's height and the line on which it stands. A product that the
 * photo crops touches the same edge of the picture.
 */
import { clamp, type Variant } from 'packshot-pixels';
import { aspectOf, type Camera, type Frame, measureFrame, type ScenePlan } from 'packshot-studio';
import type { ProductFeatures } from './product-features.ts';
import type { Suit } from './set-file.ts';

type Subject = ScenePlan['subject'];

/** Products with a larger aspect ratio (width divided by height) have a fixed width instead of a fixed height. */
const wideFrom = 1.3;
const wideWidth = 1.35;

/** The product's size in scene units. `aspect` is its width divided by its height. */
export function sizeSubject(aspect: number): Subject {
  // Clamps only products thinner than a pencil, which is 20 times as long as wide.
  const known = clamp(aspect, 0.05, 25);
  return known > wideFrom
    ? { width: wideWidth, height: Math.min(1, wideWidth / known) }
    : { width: known, height: 1 };
}

/** What the placement of a product depends on. */
export type PlacedFeatures = Pick<
  ProductFeatures,
  'areaOffset' | 'aspect' | 'cropped' | 'fill' | 'solidity' | 'thinness'
>;

/** Plants and lamps, whose boxes are mostly empty. */
const isAiry = ({ fill }: { readonly fill: number }): boolean => fill < 0.4;

/** A potted plant: recognizable only from the front, so its shadow must fade within a short distance. */
const isBushy = (f: Pick<PlacedFeatures, 'aspect' | 'fill' | 'solidity' | 'thinness'>): boolean =>
  !isAiry(f) && f.aspect < 0.85 && f.solidity < 0.82 && f.thinness > 0.05;

/** Maximum shift of the product's box, in widths of the frame and of the product, and the margin that stays beside it. */
const shifts = { frame: 0.06, subject: 0.07, margin: 0.06 } as const;
/** A cropped product is planned this far beyond the edge, because its cutout may be slightly narrower than planned. */
const overshoot = 0.025;

/** Centers the product's mass rather than its box; a product that the photo crops on one side touches that side. */
export function placeSubject(
  subject: Subject,
  { height, aspect }: Frame,
  { areaOffset, cropped, ...outline }: PlacedFeatures,
): Subject {
  const shape = isBushy(outline) ? { isBushy: true } : {};
  const across = height * aspect;
  const isAside = (cropped.left === undefined) !== (cropped.right === undefined);
  if (isAside) {
    const free = (across - subject.width) / 2 + overshoot * across;
    return { ...subject, shift: cropped.left === undefined ? free : -free, ...shape };
  }
  const free = (0.5 - shifts.margin) * across - subject.width / 2;
  const most = Math.max(0, Math.min(free, shifts.frame * across, shifts.subject * subject.width));
  return { ...subject, shift: clamp(0 - areaOffset * subject.width, -most, most), ...shape };
}

/** Upper limit of the product's top, as a fraction of the frame's height; a tall frame reserves space for text. */
export const maxTop = ({ aspect }: Pick<Frame, 'aspect'>): number => (aspect < 0.6 ? 0.79 : 0.92);

export interface CameraWish {
  readonly suit: Suit;
  readonly ratio: Variant;
  readonly features: ProductFeatures;
  /** Usual length of the product's longer side, in centimeters. */
  readonly lengthCm: number;
  /** Height of the photo's camera in degrees; undefined if the photo does not reveal it. */
  readonly elevDeg: number | undefined;
  readonly band: readonly [number, number];
  readonly tan: number;
  /** Whether a stand or props need room around the product. */
  readonly sharesFrame: boolean;
}

/** Parts of the frame's height and width for a product as wide, for its height, as the frame. */
const usualFill = { height: 0.6, width: 0.66, large: 0.74 } as const;
/** A slender product gets more of the height, a wide one more of the width: per factor of 2 in their proportions. */
const perDoubling = 0.08;
/** Small things are shown slightly smaller, or a ring would look giant: exponent of the length over 25 cm, and least. */
const bySize = { fullCm: 25, exponent: 0.1, least: 0.8 } as const;

function fillFrame({ suit, ratio, features, lengthCm, sharesFrame }: CameraWish, subject: Subject) {
  const aspect = aspectOf(ratio);
  const spare = Math.log2((aspect * subject.height) / subject.width);
  const real = clamp((lengthCm / bySize.fullCm) ** bySize.exponent, bySize.least, 1);
  const airy = isAiry(features) ? 0.09 : 0;
  const height = real * clamp(usualFill.height + perDoubling * spare + airy, 0.5, 0.76);
  const base = suit === 'large' ? usualFill.large : usualFill.width;
  const width = real * clamp(base - perDoubling * Math.min(0, spare), 0.6, suit === 'large' ? 0.88 : 0.8);
  const isTall = aspect < 0.6;
  const most = sharesFrame
    ? { height: isTall ? 0.5 : 0.6, width: 0.6 }
    : { height: isTall ? 0.58 : 1, width: 1 };
  return { fillH: Math.min(height, most.height), fillW: Math.min(width, most.width) };
}

/** Tangent of half the vertical angle of view: the whole is 24 degrees, as with a portrait lens. */
export const usualLens = 0.21;

/** Highest foot above the frame's lower edge, in heights of the frame; below furniture, more floor would look empty. */
const highestFoot = { large: 0.24, other: 0.3 } as const;
/** In degrees, if neither the photo nor the set decides: how high the camera usually is. */
export const usualElevation = 12;

export function frameStanding(wish: CameraWish): Camera {
  const { suit, ratio, features, elevDeg, band, tan } = wish;
  const subject = sizeSubject(features.aspect);
  const lens = { tan, ...fillFrame(wish, subject) };
  const frame = measureFrame({ ratio, subject, camera: { ...lens, elevDeg: 0, baseline: 0 } });
  const rest = 0.5 - subject.height / (2 * frame.height) - 0.05;
  const camera: Camera = {
    ...lens,
    elevDeg: clamp(elevDeg ?? usualElevation, ...band),
    baseline: clamp(rest, 0.17, suit === 'large' ? highestFoot.large : highestFoot.other),
  };
  return reachEdges(camera, { ratio, subject }, features);
}

/** Parts of the frame for a product seen straight from above, and for one that hangs or whose foot is cropped. */
const flatFill = { fillW: 0.66, fillH: 0.72 } as const;
const hungFill = { fillW: 0.76, fillH: 0.8 } as const;

/** The camera of a flat lay, or of a product that hangs in front of a wall: straight at it. */
export function frameFlat(
  { ratio, features }: Pick<CameraWish, 'ratio' | 'features'>,
  isHung: boolean,
  tan: number,
): Camera {
  const subject = sizeSubject(features.aspect);
  const lens = { tan, elevDeg: 0, ...(isHung ? hungFill : flatFill) };
  const { height } = measureFrame({ ratio, subject, camera: { ...lens, baseline: 0 } });
  const baseline = clamp(0.5 - subject.height / (2 * height), 0.05, 0.5);
  return spanFrame({ ...lens, baseline, ...flushEdge(features) }, { ratio, subject }, features);
}

type Cropped = Pick<ProductFeatures, 'cropped'>;
type Framed = Pick<ScenePlan, 'ratio' | 'subject'>;

/** The edge of the frame that a product in a flat lay touches. */
export function flushEdge({ cropped }: Cropped): Pick<Camera, 'flushWith'> {
  if (cropped.bottom !== undefined) return { flushWith: 'bottom' };
  return cropped.top === undefined ? {} : { flushWith: 'top' };
}

/** A product cropped at two opposite edges spans the frame between them, if its proportions allow it. */
function spanFrame(camera: Camera, framed: Framed, { cropped }: Cropped): Camera {
  const across = cropped.left !== undefined && cropped.right !== undefined;
  const upright = cropped.top !== undefined && cropped.bottom !== undefined;
  const beside = cropped.left ?? cropped.right;
  const close = { ...camera, fillH: upright ? 1 : 0.8, fillW: beside === undefined ? 0.8 : 1 };
  const { height, aspect } = measureFrame({ ...framed, camera: close });
  const { subject } = framed;
  const spans =
    (across && height * aspect <= subject.width * 1.001) || (upright && height <= subject.height * 1.001);
  return spans ? close : camera;
}

/** A standing product cropped above reaches the frame's upper edge, unless its foot would be too high in the picture. */
function reachEdges(camera: Camera, framed: Framed, product: Cropped): Camera {
  const { top, bottom, left, right } = product.cropped;
  if (top === undefined || bottom !== undefined) return spanFrame(camera, framed, product);
  const isAcross = left !== undefined && right !== undefined;
  const upward = { ...camera, fillH: 0.8, fillW: isAcross ? 1 : 0.8 };
  const baseline = 1 - framed.subject.height / measureFrame({ ...framed, camera: upward }).height;
  return baseline <= 0.42 ? { ...upward, baseline, flushWith: 'top' } : spanFrame(camera, framed, product);
}
