/**
 * Step: darkens the floor below the body of a product on legs, such as a sofa. From a low camera, this floor is only a
 * few texels high in the traced light, so the denoiser blurs away most of its darkness.
 */
import type { RgbImage } from 'packshot-pixels';
import { type Camera, columnOf, rowOf, unprojectX, unprojectY } from './camera.ts';
import { dimPixel } from './ground/dim-picture.ts';
import { makeSilhouette } from './ground/silhouette.ts';
import { findStandingLine } from './ground/standing-line.ts';
import { findClearance } from './inflate-silhouette.ts';
import type { StudioProduct } from './product-proxy.ts';
import type { StudioScene } from './studio-scene.ts';

/** Where the body hides the whole sky, the floor is darkened by this fraction, in addition to the traced shadow. */
const DEPTH = 0.45;
/** The shade is left out where the body hides less than this fraction of the sky. */
const FAINT = 0.03;
/** Distance from the body beyond which the shade is left out, as a multiple of the clearance below the body. */
const REACH = 3;

/**
 * How far the body's underside extends in front of the feet, as a fraction of the body's depth: seats overhang their
 * legs.
 */
const OVERHANG = 0.45;

/** A level rectangle above the floor, in world units. */
export interface Underbody {
  readonly fromX: number;
  readonly toX: number;
  readonly fromZ: number;
  readonly toZ: number;
  /** Height above the floor. */
  readonly height: number;
}

/** Darkens the floor in `picture`, in place. Does nothing for a product without a body above the floor. */
export function shadeBelowBody(
  picture: RgbImage,
  { baseY, bodyDepth }: Pick<StudioScene, 'baseY' | 'bodyDepth'>,
  camera: Camera,
  product: StudioProduct,
): void {
  const body = bodyDepth === undefined ? undefined : findUnderbody(camera, product, baseY, bodyDepth);
  if (body === undefined) return;
  const reach = REACH * body.height;
  const limit = (value: number, size: number): number => Math.min(size, Math.max(0, Math.round(value)));
  const top = limit(rowOf(camera, baseY, body.fromZ - reach), picture.height);
  const bottom = limit(rowOf(camera, baseY, body.toZ + reach), picture.height);
  for (let row = top; row < bottom; row++) {
    const z = floorDepth(camera, baseY, row + 0.5);
    const from = limit(columnOf(camera, body.fromX - reach, z), picture.width);
    const to = limit(columnOf(camera, body.toX + reach, z), picture.width);
    for (let column = from; column < to; column++) {
      const hidden = hideSky(body, unprojectX(camera, column + 0.5, z), z);
      if (hidden > FAINT)
        dimPixel(picture, row * picture.width + column, 1 - (DEPTH * (hidden - FAINT)) / (1 - FAINT));
    }
  }
}

/**
 * Fraction of evenly distributed light, 0 to 1, that a level rectangle hides from a point on the floor: the view
 * factor from a small level surface to a parallel rectangle. The formula (Howell, "A Catalog of Radiation Heat Transfer
 * Configuration Factors", B-3) holds for a rectangle with a corner directly above the point. So the result is the
 * signed sum over four such rectangles, one to each corner of this rectangle.
 */
export function hideSky({ fromX, toX, fromZ, toZ, height }: Underbody, x: number, z: number): number {
  const [left, right] = [(fromX - x) / height, (toX - x) / height];
  const [rear, front] = [(fromZ - z) / height, (toZ - z) / height];
  return (
    cornerFactor(right, front) -
    cornerFactor(left, front) -
    cornerFactor(right, rear) +
    cornerFactor(left, rear)
  );
}

/**
 * View factor of a rectangle that has one corner directly above the point, and the opposite corner at (`a`, `b`) from
 * there, in units of the rectangle's height above the floor; negative if exactly one of `a` and `b` is negative.
 */
function cornerFactor(a: number, b: number): number {
  const [far, wide] = [Math.sqrt(1 + a * a), Math.sqrt(1 + b * b)];
  return ((a / far) * Math.atan(b / far) + (b / wide) * Math.atan(a / wide)) / (2 * Math.PI);
}

/** The underside of the product's body, about `bodyDepth` deep; undefined if no body is above the floor. */
function findUnderbody(
  camera: Camera,
  { image, x, y, lies }: StudioProduct,
  baseY: number,
  bodyDepth: number,
): Underbody | undefined {
  const silhouette = makeSilhouette(image);
  const { columns, rows } = silhouette;
  const line = findStandingLine(silhouette, image.width / image.height, lies);
  const clearance = findClearance(silhouette, line);
  if (clearance === undefined) return undefined;
  const pixels = image.height / rows;
  const feet = clearance.columns.map((column) => y + pixels * line.ground[column]!);
  const foot = feet.reduce((sum, row) => sum + row, 0) / feet.length;
  // A chair may stand with one corner toward the camera. The rectangle then leaves out that corner and the opposite
  // one: its front is placed relative to the mean of the feet, and its rear one body depth behind the nearest foot, but
  // at least half a body depth behind that mean.
  const toZ = floorDepth(camera, baseY, foot);
  const cornerZ = floorDepth(camera, baseY, Math.max(...feet));
  const across = (column: number): number => unprojectX(camera, x + (column / columns) * image.width, toZ);
  return {
    fromX: across(clearance.columns[0]!),
    toX: across(clearance.columns.at(-1)! + 1),
    fromZ: Math.min(cornerZ - bodyDepth, toZ - bodyDepth / 2),
    toZ: toZ + OVERHANG * bodyDepth,
    height: unprojectY(camera, foot - pixels * clearance.gap, toZ) - baseY,
  };
}

/** The z at which the ray through a canvas row meets the floor. */
function floorDepth(camera: Camera, baseY: number, row: number): number {
  const drop = camera.eyeY - unprojectY(camera, row, 0);
  return drop <= 0 ? Number.NEGATIVE_INFINITY : camera.distance * (1 - (camera.eyeY - baseY) / drop);
}
