/** What of a photo is cut: its region of interest, at the size of the picture that is wanted and no larger. */
import type { ImageLimits } from '../designs/read-image.ts';
import { measureImage, readImagePart } from '../designs/read-image-part.ts';
import type { Box } from '../pixels.ts';
import type { Region } from './order.ts';
import { fitSize, type RegionFault, resolveRegion, type Size, scaleBox } from './sizes.ts';

export interface PreparePhoto {
  readonly bytes: Uint8Array;
  readonly limits: ImageLimits;
  readonly roi: Region | undefined;
  readonly mostPixels: number;
}

export interface PreparedPhoto {
  /** Of the upright photo. */
  readonly photo: Size;
  /** Of the picture that will be made of it. */
  readonly canvas: Size;
  /** What of the picture is cut, in its pixels. */
  readonly region: Box;
  /** Undefined where the photo is to be taken as it is. */
  readonly bytes: Uint8Array | undefined;
}

/** Throws what `readImage` throws. */
export async function preparePhoto({
  bytes,
  limits,
  roi,
  mostPixels,
}: PreparePhoto): Promise<PreparedPhoto | { readonly fault: RegionFault }> {
  const { photo } = await measureImage(bytes, limits);
  const whole = { x: 0, y: 0, ...photo };
  const wanted = roi ? resolveRegion(roi, photo, limits.minSidePx) : whole;
  if (typeof wanted === 'string') return { fault: wanted };
  const canvas = fitSize(photo, mostPixels);
  const region = scaleBox(wanted, photo, canvas);
  if (!roi && canvas.width === photo.width) return { photo, canvas, region, bytes: undefined };
  const part = {
    region: wanted,
    // Shrunk below this it would be refused as too small.
    width: Math.max(limits.minSidePx, region.width),
    height: Math.max(limits.minSidePx, region.height),
  };
  return { photo, canvas, region, bytes: await readImagePart(bytes, limits, part) };
}
