/** Synthetic scene pictures for the tests of the measures. */
import type { RgbImage } from '../../src/pixels.ts';
import type { ProductFeatures } from '../../src/scenes/product-features.ts';
import type { ScenePlan } from '../../src/studio/scene-plan.ts';
import type { PlacedProduct, Shot } from './picture.ts';

type Paint = (x: number, y: number) => readonly [r: number, g: number, b: number] | number;

export const SIDE_PX = 128;

/** Draws an opaque product of a uniform gray (120 of 255). */
export function drawProduct(
  width: number,
  height: number,
  isCovered: (x: number, y: number) => boolean,
): PlacedProduct {
  const data = new Uint8Array(width * height * 4).fill(120);
  for (let i = 0; i < width * height; i++) {
    data[i * 4 + 3] = isCovered(i % width, Math.floor(i / width)) ? 255 : 0;
  }
  return { image: { width, height, data }, x: 0, y: 0 };
}

export function paint(color: Paint, side = SIDE_PX): RgbImage {
  const data = new Uint8Array(side * side * 3);
  for (let i = 0; i < side * side; i++) {
    const value = color(i % side, Math.floor(i / side));
    data.set(typeof value === 'number' ? [value, value, value] : value, i * 3);
  }
  return { width: side, height: side, data };
}

interface Wish {
  readonly plate?: RgbImage;
  readonly grounded?: RgbImage;
  readonly picture?: RgbImage;
  readonly product?: PlacedProduct;
  readonly wall?: Uint8Array;
  readonly shaded?: Uint8Array;
  readonly horizonRow?: number;
  /** Azimuth of the key light, in degrees: 0 is from the camera, negative from the left. */
  readonly az?: number;
  /** Angular radius of the key light, in degrees; default 3. */
  readonly angularRadius?: number;
  readonly composition?: ScenePlan['composition'];
  readonly roughness?: number;
  readonly mainColor?: ProductFeatures['mainColor'];
}

/** Default: a gray box of 40×60 px, horizontally centered, that stands on row 100 in front of a uniform light wall. */
export function makeShot(wish: Wish = {}): Shot {
  const plate = wish.plate ?? paint(() => 200);
  const grounded = wish.grounded ?? plate;
  const product = wish.product ?? { ...drawProduct(40, 60, () => true), x: 44, y: 40 };
  const plan = {
    composition: wish.composition ?? 'sweep',
    key: { az: wish.az ?? -45, angularRadius: wish.angularRadius ?? 3 },
    pedestal: null,
    surface: { relief: 'flat', roughness: wish.roughness ?? 0.9 },
  } as ScenePlan;
  return {
    width: SIDE_PX,
    height: SIDE_PX,
    plan,
    features: { mainColor: wish.mainColor ?? { l: 0.5, c: 0, h: 0 } } as ProductFeatures,
    plate,
    grounded,
    picture: wish.picture ?? pasteOver(grounded, product),
    product,
    wall: wish.wall ?? new Uint8Array(SIDE_PX * SIDE_PX).fill(1),
    footVisibility: 1,
    shaded: wish.shaded ?? new Uint8Array(SIDE_PX * SIDE_PX).fill(1),
    horizonRow: wish.horizonRow,
  };
}

export function pasteOver(below: RgbImage, { image, x: left, y: top }: PlacedProduct): RgbImage {
  const data = Uint8Array.from(below.data);
  for (let i = 0; i < image.width * image.height; i++) {
    const alpha = image.data[i * 4 + 3]! / 255;
    const to = ((top + Math.floor(i / image.width)) * below.width + left + (i % image.width)) * 3;
    for (let c = 0; c < 3; c++) {
      data[to + c] = Math.round(alpha * image.data[i * 4 + c]! + (1 - alpha) * data[to + c]!);
    }
  }
  return { ...below, data };
}
