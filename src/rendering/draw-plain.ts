/** Renders the backdrop of a plain recipe without a product. */
import type { CanvasSize } from 'packshot-pixels';
import { makeGrid } from 'packshot-studio';
import type { PicturePlan } from '../recipes/resolve-recipe.ts';
import { encodeField, makeBackdrop, paintField } from './backdrop.ts';
import { encodePicture, type Picture } from './encode.ts';
import { baselineOf } from './layout.ts';
import { canvasSize, type RenderTarget } from './render-target.ts';

/** A thumbnail of the recipe. */
export async function drawPlain({
  plan,
  target,
}: {
  readonly plan: PicturePlan;
  readonly target: RenderTarget;
}): Promise<Buffer> {
  return encodePicture(paintPlain(plan, canvasSize(plan.variant, target.longEdgePx)), target);
}

/** Returns a fully transparent picture if the backdrop is transparent. */
export function paintPlain({ backdrop }: Pick<PicturePlan, 'backdrop'>, canvas: CanvasSize): Picture {
  if (backdrop.kind === 'transparent') {
    return { ...canvas, channels: 4, data: new Uint8Array(canvas.width * canvas.height * 4) };
  }
  const grid = makeGrid(canvas);
  const field = makeBackdrop(backdrop, grid, baselineOf(canvas));
  encodeField(field);
  const data = paintField(field, grid, { canvas, channels: 3, grain: backdrop.kind !== 'solid' });
  return { ...canvas, channels: 3, data };
}
