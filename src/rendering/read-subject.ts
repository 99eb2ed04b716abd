/** Step: reads the subject from the stored cutout and rotates it on request. */

import type { Box, RgbaImage } from 'packshot-pixels';
import sharp from 'sharp';
import { resample } from './resample.ts';
import { rotateSubject } from './rotate-subject.ts';

export interface SubjectRequest {
  /** RGBA with straight alpha, at the photo's size. */
  readonly cutoutPng: Buffer;
  /** Bounding box of the subject, in pixels of the cutout. */
  readonly boundingBox: Box;
  /** Clockwise, in degrees; default 0. */
  readonly rotateDeg?: number | undefined;
  /** Longer side of the target canvas, in pixels. */
  readonly longEdgePx: number;
}

/**
 * Maximum of a subject's longer side before a rotation, divided by the canvas's longer side. A larger subject is shrunk
 * first, because more pixels would only cost time.
 */
const ROTATED_CANVASES = 1.5;

/** Returns the subject cropped to its bounding box. After a rotation, this is the box of the rotated subject. */
export async function readSubject(request: SubjectRequest): Promise<RgbaImage> {
  const { cutoutPng, boundingBox: box, rotateDeg = 0, longEdgePx } = request;
  const data = await sharp(cutoutPng, { failOn: 'error', limitInputPixels: false })
    .extract({ left: box.x, top: box.y, width: box.width, height: box.height })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer();
  const subject = { width: box.width, height: box.height, data };
  if (rotateDeg === 0) return subject;
  const shrink = Math.min(1, (ROTATED_CANVASES * longEdgePx) / Math.max(box.width, box.height));
  const side = (px: number): number => Math.max(1, Math.round(px * shrink));
  return rotateSubject(
    shrink < 1 ? resample(subject, side(box.width), side(box.height)) : subject,
    rotateDeg,
  );
}
