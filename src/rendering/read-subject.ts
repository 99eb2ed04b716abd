/** Step: the subject alone, out of the stored cutout, turned where the caller asks for it. */
import sharp from 'sharp';
import type { Box, RgbaImage } from '../pixels.ts';
import { resample } from './resample.ts';
import { rotateSubject } from './rotate-subject.ts';

export interface SubjectRequest {
  /** RGBA with straight alpha, at the photo's size. */
  readonly cutoutPng: Buffer;
  /** Where the subject is in the cutout. */
  readonly boundingBox: Box;
  /** Clockwise; 0 where left out. */
  readonly rotateDeg?: number | undefined;
  /** The longer side of the canvas that the subject is for, in pixels. */
  readonly longEdgePx: number;
}

/** A subject larger than this many canvases is shrunk before it is rotated: more pixels would cost time and show nowhere. */
const ROTATED_CANVASES = 1.5;

/** Cut to its box; a rotated one has a box of its own. */
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
