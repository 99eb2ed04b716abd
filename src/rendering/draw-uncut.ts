/** Draws a picture of a photo that is left as it is: padded, cropped or extended to the ratio, without any shadow. */
import { type Box, type CanvasSize, type RgbaImage, StepClock } from 'packshot-pixels';
import type { PicturePlan } from '../recipes/resolve-recipe.ts';
import { composeOver, composeOverShadow } from './compose.ts';
import { collectWarnings, type DrawnPicture, isFlattened, WHITE } from './draw-picture.ts';
import { paintPlain } from './draw-plain.ts';
import { encodePicture } from './encode.ts';
import { readWithAlpha } from './read-with-alpha.ts';
import { canvasSize, contentTypes, type RenderTarget } from './render-target.ts';
import { resample } from './resample.ts';

export interface DrawUncut {
  /** The stored photo. */
  readonly bytes: Uint8Array;
  readonly plan: PicturePlan;
  readonly target: RenderTarget;
  readonly signal: AbortSignal;
}

/** Throws the errors of `readImage`. */
export async function drawUncut({ bytes, plan, target, signal }: DrawUncut): Promise<DrawnPicture> {
  const clock = new StepClock(signal);
  const canvas = canvasSize(plan.variant, target.longEdgePx);
  const { fit = 'pad' } = plan.layout;
  const flattened = isFlattened(plan, target);
  const photo = await clock.run('read-photo', async () => {
    const whole = await readWithAlpha(bytes);
    return fit === 'crop' ? cropToRatio(whole, canvas) : whole;
  });
  const scale = Math.min(canvas.width / photo.width, canvas.height / photo.height);
  const width = Math.min(canvas.width, Math.max(1, Math.round(photo.width * scale)));
  const height = Math.min(canvas.height, Math.max(1, Math.round(photo.height * scale)));
  const x = Math.round((canvas.width - width) / 2);
  const y = Math.round((canvas.height - height) / 2);
  const picture = paintPlain(
    flattened ? { ...plan, backdrop: { kind: 'solid', color: WHITE } } : plan,
    canvas,
  );
  await clock.run('compose', () => {
    const scaled = resample(photo, width, height);
    const placed = fit === 'extend' ? extend(scaled, { x, y, width, height }, canvas) : scaled;
    const box = fit === 'extend' ? { x: 0, y: 0, ...canvas } : { x, y, width, height };
    return picture.channels === 4
      ? composeOverShadow(picture, placed, box)
      : composeOver(picture, placed, box);
  });
  return {
    bytes: await clock.run('encode', () => encodePicture(picture, target)),
    contentType: contentTypes[target.format],
    ...canvas,
    warnings: collectWarnings(flattened, scale),
    timings: clock.timings,
  };
}

/** The middle of the photo that has the canvas's ratio. */
function cropToRatio(photo: RgbaImage, canvas: CanvasSize): RgbaImage {
  const share = Math.min(photo.width / canvas.width, photo.height / canvas.height);
  const width = Math.max(1, Math.round(canvas.width * share));
  const height = Math.max(1, Math.round(canvas.height * share));
  const x = Math.floor((photo.width - width) / 2);
  const y = Math.floor((photo.height - height) / 2);
  return extend(photo, { x: -x, y: -y, width: photo.width, height: photo.height }, { width, height });
}

/** The picture at `box` of the canvas; each pixel outside repeats the nearest one of the picture. */
function extend({ width, height, data }: RgbaImage, box: Box, canvas: CanvasSize): RgbaImage {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const extended = new Uint32Array(canvas.width * canvas.height);
  const within = (value: number, size: number): number => Math.min(size - 1, Math.max(0, value));
  for (let y = 0, to = 0; y < canvas.height; y++) {
    const row = within(y - box.y, height) * width;
    for (let x = 0; x < canvas.width; x++, to++) extended[to] = pixels[row + within(x - box.x, width)]!;
  }
  return { ...canvas, data: new Uint8Array(extended.buffer) };
}
