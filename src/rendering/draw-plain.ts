/** Renders the backdrop of a plain recipe without a product, as a thumbnail. */
import type { PicturePlan } from '../recipes/resolve-recipe.ts';
import { makeGrid } from '../studio/ground/grid.ts';
import { encodeField, makeBackdrop, paintField } from './backdrop.ts';
import { encodePicture } from './encode.ts';
import { baselineOf } from './layout.ts';
import { canvasSize, type RenderTarget } from './render-target.ts';

/** Returns a fully transparent picture if the backdrop is transparent. */
export async function drawPlain({
  plan,
  target,
}: {
  readonly plan: PicturePlan;
  readonly target: RenderTarget;
}): Promise<Buffer> {
  const canvas = canvasSize(plan.variant, target.longEdgePx);
  const { backdrop } = plan;
  if (backdrop.kind === 'transparent') {
    const data = new Uint8Array(canvas.width * canvas.height * 4);
    return encodePicture({ ...canvas, channels: 4, data }, target);
  }
  const grid = makeGrid(canvas);
  const field = makeBackdrop(backdrop, grid, baselineOf(canvas));
  encodeField(field);
  const data = paintField(field, grid, { canvas, channels: 3, grain: backdrop.kind !== 'solid' });
  return encodePicture({ ...canvas, channels: 3, data }, target);
}
