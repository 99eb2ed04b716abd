/** Step: pixels to the bytes of a WebP, JPEG, PNG or AVIF file, without any metadata. */
import sharp from 'sharp';
import type { RgbaImage, RgbImage } from '../pixels.ts';
import type { RenderTarget } from './render-target.ts';

export type Picture = ({ readonly channels: 3 } & RgbImage) | ({ readonly channels: 4 } & RgbaImage);

export async function encodePicture(picture: Picture, { format, name, quality }: RenderTarget): Promise<Buffer> {
  const { width, height, channels } = picture;
  const pixels = sharp(picture.data, { raw: { width, height, channels } });
  switch (format) {
    case 'jpeg':
      return pixels
        .jpeg({
          quality,
          chromaSubsampling: '4:4:4',
          progressive: name === 'generated',
          optimiseCoding: true,
          trellisQuantisation: name === 'generated',
          overshootDeringing: true,
          optimiseScans: false,
          quantisationTable: 3,
          force: true,
        })
        .toBuffer();
    case 'webp':
      return pixels
        .webp({
          quality,
          alphaQuality: 100,
          lossless: false,
          nearLossless: false,
          smartSubsample: true,
          smartDeblock: false,
          preset: 'default',
          effort: name === 'preview' ? 3 : 4,
          force: true,
        })
        .toBuffer();
    case 'png':
      return pixels
        .png({ compressionLevel: 6, adaptiveFiltering: true, palette: false, progressive: false, force: true })
        .toBuffer();
    case 'avif':
      return pixels
        .avif({ quality, lossless: false, effort: name === 'preview' ? 2 : 3, chromaSubsampling: '4:4:4', bitdepth: 8 })
        .toBuffer();
  }
}
