/** Reads cutouts, mattes and photos as the arrays that `metrics.ts` compares. */
import sharp from 'sharp';
import type { Picture } from './metrics.ts';

export async function readGray(file: string | Uint8Array) {
  const { data, info } = await sharp(file)
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, alpha: new Uint8Array(data) };
}

export async function readRgb(file: string): Promise<Uint8Array> {
  return sharp(file).toColourspace('srgb').removeAlpha().raw({ depth: 'uchar' }).toBuffer();
}

export async function readPicture(png: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(png)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const alpha = new Uint8Array(info.width * info.height);
  const foreground = new Uint8Array(alpha.length * 3);
  for (let i = 0; i < alpha.length; i++) {
    alpha[i] = data[i * 4 + 3]!;
    for (let c = 0; c < 3; c++) foreground[i * 3 + c] = data[i * 4 + c]!;
  }
  return { width: info.width, height: info.height, alpha, foreground };
}
