/**
 * Reads, from untrusted EXIF (CIPA DC-008, Exif 3.0), the few tags that may be copied from a photo to its pictures.
 *
 * General EXIF readers load every value that a file claims to have. For a 64 kB file whose entries all point to the
 * same bytes, one such reader took 9 s and 1.3 GB. This reader looks up six tags, so its cost does not depend on the
 * other entries.
 */
import type { ImageLimits } from './image-limits.ts';
import { readHeader } from './read-image.ts';

/** Single-line texts: trimmed, without control characters, not empty, at most 1,000 characters. */
export type PhotoTags = Partial<
  Record<'make' | 'model' | 'dateTaken' | 'artist' | 'copyright' | 'description', string>
>;

const MAX_CHARACTERS = 1_000;
/** A UTF-8 character takes up to four bytes. */
const MAX_BYTES = 4 * MAX_CHARACTERS;
/** Maximum entries read from a directory. Cameras write up to 80. */
const MAX_ENTRIES = 512;

/** The TIFF header: `II` or `MM`, 42, and the offset of the first directory (TIFF 6.0, section 2). */
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

/** Entry types of text: ASCII, and UTF-8 as of Exif 3.0. */
const textTypes = [2, 129];
const EXIF_DIRECTORY = 0x8769;
const imageTags: ReadonlyMap<number, keyof PhotoTags> = new Map([
  [0x010e, 'description'],
  [0x010f, 'make'],
  [0x0110, 'model'],
  [0x013b, 'artist'],
  [0x8298, 'copyright'],
]);
/** DateTimeOriginal. */
const exifTags: ReadonlyMap<number, keyof PhotoTags> = new Map([[0x9003, 'dateTaken']]);

/**
 * Returns null if the photo has none of the tags. Throws the errors of `readHeader`; invalid EXIF is never an error.
 */
export async function readPhotoTags({
  bytes,
  limits,
}: {
  readonly bytes: Uint8Array;
  readonly limits: ImageLimits;
}): Promise<PhotoTags | null> {
  const { exif } = await readHeader(bytes, limits);
  const tags = exif ? parseExif(exif) : {};
  return Object.keys(tags).length > 0 ? tags : null;
}

/** Returns the readable tags; damaged tags are omitted. `exif` may begin with `Exif\0\0`. */
export function parseExif(exif: Buffer): PhotoTags {
  const block = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
  const order = block.toString('latin1', 0, 2);
  if (block.length < HEADER_BYTES || (order !== 'II' && order !== 'MM')) return {};
  const file = open(block, order === 'II');
  const image = readDirectory(file, file.u32(4), imageTags);
  const more = image.exifAt === undefined ? undefined : readDirectory(file, image.exifAt, exifTags);
  return { ...image.tags, ...more?.tags };
}

type ExifBlock = ReturnType<typeof open>;

function open(block: Buffer, little: boolean) {
  return {
    block,
    u16: (at: number) => (little ? block.readUInt16LE(at) : block.readUInt16BE(at)),
    u32: (at: number) => (little ? block.readUInt32LE(at) : block.readUInt32BE(at)),
  };
}

function readDirectory(file: ExifBlock, from: number, wanted: ReadonlyMap<number, keyof PhotoTags>) {
  const { block, u16, u32 } = file;
  const tags: PhotoTags = {};
  let exifAt: number | undefined;
  if (from + 2 > block.length) return { tags, exifAt };
  const count = Math.min(u16(from), MAX_ENTRIES);
  for (let i = 0, at = from + 2; i < count && at + ENTRY_BYTES <= block.length; i++, at += ENTRY_BYTES) {
    const tag = u16(at);
    if (tag === EXIF_DIRECTORY) exifAt ??= u32(at + 8);
    const name = wanted.get(tag);
    if (name === undefined || tags[name] !== undefined || !textTypes.includes(u16(at + 2))) continue;
    const length = u32(at + 4);
    // Values of up to four bytes are stored in the entry itself.
    const textAt = length <= 4 ? at + 8 : u32(at + 8);
    if (textAt + length > block.length) continue;
    const bytes = block.subarray(textAt, textAt + Math.min(length, MAX_BYTES));
    const text = name === 'dateTaken' ? readDate(bytes) : readText(bytes, name === 'copyright' ? 2 : 1);
    if (text !== undefined) tags[name] = text;
  }
  return { tags, exifAt };
}

/**
 * Cameras write UTF-8 or their own code page, although the standard requires ASCII. A null byte ends each part of a
 * text. `Copyright` has two parts, the photographer's and the editor's. Bytes after the last part may belong to another
 * tag.
 */
function readText(bytes: Uint8Array, parts: number): string | undefined {
  // Truncation may leave half a character at the end; the text must still be recognized as UTF-8.
  const utf8 = new TextDecoder().decode(bytes, { stream: true });
  const text = utf8.includes('\uFFFD') ? new TextDecoder('windows-1252').decode(bytes) : utf8;
  const lines = text
    .split('\0', parts)
    .map((part) => part.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim());
  const line = lines.filter((part) => part !== '').join('; ');
  return [...line].slice(0, MAX_CHARACTERS).join('').trim() || undefined;
}

/** Returns `YYYY:MM:DD HH:MM:SS`; undefined for any other text, such as blanks or zeros if the camera has no clock. */
function readDate(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('latin1').replace(/\0+$/, '');
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(text)?.slice(1).map(Number);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  const isDay = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return isDay && hour <= 23 && minute <= 59 && second <= 60 ? text : undefined;
}
