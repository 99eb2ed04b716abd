/** Generated photos that the engine `keyer` (without a model) can cut out: a crate of one color on plain paper. */
import sharp from 'sharp';

export type Format = 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff' | 'gif';

export interface PhotoWish {
  readonly color?: string;
  readonly width?: number;
  readonly height?: number;
  readonly format?: Format;
}

const made = new Map<string, Promise<Buffer>>();

/** Makes a photo; the same options give the same photo. */
export function makePhoto({
  color = '#7a1f1f',
  width = 320,
  height = 240,
  format = 'jpeg',
}: PhotoWish = {}): Promise<Buffer> {
  const name = [color, width, height, format].join();
  const crate = {
    create: { width: width >> 1, height: height >> 1, channels: 3 as const, background: color },
  };
  const photo =
    made.get(name) ??
    sharp({ create: { width, height, channels: 3, background: '#e8e6e2' } })
      .composite([{ input: crate, left: width >> 2, top: height >> 2 }])
      .toFormat(format, { quality: 92, effort: format === 'avif' ? 0 : undefined })
      .toBuffer();
  made.set(name, photo);
  return photo;
}

export type Rgb = readonly [number, number, number];

/** `count` product colors, as distinct as possible. */
export function spreadColors(count: number): Rgb[] {
  return Array.from({ length: count }, (_, index) => {
    const hue = (index * 6) / count;
    // Two levels of brightness, so that neighbors in hue also differ in brightness.
    const high = index % 2 === 0 ? 200 : 110;
    const channel = (shift: number) => {
      const at = (hue + shift) % 6;
      return Math.round(high * Math.max(0, Math.min(1, Math.abs(at - 3) - 1)));
    };
    return [channel(0), channel(4), channel(2)] as const;
  });
}

export const toHex = (color: Rgb): string =>
  `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

/** The color in the middle of a picture, where the product is. Throws if the picture cannot be decoded. */
export async function readMiddle(picture: Uint8Array): Promise<Rgb> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = info.channels * ((info.height >> 1) * info.width + (info.width >> 1));
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

export const distance = (a: Rgb, b: Rgb): number =>
  Math.max(...a.map((value, index) => Math.abs(value - b[index]!)));
