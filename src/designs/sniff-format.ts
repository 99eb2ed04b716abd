/** Tells what a file is from its first bytes; names and declared types are not believed. */
import { PackshotError } from '../errors.ts';

export const imageFormats = ['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif'] as const;
export type ImageFormat = (typeof imageFormats)[number];

/** Formats that people do send and that get an answer by name. */
const refused: readonly {
  readonly name: string;
  readonly advice: string;
  readonly test: (head: Head) => boolean;
}[] = [
  {
    name: 'HEIC',
    advice: 'On an iPhone choose Settings, Camera, Formats, Most Compatible, or convert it to JPEG.',
    test: ({ text }) => text(4, 8) === 'ftyp' && /heic|heix|heim|heis|hevc|hevx|mif1|msf1/.test(text(8, 40)),
  },
  {
    name: 'PDF',
    advice: 'Export the page as JPEG or PNG.',
    test: ({ text }) => text(0, 1024).includes('%PDF-'),
  },
  { name: 'SVG', advice: 'Export it as PNG.', test: ({ text }) => /<svg[\s>]/i.test(text(0, 1024)) },
  {
    name: 'JPEG XL',
    advice: 'Convert it to JPEG.',
    test: ({ hex }) => /^(ff0a|0000000c4a584c20)/.test(hex(0, 8)),
  },
  { name: 'JPEG 2000', advice: 'Convert it to JPEG.', test: ({ hex }) => hex(0, 8) === '0000000c6a502020' },
  { name: 'BMP', advice: 'Convert it to PNG.', test: ({ text }) => text(0, 2) === 'BM' },
  { name: 'PSD', advice: 'Export it as PNG.', test: ({ text }) => text(0, 4) === '8BPS' },
];

interface Head {
  readonly hex: (from: number, to: number) => string;
  readonly text: (from: number, to: number) => string;
}

/** Throws `unsupported_image_format`, naming the format where it is known. */
export function sniffFormat(bytes: Uint8Array): ImageFormat {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024));
  const hex = (from: number, to: number) => start.toString('hex', from, to);
  const text = (from: number, to: number) => start.toString('latin1', from, to);

  if (hex(0, 3) === 'ffd8ff') return 'jpeg';
  if (hex(0, 8) === '89504e470d0a1a0a') return 'png';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp';
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'gif';
  // Classic TIFF in both byte orders, and BigTIFF (version 43).
  if (/^(49492a00|4d4d002a|49492b00|4d4d002b)$/.test(hex(0, 4))) return 'tiff';
  if (text(4, 8) === 'ftyp' && /avif|avis/.test(text(8, 40))) return 'avif';

  const known = refused.find(({ test }) => test({ hex, text }));
  throw new PackshotError(
    'unsupported_image_format',
    known
      ? `${known.name} files are not read here. ${known.advice}`
      : 'The file is none of JPEG, PNG, WebP, AVIF, TIFF and GIF.',
  );
}
