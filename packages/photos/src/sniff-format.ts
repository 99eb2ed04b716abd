/** Detects a file's format from its first bytes; ignores file names and declared types. */
import { PackshotError } from 'packshot-errors';

export const imageFormats = ['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif', 'heic'] as const;
export type ImageFormat = (typeof imageFormats)[number];

/** Advice for callers of services whose operator has switched HEIC off. */
export const heicAdvice =
  'HEIC files are not supported here. On an iPhone choose Settings, Camera, Formats, Most Compatible, or convert the file to JPEG.';

/** Maximum bytes searched for markup. The markup may follow a long comment (licenses in SVG reach 10 kB). */
const MARKUP_BYTES = 65_536;

interface Head {
  readonly hex: (from: number, to: number) => string;
  readonly text: (from: number, to: number) => string;
  /** Major and compatible brands of an ISO media file, each of four letters; empty for other files. */
  readonly brands: readonly string[];
  /** Name of the first element of an XML or HTML text, in lower case; empty if the file is not markup. */
  readonly rootElement: string;
}

/** Unsupported formats that people do upload; each has its own message. The first match wins. */
const refused: readonly { readonly advice: string; readonly test: (head: Head) => boolean }[] = [
  {
    advice: 'Camera raw files are not supported. Develop the photo and save it as JPEG or TIFF.',
    // Canon CR3, Fujifilm RAF, Panasonic RW2, Olympus ORF. `screens/tiff` detects raw formats based on TIFF, by their
    // tags.
    test: ({ brands, text }) =>
      brands[0] === 'crx ' || /^(FUJIFILMCCD-RAW|IIU\0|IIR[OS]|MMOR)/.test(text(0, 15)),
  },
  {
    advice: 'MP4 and MOV videos are not supported. Send a photo.',
    // QuickTime files from before the box `ftyp` was introduced begin with one of these boxes.
    test: ({ brands, text }) => brands.length > 0 || /^(moov|mdat|wide)$/.test(text(4, 8)),
  },
  { advice: 'WebM videos are not supported. Send a photo.', test: ({ hex }) => hex(0, 4) === '1a45dfa3' },
  {
    advice: 'PDF files are not supported. Export the page as JPEG or PNG.',
    test: ({ text }) => text(0, 1024).includes('%PDF-'),
  },
  {
    advice: 'SVG files are not supported. Export the drawing as PNG.',
    test: ({ rootElement }) => /^(\w+:)?svg$/.test(rootElement),
  },
  {
    advice: 'The file is an HTML page. Send the picture itself, or the URL of the picture in the page.',
    test: ({ rootElement }) => /^(html|head|body|script|meta|title|div|!doctype html)$/.test(rootElement),
  },
  {
    advice: 'JPEG XL files are not supported. Convert the file to JPEG.',
    test: ({ hex }) => /^(ff0a|0000000c4a584c20)/.test(hex(0, 8)),
  },
  {
    advice: 'JPEG 2000 files are not supported. Convert the file to JPEG.',
    test: ({ hex }) => hex(0, 8) === '0000000c6a502020' || hex(0, 4) === 'ff4fff51',
  },
  {
    advice: 'BMP files are not supported. Convert the file to PNG.',
    // Many texts begin with `BM`, so also check that the four reserved bytes are zero and that the second header has a
    // known size.
    test: ({ text, hex }) =>
      text(0, 2) === 'BM' &&
      hex(6, 10) === '00000000' &&
      /^(0c|10|28|34|38|40|6c|7c)000000$/.test(hex(14, 18)),
  },
  {
    advice: 'Icon files are not supported. Convert the file to PNG.',
    test: ({ hex }) => hex(0, 4) === '00000100',
  },
  {
    advice: 'PSD files are not supported. Export the picture as PNG.',
    test: ({ text }) => text(0, 4) === '8BPS',
  },
  {
    advice: 'ZIP and gzip archives are not supported. Unpack the archive and send the picture.',
    test: ({ hex }) => /^(504b0304|1f8b08)/.test(hex(0, 4)),
  },
];

/** Throws `unsupported_image_format`, with the format's name if it is known. */
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
  const brands = readBrands(start);
  if (brands.includes('avif') || brands.includes('avis')) return 'avif';
  if (brands.some((brand) => /^(hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand))) return 'heic';

  const head = { hex, text, brands, rootElement: findRootElement(bytes) };
  const known = refused.find(({ test }) => test(head));
  throw new PackshotError(
    'unsupported_image_format',
    known?.advice ?? 'The file is not JPEG, PNG, WebP, AVIF, TIFF, GIF or HEIC.',
  );
}

/** Box `ftyp`: size, type, major brand, version, then compatible brands to the box's end (ISO 14496-12, 4.3). */
function readBrands(start: Buffer): string[] {
  if (start.length < 12 || start.toString('latin1', 4, 8) !== 'ftyp') return [];
  const end = Math.min(start.readUInt32BE(0), start.length);
  const brands = [start.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(start.toString('latin1', at, at + 4));
  return brands;
}

function findRootElement(bytes: Uint8Array): string {
  const start = bytes.subarray(0, MARKUP_BYTES);
  const encodings: Record<string, string> = { fffe: 'utf-16le', feff: 'utf-16be' };
  const encoding = encodings[Buffer.from(start.subarray(0, 2)).toString('hex')] ?? 'utf-8';
  // TextDecoder also removes the byte order mark.
  let rest = new TextDecoder(encoding).decode(start).trimStart();
  // Each iteration removes a comment, a processing instruction or a part of a `<!DOCTYPE …>`, or ends the loop. So the
  // time is linear in the length of the text. A DOCTYPE has several parts if it declares entities, as Illustrator's do.
  for (;;) {
    if (/^<!doctype\s+html\b/i.test(rest)) return '!doctype html';
    const close = rest.startsWith('<!--') ? '-->' : /^(<[?!]|\])/.test(rest) ? '>' : undefined;
    if (!close) break;
    const end = rest.indexOf(close);
    if (end < 0) return '';
    rest = rest.slice(end + close.length).trimStart();
  }
  return (/^<([a-z][\w:]*)[\s/>]/i.exec(rest.slice(0, 64))?.[1] ?? '').toLowerCase();
}
