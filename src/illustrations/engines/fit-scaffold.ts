/** Brings our composite and its mask to the size and the form that an engine reads. Only our own pixels come here. */
import sharp from 'sharp';
import { PackshotError } from '../../errors.ts';
import type { CanvasSize } from '../../pixels.ts';
import type { Scaffold } from '../painting/illustration-engine.ts';

/**
 * - `grey`: one channel, white is repainted. FLUX Fill, fal, Replicate and the Stable Diffusion web UI; the last one
 *   takes an alpha channel for the mask if it finds one, so there must be none.
 * - `grey-and-clear`: the same in red, green and blue, and clear where it is repainted. OpenAI reads the alpha channel
 *   (0 is repainted); ComfyUI's LoadImageMask reads any of the four, its LoadImage the alpha, both 1 - alpha.
 */
export type MaskForm = 'grey' | 'grey-and-clear';

/** Lossless, and quick: what is saved beyond this level costs more time than the line does. */
const png = { compressionLevel: 6, adaptiveFiltering: false, palette: false } as const;
const fill = { fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false } as const;
const WHITE = 255;
const MIDDLE = 128;

/** How the canvas lies in an engine's frame of another shape. */
interface Placement {
  readonly inside: CanvasSize;
  readonly margins: {
    readonly top: number;
    readonly bottom: number;
    readonly left: number;
    readonly right: number;
  };
}

/**
 * Both PNG of exactly `frame`; the picture without alpha, the mask with the values 0 and 255 only. Nothing is stretched:
 * a frame of another shape holds the whole canvas in its lower middle, which is the part that `cropBackdrop` cuts out of
 * the answer, and the engine paints on beyond it.
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
    // A wall that goes on; a mirror image could show the product a second time.
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
  const channels = form === 'grey' ? 1 : 4;
  const data = Buffer.alloc(frame.width * frame.height * channels);
  for (let y = 0, p = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++, p += channels) {
      const [u, v] = [x - margins.left, y - margins.top];
      const within = u >= 0 && u < inside.width && v >= 0;
      const grey = within ? kept[v * inside.width + u]! : WHITE;
      data[p] = grey;
      if (form === 'grey') continue;
      data[p + 1] = data[p + 2] = grey;
      data[p + 3] = 255 - grey;
    }
  }
  const mask = sharp(data, { raw: { ...frame, channels } });
  return new Uint8Array(
    await mask
      .toColourspace(form === 'grey' ? 'b-w' : 'srgb')
      .png(png)
      .toBuffer(),
  );
}
