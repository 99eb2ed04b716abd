/** Reads the few tags that may be copied from a photo to its pictures. */
import { EXIF_DIRECTORY, type ExifBlock, listEntries, openExif } from './exif.ts';
import type { ImageLimits } from './image-limits.ts';
import { readHeader } from './read-image.ts';

type TextTag = 'make' | 'model' | 'dateTaken' | 'artist' | 'copyright' | 'description';

export interface PhotoTags
  /** Single-line texts: trimmed, without control characters, not empty, at most 1,000 characters. */
  extends Partial<Record<TextTag, string>> {
  /** Pixels per inch. */
  dpi?: number;
}

/** 72 dpi means that the resolution is unknown (Exif 3.0, XResolution). */
export const UNKNOWN_DPI = 72;

const MAX_CHARACTERS = 1_000;
/** A UTF-8 character takes up to four bytes. */
const MAX_BYTES = 4 * MAX_CHARACTERS;
/** Entry types of text: ASCII, and UTF-8 as of Exif 3.0. */
const textTypes = [2, 129];
const imageTags: ReadonlyMap<number, TextTag> = new Map([
  [0x010e, 'description'],
  [0x010f, 'make'],
  [0x0110, 'model'],
  [0x013b, 'artist'],
  [0x8298, 'copyright'],
]);
/** DateTimeOriginal. */
const exifTags: ReadonlyMap<number, TextTag> = new Map([[0x9003, 'dateTaken']]);

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
  const { exif, density } = await readHeader(bytes, limits);
  const tags = { ...(exif && parseExif(exif)), ...(density && density !== UNKNOWN_DPI && { dpi: density }) };
  return Object.keys(tags).length > 0 ? tags : null;
}

/** Returns the readable tags; damaged tags are omitted. `exif` may begin with `Exif\0\0`. */
export function parseExif(exif: Buffer): PhotoTags {
  const file = openExif(exif);
  if (!file) return {};
  const image = readDirectory(file, file.firstDirectory, imageTags);
  const more = image.exifAt === undefined ? undefined : readDirectory(file, image.exifAt, exifTags);
  return { ...image.tags, ...more?.tags };
}

function readDirectory(file: ExifBlock, from: number, wanted: ReadonlyMap<number, TextTag>) {
  const { block, u32 } = file;
  const tags: PhotoTags = {};
  let exifAt: number | undefined;
  for (const { tag, type, length, at } of listEntries(file, from)) {
    if (tag === EXIF_DIRECTORY) exifAt ??= u32(at);
    const name = wanted.get(tag);
    if (name === undefined || tags[name] !== undefined || !textTypes.includes(type)) continue;
    // Values of up to four bytes are stored in the entry itself.
    const textAt = length <= 4 ? at : u32(at);
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
