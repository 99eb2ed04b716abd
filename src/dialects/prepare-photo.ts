/** Prepares a photo for cutting out: crops its region of interest, and scales it down to the requested size. */
import { type ImageLimits, measureImage, readImagePart } from 'packshot-photos';
import type { Box, Size } from 'packshot-pixels';
import type { Region } from './order.ts';
import { fitSize, type RegionFault, resolveRegion, scaleBox } from './sizes.ts';

export interface PreparePhoto {
  readonly bytes: Uint8Array;
  readonly limits: ImageLimits;
  readonly roi: Region | undefined;
  readonly mostPixels: number;
}

export interface PreparedPhoto {
  /** Size of the upright photo. */
  readonly photo: Size;
  /**
   * Size of the whole photo after scaling down. The call returns a picture of this size unless the caller requested
   * cropping.
   */
  readonly canvas: Size;
  /** The region whose background is removed, in pixels of `canvas`. */
  readonly region: Box;
  /** The region as a file of its own. Undefined if the photo is used unchanged. */
  readonly bytes: Uint8Array | undefined;
}

/** Throws the errors of `readImage`. */
export async function preparePhoto(
  request: PreparePhoto,
): Promise<PreparedPhoto | { readonly fault: RegionFault }> {
  const { bytes, limits, roi, mostPixels } = request;
  const photo = await measureImage(bytes, limits);
  const whole = { x: 0, y: 0, ...photo };
  const wanted = roi ? resolveRegion(roi, photo, limits.minSidePx) : whole;
  if (typeof wanted === 'string') return { fault: wanted };
  const canvas = fitSize(photo, mostPixels);
  const region = scaleBox(wanted, photo, canvas);
  if (!roi && canvas.width === photo.width) return { photo, canvas, region, bytes: undefined };
  const part = {
    region: wanted,
    // The part is then read as a photo, which would be refused if a side were shorter than `minSidePx`.
    width: Math.max(limits.minSidePx, region.width),
    height: Math.max(limits.minSidePx, region.height),
  };
  return { photo, canvas, region, bytes: await readImagePart(bytes, limits, part) };
}
