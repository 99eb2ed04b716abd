/** Scales our composite and its mask to an engine's size, and converts the mask. For trusted input only. */

import { PackshotError } from 'packshot-errors';
import type { CanvasSize } from 'packshot-pixels';
import sharp from 'sharp';
import type { Scaffold } from '../painting/illustration-engine.ts';

/**
 * - `gray`: one channel, white where the engine repaints. For FLUX Fill, fal, Replicate and the Stable Diffusion web
 *   UI. (If there were an alpha channel, the web UI would use that as the mask.)
 * - `gray-and-clear`: the same mask in red, green and blue, and transparent where the picture is repainted.
 *   OpenAI reads alpha (0 is repainted). ComfyUI's LoadImageMask reads any of the four channels, and its
 *   LoadImage reads alpha; both use 1 - alpha.
 */
export type MaskForm = 'gray' | 'gray-and-clear';

/** Settings of lossless, fast PNGs. Stronger compression would take more time than sending fewer bytes would save. */
const png = { compressionLevel: 6, adaptiveFiltering: false, palette: false } as const;
const fill = { fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false } as const;
const WHITE = 255;
const MIDDLE = 128;

/** Position of the canvas in an engine's frame of another aspect ratio. */
interface Placement {
  readonly inside: CanvasSize;
  readonly margins: Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>;
}

/**
 * Returns two PNGs of exactly the size `frame`: the picture without alpha, and the mask with the values 0 and 255 only.
 * Nothing is stretched. If the frame has another aspect ratio, the whole canvas is at its bottom center, and the engine
 * extends the picture beyond the canvas. `cropBackdrop` later crops the engine's picture to the canvas.
 */
export async function fitScaffold(scaffold: Scaffold, frame: CanvasSize, form: MaskForm): Promise<Scaffold> {
  try {
    const { width, height } = await sharp(scaffold.picturePng).metadata();
    const placement = placeCanvas({ width, height }, frame);
    return {
      picturePng: await fitPicture(scaffold.picturePng, placement),
      maskPng: await fitMask(scaffold.maskPng, placement, frame, form),
    };
  } catch (error) {
    throw new PackshotError('internal', 'The picture could not be prepared for the illustration engine.', {
      cause: error,
    });
  }
}

function placeCanvas(canvas: CanvasSize, frame: CanvasSize): Placement {
  const scale = Math.min(frame.width / canvas.width, frame.height / canvas.height);
  const inside = {
    width: Math.min(frame.width, Math.max(1, Math.round(canvas.width * scale))),
    height: Math.min(frame.height, Math.max(1, Math.round(canvas.height * scale))),
  };
  const across = frame.width - inside.width;
  const left = Math.floor(across / 2);
  return { inside, margins: { top: frame.height - inside.height, bottom: 0, left, right: across - left } };
}

async function fitPicture(picturePng: Uint8Array, { inside, margins }: Placement): Promise<Uint8Array> {
  const picture = sharp(picturePng)
    .removeAlpha()
    .toColourspace('srgb')
    .resize({ ...inside, ...fill })
    // Repeats the pixels at the edge, which show the wall; mirrored pixels could show the product a second time.
    .extend({ ...margins, extendWith: 'copy' });
  return new Uint8Array(await picture.png(png).toBuffer());
}

async function fitMask(
  maskPng: Uint8Array,
  { inside, margins }: Placement,
  frame: CanvasSize,
  form: MaskForm,
): Promise<Uint8Array> {
  const kept = await sharp(maskPng)
    .removeAlpha()
    .toColourspace('b-w')
    .resize({ ...inside, ...fill })
    .threshold(MIDDLE)
    .raw({ depth: 'uchar' })
    .toBuffer();
  const channels = form === 'gray' ? 1 : 4;
  const data = Buffer.alloc(frame.width * frame.height * channels);
  for (let y = 0, p = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++, p += channels) {
      const [u, v] = [x - margins.left, y - margins.top];
      const within = u >= 0 && u < inside.width && v >= 0;
      const gray = within ? kept[v * inside.width + u]! : WHITE;
      data[p] = gray;
      if (form === 'gray') continue;
      data[p + 1] = data[p + 2] = gray;
      data[p + 3] = 255 - gray;
    }
  }
  const mask = sharp(data, { raw: { ...frame, channels } });
  return new Uint8Array(
    await mask
      .toColourspace(form === 'gray' ? 'b-w' : 'srgb')
      .png(png)
      .toBuffer(),
  );
}
