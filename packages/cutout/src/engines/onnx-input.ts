/** Chooses the size of a network's input for a photo. */
import type { Size } from 'packshot-pixels';
import type { ModelDescription } from './onnx-description.ts';

/**
 * The input size for a photo of size `source`, in pixels. For a dynamic input, it is the photo's own size, scaled at
 * the same aspect ratio if that size is outside the limits. Each side is then rounded to the nearest multiple of
 * `multipleOf`, and limited to `min` and `max`, so very long photos lose their aspect ratio.
 */
export function chooseInputSize({ width, height, dynamic }: ModelDescription['input'], source: Size): Size {
  if (!dynamic) return { width: width!, height: height! };
  const { multipleOf, min, max, maxPixels = max * max } = dynamic;
  const long = Math.max(source.width, source.height);
  const short = Math.min(source.width, source.height);
  const shrunk = Math.min(1, max / long, Math.sqrt(maxPixels / (long * short)));
  const scale = Math.max(shrunk, min / short);
  const toMultiple = (side: number) =>
    Math.min(max, Math.max(min, Math.round((side * scale) / multipleOf) * multipleOf));
  const size = { width: toMultiple(source.width), height: toMultiple(source.height) };
  // Rounding up may have exceeded `maxPixels` by one step.
  const excess = size.width * size.height > maxPixels;
  const longer = size.width >= size.height ? 'width' : 'height';
  return excess ? { ...size, [longer]: Math.max(min, size[longer] - multipleOf) } : size;
}
