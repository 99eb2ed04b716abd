/**
 * Step: runs the engine on a smaller copy of the photo in a wider frame, as if seen from further away. If an
 * object fills the photo, an engine often does not recognize it as a whole: it leaves out the middle of a
 * sofa, or one of two screens. With space around the object, the engine recognizes the whole object. Thin
 * parts are lost at this size. So the result only tells which parts belong to the product, and is never used
 * as the outline.
 */

import { PackshotError } from 'packshot-errors';
import { cutWindow, type Matte, type RgbImage } from 'packshot-pixels';
import sharp from 'sharp';
import { resizePhoto } from '../steps/shrink-photo.ts';
import type { Passes } from './run-passes.ts';

/**
 * Size of the photo, and of the space on each side of it, in a frame of 640 px. Wider and larger frames did
 * not find more.
 */
const PHOTO_SIDE_PX = 512;
const SPACE_PX = 64;
const FRAME_SIDE_PX = PHOTO_SIDE_PX + 2 * SPACE_PX;

/**
 * Returns the part of the engine's matte that covers the photo, without the space around it. The matte's aspect ratio
 * may differ from the photo's, which is scaled to a square for this pass.
 */
export async function runFarPass(photo: RgbImage, passes: Pick<Passes, 'run'>): Promise<Matte> {
  const matte = await passes.run('far', await widenPhoto(photo), 'reduced');
  const across = (pixels: number) => Math.round((pixels * matte.width) / FRAME_SIDE_PX);
  const down = (pixels: number) => Math.round((pixels * matte.height) / FRAME_SIDE_PX);
  return cutWindow(matte, {
    x: across(SPACE_PX),
    y: down(SPACE_PX),
    width: across(PHOTO_SIDE_PX),
    height: down(PHOTO_SIDE_PX),
  });
}

/** Extends the photo's outermost pixels to the frame's edge. */
async function widenPhoto(photo: RgbImage): Promise<RgbImage> {
  try {
    const {
      width,
      height,
      data: small,
    } = await resizePhoto(photo, {
      width: PHOTO_SIDE_PX,
      height: PHOTO_SIDE_PX,
    });
    const data = await sharp(small, { raw: { width, height, channels: 3 } })
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
