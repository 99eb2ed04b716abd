/** Step: places the subject with its shadow on a transparent canvas, using the renderer of recipes. */
import { encodeSrgb255, type RgbaImage, type Size } from 'packshot-pixels';
import { catchShadow, makeGrid, type PlacedSubject } from 'packshot-studio';
import { paintField } from '../../rendering/backdrop.ts';
import { composeOverShadow } from '../../rendering/compose.ts';

export interface ShadowStyle {
  /** Direction of the light in degrees, negative from the left; undefined for soft light. */
  readonly azimuthDeg: number | undefined;
  /** 0 to 1. */
  readonly strength: number;
}

export function castOnCanvas(canvas: Size, subject: PlacedSubject, style: ShadowStyle): RgbaImage {
  const grid = makeGrid(canvas);
  const dark = catchShadow({ canvas, grid, subject, ...style }).map((share) => 255 - encodeSrgb255(share));
  const alpha = paintField(dark, grid, { canvas, channels: 1, grain: false });
  const data = new Uint8Array(canvas.width * canvas.height * 4);
  for (let i = 0; i < alpha.length; i++) data[4 * i + 3] = alpha[i]!;
  const picture: RgbaImage = { ...canvas, data };
  const { image, x, y } = subject;
  composeOverShadow(picture, image, { x, y, width: image.width, height: image.height });
  return picture;
}
