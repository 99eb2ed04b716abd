/** Converts the stored cutout to WebP, the other format that users of background removers ask for. */
import sharp from 'sharp';

/** Lossless, so that both formats hold the same picture; colors under alpha 0 are zero in both. */
export async function encodeCutoutAsWebp({ cutoutPng }: { readonly cutoutPng: Uint8Array }): Promise<Buffer> {
  return sharp(cutoutPng).webp({ lossless: true, exact: true, effort: 2 }).toBuffer();
}
