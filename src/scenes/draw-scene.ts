/** From a plan to pixels: the empty set for looking at, or the picture with the product standing in it. */
import sharp from 'sharp';
import { PackshotError } from '../errors.ts';
import type { Box, RgbaImage, RgbImage } from '../pixels.ts';
import type { DrawnPicture } from '../rendering/draw-picture.ts';
import { encodePicture } from '../rendering/encode.ts';
import { type CanvasSize, canvasSize, contentTypes, type RenderTarget } from '../rendering/render-target.ts';
import { resample } from '../rendering/resample.ts';
import { scaleSubject } from '../rendering/scale-subject.ts';
import { StepClock } from '../step-clock.ts';
import { frameProduct } from './engines/studio/camera.ts';
import { pasteProduct } from './engines/studio/compose-product.ts';
import { renderStudio } from './engines/studio/render-studio.ts';
import { stageScene } from './engines/studio/stage-scene.ts';
import { measureProduct, type ProductFeatures } from './product-features.ts';
import type { ScenePlan } from './scene-plan.ts';

/** Counts up whenever the same plan and target give other bytes; part of every scene's ETag. */
export const sceneRevision = 1;

export interface DrawScene {
  /** RGBA with straight alpha, at the photo's size. */
  readonly cutoutPng: Buffer;
  readonly boundingBox: Box;
  readonly plan: ScenePlan;
  readonly target: RenderTarget;
  readonly signal: AbortSignal;
}

/**
 * Long edge at which a set is traced, in pixels; it is enlarged to the canvas from there. Sets are soft and smooth, and
 * tracing costs by the pixel: this is what one core does within half of each deadline. The product is never enlarged with it.
 */
const tracedEdgePx = { preview: 448, generated: 1280 } as const;

/** The product's pixels are the cutout's, at the canvas' own size; only the set around them is traced. */
export async function drawScene({
  cutoutPng,
  boundingBox,
  plan,
  target,
  signal,
}: DrawScene): Promise<DrawnPicture> {
  const clock = new StepClock(signal);
  const scene = stageScene(plan);
  const place = async (longEdgePx: number) => {
    const canvas = canvasSize(plan.ratio, longEdgePx);
    const box = frameProduct(scene, canvas, boundingBox.width / boundingBox.height);
    const image = await clock.run('scale-subject', () => scaleSubject(cutoutPng, boundingBox, box));
    return { canvas, product: { image, x: box.x, y: box.y } };
  };
  const traced = await place(tracedEdgePx[target.name]);
  const studio = await renderStudio(scene, {
    ...traced.canvas,
    quality: qualityOf(target),
    product: traced.product,
    signal,
  });
  const { canvas, product } = await place(target.longEdgePx);
  const picture = enlarge(studio.grounded!, canvas);
  await clock.run('compose', () => pasteProduct(picture, product));
  const bytes = await clock.run('encode', () => encodePicture({ ...picture, channels: 3 }, target));
  return {
    bytes,
    contentType: contentTypes[target.format],
    ...canvas,
    warnings: [],
    timings: [...studio.timings, ...clock.timings],
  };
}

/** The set without the product. */
export async function drawPlate(plan: ScenePlan, target: RenderTarget, signal: AbortSignal): Promise<Buffer> {
  const traced = canvasSize(plan.ratio, tracedEdgePx[target.name]);
  const { plate } = await renderStudio(stageScene(plan), { ...traced, quality: qualityOf(target), signal });
  const picture = enlarge(plate!, canvasSize(plan.ratio, target.longEdgePx));
  return encodePicture({ ...picture, channels: 3 }, target);
}

const qualityOf = ({ name }: RenderTarget) => (name === 'preview' ? 'preview' : 'full');

function enlarge({ width, height, data }: RgbImage, size: CanvasSize): RgbImage {
  const opaque = new Uint8Array(width * height * 4).fill(255);
  for (let i = 0, p = 0, q = 0; i < width * height; i++, p += 3, q += 4) {
    opaque[q] = data[p]!;
    opaque[q + 1] = data[p + 1]!;
    opaque[q + 2] = data[p + 2]!;
  }
  const large = resample({ width, height, data: opaque }, size.width, size.height);
  const pixels = new Uint8Array(size.width * size.height * 3);
  for (let p = 0, q = 0; p < pixels.length; p += 3, q += 4) {
    pixels[p] = large.data[q]!;
    pixels[p + 1] = large.data[q + 1]!;
    pixels[p + 2] = large.data[q + 2]!;
  }
  return { ...size, data: pixels };
}

/** More pixels tell a shape no better, and the measuring takes them all. */
const MEASURED_SIDE_PX = 512;

export async function measureCutout(cutoutPng: Uint8Array, box: Box): Promise<ProductFeatures | undefined> {
  return measureProduct(await readSubject(cutoutPng, box));
}

async function readSubject(cutoutPng: Uint8Array, box: Box): Promise<RgbaImage> {
  try {
    const { data, info } = await sharp(cutoutPng, { failOn: 'error', limitInputPixels: false })
      .extract({ left: box.x, top: box.y, width: box.width, height: box.height })
      .resize({ width: MEASURED_SIDE_PX, height: MEASURED_SIDE_PX, fit: 'inside', withoutEnlargement: true })
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data };
  } catch (cause) {
    throw new PackshotError('internal', 'The cutout could not be looked at.', { cause });
  }
}
