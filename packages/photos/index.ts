/** The photos' door: bytes to pixels, safely, and back. */
export { encodePhoto } from './src/encode-photo.ts';
export { type ImageLimits, limitsOfStored, ofAnySize } from './src/image-limits.ts';
export { type AlphaWish, alphaWishes } from './src/photo-alpha.ts';
export { type PhotoTags, readPhotoTags } from './src/photo-tags.ts';
export { dropDensity } from './src/png-density.ts';
export {
  decoded,
  type ImageFacts,
  type ImageFormat,
  inspectImage,
  readHeader,
  readImage,
  type Source,
} from './src/read-image.ts';
export { measureImage, openPixels, readImagePart } from './src/read-image-part.ts';
export { imageFormats, sniffFormat } from './src/sniff-format.ts';
export { tagPicture, xmpPacket } from './src/write-photo-tags.ts';
