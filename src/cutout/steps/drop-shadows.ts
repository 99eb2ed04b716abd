/**
 * Step: excludes cast shadows from the parts that coarse passes add to a matte. At a coarse resolution, a
 * ball and its black shadow on the ground look like one object. A shadow touches the product, reaches below
 * it, is much darker than the ground around it, and has no detail. A plain dark foot of a product meets the
 * same conditions, so it is not added.
 */
import sharp from 'sharp';
import { PackshotError } from '../../errors.ts';
import { findParts } from '../../pixels/connected-parts.ts';
import { type Matte, type RgbImage, SUBJECT } from '../../pixels.ts';

/**
 * Minimum reach of a shadow below the product, as a fraction of the photo's height. It is larger than the
 * usual error at the edge of a foot.
 */
const BELOW_SHARE = 0.03;
/**
 * Maximum mean gray of a shadow, as a fraction of the mean gray of the ground; and the maximum standard deviation of
 * its grays. Grays are 8-bit sRGB.
 */
const MOST_LIGHT = 0.5;
const MOST_VARIATION = 14;
/**
 * Distance from each pixel of a part at which its surroundings are sampled, in pixels. It is so large that the samples
 * beside a part lie beyond the part's blurred edge.
 */
const AROUND_PX = 14;

/**
 * Clears each part that is a shadow, and returns whether any part is left. `light` is the result of `readLight`.
 * `parts` has the size of `matte`, and is 1 inside the parts.
 */
export function dropShadows(light: Uint8Array, matte: Matte, parts: Uint8Array): boolean {
  const { width, height } = matte;
  const lowest = matte.data.findLastIndex((alpha) => alpha >= SUBJECT);
  const floor = Math.floor(lowest / width) + BELOW_SHARE * height;
  const found = findParts({ width, height, data: parts }, { min: 1, max: 1, neighbours: 8 });
  let isAnyLeft = false;
  for (const { start, end } of found.parts) {
    const pixels = found.order.subarray(start, end);
    const bottom = pixels.reduce((most, at) => Math.max(most, Math.floor(at / width)), 0);
    if (bottom <= floor || !isShadow(pixels, { light, matte, parts })) isAnyLeft = true;
    else for (const at of pixels) parts[at] = 0;
  }
  return isAnyLeft;
}

interface Scene {
  readonly light: Uint8Array;
  readonly matte: Matte;
  readonly parts: Uint8Array;
}

function isShadow(pixels: Int32Array, { light, matte: { width, data }, parts }: Scene): boolean {
  let [sum, squares, ground, groundCount] = [0, 0, 0, 0];
  let touches = false;
  for (const at of pixels) {
    const own = light[at]!;
    sum += own;
    squares += own * own;
    for (const away of [-AROUND_PX, AROUND_PX, -AROUND_PX * width, AROUND_PX * width]) {
      const there = at + away;
      if (data[there]! >= SUBJECT) touches = true;
      else if (parts[there] === 0) {
        ground += light[there]!;
        groundCount++;
      }
    }
  }
  const mean = sum / pixels.length;
  const variation = Math.sqrt(Math.max(0, squares / pixels.length - mean * mean));
  if (!touches || groundCount === 0) return false;
  return mean < (MOST_LIGHT * ground) / groundCount && variation < MOST_VARIATION;
}

/** Returns the photo's gray values at the size of the matte. */
export async function readLight({ data, width, height }: RgbImage, size: Matte): Promise<Uint8Array> {
  try {
    return await sharp(data, { raw: { width, height, channels: 3 } })
      .resize({ width: size.width, height: size.height, fit: 'fill', fastShrinkOnLoad: false })
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer();
  } catch (error) {
    throw new PackshotError('internal', 'The photo could not be brought to a smaller size.', {
      cause: error,
    });
  }
}
