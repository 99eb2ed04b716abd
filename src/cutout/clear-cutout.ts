/** Runs in the imaging process: makes clear glass transparent in a stored cutout. */
import sharp from 'sharp';
import { limitsOfStored } from '../designs/image-limits.ts';
import { readImage } from '../designs/read-image.ts';
import type { SubjectFacts } from '../designs/subject.ts';
import { PackshotError } from '../errors.ts';
import type { Box, Matte, RgbImage } from '../pixels.ts';
import { clearGlass, locateGlass, type PlacedGlass } from './steps/clear-glass.ts';
import { encodePng } from './steps/encode-cutout.ts';
import { resampleRegion } from './steps/enlarge-matte.ts';
import { findGlass, mayHoldGlass } from './steps/find-glass.ts';
import { findMatteBounds } from './steps/matte-bounds.ts';
import { cropPhoto, fitInto } from './steps/shrink-photo.ts';

/**
 * Longer side of the copy in which glass is searched for, in pixels. The copy shows the subject with a margin. At this
 * size, eyeglass rims are still two pixels wide.
 */
const SIDE_PX = 640;
/**
 * Longer side of an even smaller copy, in pixels. At a tenth of the cost of a full search, it shows whether
 * that search is worthwhile.
 */
const GUESS_SIDE_PX = 160;
/** Margin around the subject's box, as a fraction of the box's sides. The backdrop is estimated from it. */
const MARGIN_SHARE = 0.15;
/** The subject's bounding box contains all pixels with at least this alpha. */
const BOX_ALPHA = 8;

/**
 * Returns the cutout with transparent glass; unchanged if the photo shows no glass, or has its own transparency.
 * `bytes` is the photo's file. The cutout has the same size in pixels as the photo.
 */
export async function clearCutout(input: {
  readonly bytes: Uint8Array;
  readonly cutoutPng: Uint8Array;
}): Promise<Buffer> {
  const unchanged = Buffer.from(input.cutoutPng);
  const photo = await readImage(input.bytes, limitsOfStored);
  if (photo.alpha !== null) return unchanged;
  const cutout = await readCutout(input.cutoutPng);
  const alpha = cutout.data.filter((_, i) => i % 4 === 3);
  const found = await lookForGlass(photo, { width: cutout.width, height: cutout.height, data: alpha });
  if (found === null) return unchanged;
  clearGlass(cutout, photo, found);
  return encodePng(cutout);
}

/** Subject facts, plus an issue if the old backdrop shows through glass. */
export async function tellGlass(subject: SubjectFacts, photo: RgbImage, matte: Matte): Promise<SubjectFacts> {
  const found = await lookForGlass(photo, matte);
  if (found === null) return subject;
  const detail =
    'The old background shows through clear glass here. With mutations.edge.glass set to "auto", the new backdrop shows through instead.';
  return {
    ...subject,
    issues: [...subject.issues, { code: 'see_through', detail, box: locateGlass(found) }],
  };
}

async function lookForGlass(photo: RgbImage, matte: Matte): Promise<PlacedGlass | null> {
  const box = findMatteBounds(matte, BOX_ALPHA);
  if (box === null) return null;
  const marginX = Math.ceil(box.width * MARGIN_SHARE);
  const marginY = Math.ceil(box.height * MARGIN_SHARE);
  const x = Math.max(0, box.x - marginX);
  const y = Math.max(0, box.y - marginY);
  const window: Box = {
    x,
    y,
    width: Math.min(photo.width, box.x + box.width + marginX) - x,
    height: Math.min(photo.height, box.y + box.height + marginY) - y,
  };
  const shrink = (side: number) =>
    Promise.all([cropPhoto(photo, window, side), resampleRegion(matte, window, fitInto(window, side))]);
  if (!mayHoldGlass(...(await shrink(GUESS_SIDE_PX)))) return null;
  const glass = findGlass(...(await shrink(SIDE_PX)));
  return glass && { glass, window };
}

async function readCutout(png: Uint8Array) {
  try {
    const { data, info } = await sharp(png, { failOn: 'error', limitInputPixels: false })
      .ensureAlpha()
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data: new Uint8Array(data) };
  } catch (cause) {
    throw new PackshotError('internal', 'The stored cutout could not be read.', { cause });
  }
}
