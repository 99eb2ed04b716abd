/** Pixel work around an engine call: makes the picture and mask for the engine, and normalizes what it returns. */

import { type ImageLimits, readImage } from 'packshot-photos';
import type { Box, Matte } from 'packshot-pixels';
import type { ScenePlan } from 'packshot-studio';
import sharp from 'sharp';
import { cropBackdrop } from '../../rendering/crop-backdrop.ts';
import { encodePicture } from '../../rendering/encode.ts';
import { canvasSize, renderTarget } from '../../rendering/render-target.ts';
import { composeScene, type ProductInScene, type SceneDetail } from '../draw-scene.ts';
import { checkPainting, type PaintingVerdict } from './check-painting.ts';
import type { Scaffold } from './illustration-engine.ts';
import type { Place } from './painting.ts';

/** Draws our own composite at `longEdgePx`, and a mask of everything except the product. */
export async function makeScaffold({
  longEdgePx,
  detail = 'normal',
  ...scene
}: ProductInScene & {
  readonly longEdgePx: number;
  /** Default: `normal`. */
  readonly detail?: SceneDetail | undefined;
}): Promise<Scaffold & { readonly place: Place }> {
  const { picture, product } = await composeScene(scene, longEdgePx, detail);
  const { width, height } = picture;
  const { image, x: left, y: top } = product;
  const mask = new Uint8Array(width * height).fill(255);
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      // Edge pixels that the product covers by less than half are repainted too. The product is later composited over
      // them, so that no seam is visible.
      if (image.data[4 * (y * image.width + x) + 3]! < 128) continue;
      const [px, py] = [left + x, top + y];
      if (px >= 0 && py >= 0 && px < width && py < height) mask[py * width + px] = 0;
    }
  }
  const [picturePng, maskPng] = await Promise.all([
    encodePicture({ ...picture, channels: 3 }, renderTarget('generated', 'png')),
    sharp(mask, { raw: { width, height, channels: 1 } })
      .toColourspace('b-w')
      .png()
      .toBuffer(),
  ]);
  const place = {
    x: left / width,
    y: top / height,
    width: image.width / width,
    height: image.height / height,
  };
  return { picturePng, maskPng, place };
}

/** No engine makes pictures of more than 24 megapixels. */
const paintingLimits: ImageLimits = {
  maxBytes: 64 * 1024 * 1024,
  maxPixels: 25e6,
  maxAvifPixels: 25e6,
  minSidePx: 64,
  maxSidePx: 8_192,
};
const KEPT_QUALITY = 96;

/** Decodes an untrusted picture and crops it to the plan's ratio. Throws the errors of `readImage`. */
export async function normalizePainting({
  bytes,
  plan,
}: {
  readonly bytes: Uint8Array;
  readonly plan: ScenePlan;
}): Promise<Uint8Array> {
  const source = await readImage(bytes, paintingLimits);
  const [across = 1, down = 1] = plan.ratio.split(':').map(Number);
  const fitting = Math.min(source.width / across, source.height / down) * Math.max(across, down);
  const target = {
    ...renderTarget('generated', 'jpeg'),
    longEdgePx: Math.round(fitting),
    quality: KEPT_QUALITY,
  };
  const picture = await cropBackdrop(source, canvasSize(plan.ratio, target.longEdgePx));
  return encodePicture({ ...picture, channels: 3 }, target);
}

const JUDGED_SIDE_PX = 256;

/** Rejects with the decoder's error if the cutout cannot be decoded. */
export async function judgePainting(judged: {
  readonly matte: Matte;
  readonly cutoutPng: Uint8Array;
  readonly boundingBox: Box;
  readonly place: Place;
  readonly mayMove: boolean;
}): Promise<PaintingVerdict> {
  const { x, y, width, height } = judged.boundingBox;
  const { data, info } = await sharp(judged.cutoutPng, { failOn: 'error', limitInputPixels: false })
    .extract({ left: x, top: y, width, height })
    .resize({ width: JUDGED_SIDE_PX, height: JUDGED_SIDE_PX, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return checkPainting({
    matte: judged.matte,
    product: { width: info.width, height: info.height, data },
    expected: judged.place,
    mayMove: judged.mayMove,
  });
}
