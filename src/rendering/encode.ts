/**
 * Step: encodes pixels as WebP, JPEG, PNG or AVIF. Metadata: at most the digital source type, a note about a graded
 * product, and the target's tags.
 */

import { PackshotError } from 'packshot-errors';
import { dropDensity, type PhotoTags, tagPicture, xmpPacket } from 'packshot-photos';
import type { RgbaImage, RgbImage } from 'packshot-pixels';
import sharp, { type AvifOptions, type JpegOptions, type Sharp, type WebpOptions } from 'sharp';
import type { RenderTarget } from './render-target.ts';
import { stampLogo } from './stamp-logo.ts';
import { stampSample } from './stamp-sample.ts';

export type Picture = ({ readonly channels: 3 } & RgbImage) | ({ readonly channels: 4 } & RgbaImage);

/**
 * IPTC digital source types (NewsCodes):
 * - `composite`: combines several pictures of any origin.
 * - `compositeSynthetic`: combines a photo with something made by software.
 * - `compositeWithTrainedAlgorithmicMedia`: combines a photo with something made by a trained model.
 * - `algorithmicMedia`: made by an algorithm alone, without using other pictures.
 */
export type DigitalSourceType =
  | 'composite'
  | 'compositeSynthetic'
  | 'compositeWithTrainedAlgorithmicMedia'
  | 'algorithmicMedia';

/**
 * With `isGraded`, the XMP states that the product's own pixels were changed to match the light of a scene; requires
 * `madeBy`.
 */
export async function encodePicture(
  picture: Picture,
  target: RenderTarget,
  madeBy?: DigitalSourceType,
  isGraded = false,
): Promise<Buffer> {
  if (target.logo) await stampLogo(picture, target.logo);
  if (target.sample) stampSample(picture);
  const { width, height, channels } = picture;
  const plain = sharp(picture.data, { raw: { width, height, channels } });
  const pixels = addMetadata(plain, target.tags, madeBy && describeSource(madeBy, isGraded));
  return encodeWithin(target, (quality) => encodeAs(pixels, { ...target, quality }));
}

/** Below this quality, edges look bad in every format; a smaller picture looks better. */
const LEAST_QUALITY = 40;
/** The highest quality that fits is found to this many steps. */
const QUALITY_STEP = 2;

/**
 * Encodes at the target's quality or, if the file needs more than its `maxBytes`, at the highest that fits. Throws
 * `invalid_field` if none does.
 */
export async function encodeWithin(
  { maxBytes = Number.POSITIVE_INFINITY, quality }: Pick<RenderTarget, 'maxBytes' | 'quality'>,
  encode: (quality: number) => Promise<Buffer> | Buffer,
): Promise<Buffer> {
  const asked = await encode(quality);
  if (asked.byteLength <= maxBytes) return asked;
  let [low, high] = [Math.min(LEAST_QUALITY, quality), quality];
  let best = await encode(low);
  if (best.byteLength > maxBytes)
    throw new PackshotError(
      'invalid_field',
      `The picture needs ${best.byteLength} bytes even at quality ${low}, more than maxBytes. Ask for a smaller longEdgePx.`,
    );
  while (high - low > QUALITY_STEP) {
    const middle = Math.round((low + high) / 2);
    const tried = await encode(middle);
    if (tried.byteLength > maxBytes) high = middle;
    else [low, best] = [middle, tried];
  }
  return best;
}

async function encodeAs(picture: Sharp, target: RenderTarget): Promise<Buffer> {
  // Each call of an encoder changes the pipeline that it is called on.
  const pixels = picture.clone();
  switch (target.format) {
    case 'jpeg':
      return pixels.jpeg(jpegOptions(target)).toBuffer();
    case 'webp':
      return pixels.webp(webpOptions(target)).toBuffer();
    case 'png': {
      const png = await pixels.png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer();
      return target.tags ? png : dropDensity(png);
    }
    case 'avif':
      return pixels.avif(avifOptions(target)).toBuffer();
  }
}

function addMetadata(picture: Sharp, tags: PhotoTags | undefined, source: string | undefined): Sharp {
  if (tags) return tagPicture(picture, tags, source);
  return source === undefined ? picture : picture.withXmp(xmpPacket(source));
}

/**
 * Uses 4:4:4: subsampled chroma would be most visible at the product's edges against a flat color. Trellis quantization
 * and progressive scans would save a third of the bytes but take four times as long.
 */
export const jpegOptions = ({ quality }: RenderTarget): JpegOptions => ({
  quality,
  chromaSubsampling: '4:4:4',
  overshootDeringing: true,
});

export const webpOptions = ({ quality, name, isQuick = false }: RenderTarget): WebpOptions => ({
  quality,
  smartSubsample: !isQuick,
  effort: isQuick ? 0 : name === 'preview' ? 3 : 4,
});

const avifOptions = ({ quality, name, isQuick = false }: RenderTarget): AvifOptions => ({
  quality,
  effort: isQuick ? 0 : name === 'preview' ? 2 : 3,
});

const gradedNote =
  "The product's exposure, white balance and shading were adjusted to the light of the scene (mutations.match: light).";

/** XMP attributes: IPTC Extension's `DigitalSourceType`; for a graded product, also a `photoshop:Instructions` note. */
const describeSource = (type: DigitalSourceType, isGraded: boolean): string =>
  ` xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/${type}"${isGraded ? ` xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Instructions="${gradedNote}"` : ''}`;
