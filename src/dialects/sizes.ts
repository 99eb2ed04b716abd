/** Maximum size of a picture: depends on the requested size class, and never exceeds the photo. */
import type { Box, Size } from 'packshot-pixels';
import type { Length, PictureOrder, Region, SizeClass } from './order.ts';

const megapixels: Readonly<Record<Exclude<SizeClass, 'auto' | 'photo'>, number>> = {
  ...{ preview: 0.25, medium: 1.5, hd: 4, full: 25, '36MP': 36, '50MP': 50 },
};
/** Limit for PNGs of the sizes `full` and `auto`. */
const pngMegapixels = 10;

/** Returns the maximum number of pixels; infinite for the photo's own size. */
export function limitPixels(order: Pick<PictureOrder, 'size' | keyof Encoding>): number {
  const { size } = order;
  if (size === 'photo') return Number.POSITIVE_INFINITY;
  const most = megapixels[size === 'auto' ? 'full' : size];
  const isWide = size === 'full' || size === 'auto';
  return 1e6 * (isWide && becomesPng(order) ? pngMegapixels : most);
}

type Encoding = Pick<PictureOrder, 'format' | 'channels' | 'background'>;

/** Whether the result is a PNG. For `auto`, this depends on transparency. */
function becomesPng({ format, channels, background }: Encoding): boolean {
  if (format !== 'auto') return format === 'png';
  if (channels === 'alpha' || !background) return true;
  return 'color' in background && background.color[3] < 255;
}

/** The largest size of the same aspect ratio within the limit. */
export function fitSize({ width, height }: Size, mostPixels: number): Size {
  const scale = Math.sqrt(mostPixels / (width * height));
  if (!(scale < 1)) return { width, height };
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

export type RegionFault = 'roi_exceeds_bounds' | 'roi_region_empty';

/** Returns whole pixels of the photo. A region thinner than `leastPx` counts as empty. */
export function resolveRegion(
  [left, top, right, bottom]: Region,
  { width, height }: Size,
  leastPx: number,
): Box | RegionFault {
  const [x0, x1] = [resolveLength(left, width), resolveLength(right, width)];
  const [y0, y1] = [resolveLength(top, height), resolveLength(bottom, height)];
  if (Math.min(x0, y0, x1, y1) < 0 || Math.max(x0, x1) > width || Math.max(y0, y1) > height)
    return 'roi_exceeds_bounds';
  const [x, y] = [Math.floor(x0), Math.floor(y0)];
  const box = { x, y, width: Math.ceil(x1) - x, height: Math.ceil(y1) - y };
  return x1 <= x0 || y1 <= y0 || Math.min(box.width, box.height) < leastPx ? 'roi_region_empty' : box;
}

export const resolveLength = (length: Length, whole: number): number =>
  'px' in length ? length.px : length.share * whole;

/** Scales a box to another size of the same picture. */
export function scaleBox(box: Box, from: Size, to: Size): Box {
  const x = Math.min(to.width - 1, Math.round((box.x * to.width) / from.width));
  const y = Math.min(to.height - 1, Math.round((box.y * to.height) / from.height));
  const right = Math.round(((box.x + box.width) * to.width) / from.width);
  const bottom = Math.round(((box.y + box.height) * to.height) / from.height);
  return {
    x,
    y,
    width: Math.max(1, Math.min(to.width, right) - x),
    height: Math.max(1, Math.min(to.height, bottom) - y),
  };
}
