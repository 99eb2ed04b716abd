/**
 * Step: looks at the photo from further away, smaller and in a wider frame.
 *
 * What fills the photo, an engine often does not see as one thing: a sofa without its middle, one screen of two. With
 * space around it, it does. Thin parts are lost at this size, so this is an opinion about what belongs to the product,
 * and never its outline.
 */
import sharp from 'sharp';
import { PackshotError } from '../../errors.ts';
import type { Matte, RgbImage } from '../../pixels.ts';
import { cutWindow } from './second-look.ts';

/** The photo, and the space on each side of it, in a frame of 768 px: wider and larger ones saw no more. */
const PHOTO_SIDE_PX = 512;
const SPACE_PX = 128;
const FRAME_SIDE_PX = PHOTO_SIDE_PX + 2 * SPACE_PX;

type Look = (photo: RgbImage) => Promise<Matte>;

/** The matte covers the photo alone, in a square of at least 16 px. */
export async function lookFromAfar(photo: RgbImage, look: Look): Promise<Matte> {
  const matte = await look(await widenPhoto(photo));
  const across = (pixels: number) => Math.round((pixels * matte.width) / FRAME_SIDE_PX);
  const down = (pixels: number) => Math.round((pixels * matte.height) / FRAME_SIDE_PX);
  return cutWindow(matte, {
    x: across(SPACE_PX),
    y: down(SPACE_PX),
    width: across(PHOTO_SIDE_PX),
    height: down(PHOTO_SIDE_PX),
  });
}

/** The photo's outermost pixels go on to the frame's edge. */
async function widenPhoto(photo: RgbImage): Promise<RgbImage> {
  try {
    const raw = (side: number) => ({ raw: { width: side, height: side, channels: 3 as const } });
    const small = await sharp(photo.data, { raw: { width: photo.width, height: photo.height, channels: 3 } })
      .resize({
        width: PHOTO_SIDE_PX,
        height: PHOTO_SIDE_PX,
        fit: 'fill',
        kernel: 'lanczos3',
        fastShrinkOnLoad: false,
      })
      .raw({ depth: 'uchar' })
      .toBuffer();
    const data = await sharp(small, raw(PHOTO_SIDE_PX))
      .extend({ top: SPACE_PX, bottom: SPACE_PX, left: SPACE_PX, right: SPACE_PX, extendWith: 'copy' })
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { width: FRAME_SIDE_PX, height: FRAME_SIDE_PX, data };
  } catch (error) {
    throw new PackshotError('internal', 'The photo could not be brought to a smaller size.', {
      cause: error,
    });
  }
}
