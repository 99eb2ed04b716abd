/** Converts a photo to a network's input (its size and pixels), and the network's output to a matte. */

import sharp from 'sharp';
import { PackshotError } from '../../errors.ts';
import type { Box, Matte, RgbImage, Size } from '../../pixels.ts';
import type { ModelDescription } from './onnx-description.ts';
import type { FedInput, Plane } from './onnx-tensors.ts';

/** Minimum length of each side of a matte, as `RemovalEngine` requires. */
const MIN_SIDE_PX = 16;

export interface Prepared {
  readonly fed: FedInput;
  /** Interleaved RGB, of the size of `fed`. */
  readonly pixels: Uint8Array;
  /** The photo's area within the network's input. */
  readonly content: Box;
}

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

/** Scales the photo to the network's input size. Rejects with `internal` if that fails. */
export async function prepareInput(source: RgbImage, input: ModelDescription['input']): Promise<Prepared> {
  const { width, height } = chooseInputSize(input, source);
  const { dynamic: _, ...rest } = input;
  const fed: FedInput = { ...rest, width, height };
  const scale = Math.min(width / source.width, height / source.height);
  const inside =
    fed.fit === 'stretch' || input.dynamic
      ? { width, height }
      : {
          width: Math.min(width, Math.max(1, Math.round(source.width * scale))),
          height: Math.min(height, Math.max(1, Math.round(source.height * scale))),
        };
  const x = (width - inside.width) >> 1;
  const y = (height - inside.height) >> 1;
  try {
    const pixels = await sharp(source.data, {
      raw: { width: source.width, height: source.height, channels: 3 },
    })
      // `lanczos3` is anti-aliased when shrinking.
      .resize({ ...inside, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false })
      // Border pixels are repeated into the bars: bars of any other color would add an edge to the photo.
      .extend({
        left: x,
        right: width - inside.width - x,
        top: y,
        bottom: height - inside.height - y,
        extendWith: 'copy',
      })
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { fed, pixels, content: { x, y, ...inside } };
  } catch (error) {
    throw new PackshotError('internal', 'The photo could not be prepared for its cutout.', { cause: error });
  }
}

/** Crops the network's output to the area of the photo, at the output's resolution. Rejects with `internal`. */
export async function makeMatte(
  { width, height, data }: Plane,
  { fed, content }: Pick<Prepared, 'fed' | 'content'>,
): Promise<Matte> {
  const alpha = Uint8Array.from(data, (share) => Math.round(Math.min(1, Math.max(0, share)) * 255));
  const whole = content.width === fed.width && content.height === fed.height;
  if (whole && Math.min(width, height) >= MIN_SIDE_PX) return { width, height, data: alpha };
  // The output may be coarser than the input.
  const left = Math.min(width - 1, Math.round((content.x * width) / fed.width));
  const top = Math.min(height - 1, Math.round((content.y * height) / fed.height));
  const part = {
    left,
    top,
    width: Math.min(width - left, Math.max(1, Math.round((content.width * width) / fed.width))),
    height: Math.min(height - top, Math.max(1, Math.round((content.height * height) / fed.height))),
  };
  const size = { width: Math.max(MIN_SIDE_PX, part.width), height: Math.max(MIN_SIDE_PX, part.height) };
  try {
    const cut = await sharp(alpha, { raw: { width, height, channels: 1 } })
      .extract(part)
      .resize({ ...size, fit: 'fill', kernel: 'cubic', fastShrinkOnLoad: false })
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { ...size, data: cut };
  } catch (error) {
    throw new PackshotError('internal', "The model's output could not be converted to a matte.", {
      cause: error,
    });
  }
}
