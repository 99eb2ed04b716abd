/** The allowed size of a picture, before and after decoding. */
import { PackshotError } from 'packshot-errors';
import type { Size } from 'packshot-pixels';
import type { ImageFormat } from './sniff-format.ts';

export interface ImageLimits {
  readonly maxBytes: number;
  readonly maxPixels: number;
  /**
   * Separate limit for AVIF. Decoding AVIF needs about 20 bytes of memory per pixel, three times as much as other
   * formats.
   */
  readonly maxAvifPixels: number;
  readonly minSidePx: number;
  readonly maxSidePx: number;
}

/**
 * Limits for a stored photo, which was checked against the service's limits when it arrived. They admit all that
 * `MAX_MEGAPIXELS` may.
 */
export const limitsOfStored: ImageLimits = {
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxPixels: 500_000_000,
  maxAvifPixels: 500_000_000,
  minSidePx: 1,
  maxSidePx: 65_535,
};

/**
 * Lifts the limit on bytes, for a file that was checked before a conversion or a crop: either may have made it longer.
 */
export const ofAnySize = (limits: ImageLimits): ImageLimits => ({
  ...limits,
  maxBytes: limitsOfStored.maxBytes,
});

/** Throws `image_too_small`. */
export function checkMinSize({ width, height }: Size, limits: ImageLimits): void {
  if (Math.min(width, height) >= limits.minSidePx) return;
  throw new PackshotError(
    'image_too_small',
    `The picture is ${width}×${height} px; each side needs at least ${limits.minSidePx} px.`,
  );
}

/** Throws `image_too_large`. */
export function checkMaxSize({ width, height }: Size, limits: ImageLimits, format: ImageFormat): void {
  const maxPixels = format === 'avif' ? Math.min(limits.maxAvifPixels, limits.maxPixels) : limits.maxPixels;
  if (width * height <= maxPixels && Math.max(width, height) <= limits.maxSidePx) return;
  throw new PackshotError(
    'image_too_large',
    `The picture is ${width}×${height} px; the maximum is ${maxPixels / 1e6} megapixels and ${limits.maxSidePx} px per side.`,
  );
}
