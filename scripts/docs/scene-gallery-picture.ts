/** Renders a scene with a sample product at the size that a page needs. */
import type { RgbImage } from '../../packages/pixels/src/pixels.ts';
import { frameProduct } from '../../packages/studio/src/camera.ts';
import { pasteProduct } from '../../packages/studio/src/compose-product.ts';
import { renderStudio } from '../../packages/studio/src/render-studio.ts';
import type { ScenePlan } from '../../packages/studio/src/scene-plan.ts';
import { stageScene } from '../../packages/studio/src/stage-scene.ts';
import { readSubject } from '../../src/rendering/read-subject.ts';
import { canvasSize } from '../../src/rendering/render-target.ts';
import { scaleSubject } from '../../src/rendering/scale-subject.ts';
import type { SampleProduct } from './sample-products.ts';

export async function drawSampleScene(
  plan: ScenePlan,
  { cutoutPng, boundingBox }: SampleProduct,
  longEdgePx: number,
): Promise<RgbImage> {
  const scene = stageScene(plan);
  const canvas = canvasSize(plan.ratio, longEdgePx);
  const box = frameProduct(scene, canvas, boundingBox.width / boundingBox.height);
  const subject = await readSubject({ cutoutPng, boundingBox, longEdgePx });
  const product = { image: scaleSubject(subject, box), x: box.x, y: box.y };
  const { grounded } = await renderStudio(scene, {
    ...canvas,
    quality: 'preview',
    product,
    signal: new AbortController().signal,
  });
  pasteProduct(grounded!, product);
  return grounded!;
}
