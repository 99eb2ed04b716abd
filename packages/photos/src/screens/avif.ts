/**
 * Sanitizes AVIF: detects HEVC by the file's items, selects the still of a sequence, and detects P3 by code point (ISO
 * 14496-12, 23008-12).
 */
import { PackshotError } from 'packshot-errors';
import type { Screened } from './screen.ts';

interface FileBox {
  readonly type: string;
  /** Start of the box's contents; `to` is their end. */
  readonly from: number;
  readonly to: number;
}

/** Color primaries P3-D65; the next constant is the transfer curve of sRGB (ITU-T H.273, tables 2 and 3). */
const P3_PRIMARIES = 12;
const SRGB_TRANSFER = 13;

export function screenAvif(bytes: Uint8Array): Screened {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const meta = findBox(file, { type: 'file', from: 0, to: file.length }, 'meta');
  // A full box has four bytes of version and flags before its contents.
  const items = meta && findBox(file, { ...meta, from: meta.from + 4 }, 'iinf');
  const types = items ? itemTypes(file, items) : new Set<string>();
  if (types.has('hvc1') && !types.has('av01')) {
    throw new PackshotError(
      'unsupported_image_format',
      'The file claims to be AVIF but contains HEIC. Save it again as HEIC or JPEG.',
    );
  }
  const properties = meta && findBox(file, { ...meta, from: meta.from + 4 }, 'iprp');
  const container = properties && findBox(file, properties, 'ipco');
  if (!container) return { bytes: asStill(file, bytes) };
  return {
    bytes: asStill(file, bytes),
    claimed: largestSize(file, container),
    gamut: saysDisplayP3(file, container) ? 'Display P3' : undefined,
  };
}

function* boxesIn(file: Buffer, parent: FileBox): Generator<FileBox> {
  for (let at = parent.from; at + 8 <= parent.to; ) {
    let size = file.readUInt32BE(at);
    let head = 8;
    if (size === 1 && at + 16 <= parent.to) {
      size = Number(file.readBigUInt64BE(at + 8));
      head = 16;
    } else if (size === 0) {
      size = parent.to - at;
    }
    if (size < head || at + size > parent.to) return;
    yield { type: file.toString('latin1', at + 4, at + 8), from: at + head, to: at + size };
    at += size;
  }
}

function findBox(file: Buffer, parent: FileBox, type: string): FileBox | undefined {
  for (const box of boxesIn(file, parent)) if (box.type === type) return box;
  return undefined;
}

function itemTypes(file: Buffer, iinf: FileBox): Set<string> {
  const types = new Set<string>();
  // The number of entries takes two bytes in version 0, and four bytes in later versions.
  const from = iinf.from + (file[iinf.from] === 0 ? 6 : 8);
  for (const { type, from: at, to } of boxesIn(file, { ...iinf, from })) {
    // Item numbers have two bytes in version 2, and four in version 3. Two bytes for protection follow, then the type.
    const typeAt = at + (file[at] === 3 ? 10 : 8);
    if (type === 'infe' && typeAt + 4 <= to) types.add(file.toString('latin1', typeAt, typeAt + 4));
  }
  return types;
}

/** The decoder does not accept the brand `avis` (a sequence), although every sequence also contains a still. */
function asStill(file: Buffer, bytes: Uint8Array): Uint8Array {
  if (file.toString('latin1', 8, 12) !== 'avis') return bytes;
  const copy = Buffer.from(bytes);
  copy.write('avif', 8, 'latin1');
  return copy;
}

/** Returns the largest size in the file, which is that of the picture or its grid: tiles and alpha are not larger. */
function largestSize(file: Buffer, properties: FileBox) {
  let largest = { width: 0, height: 0 };
  for (const { type, from, to } of boxesIn(file, properties)) {
    if (type !== 'ispe' || from + 12 > to) continue;
    const size = { width: file.readUInt32BE(from + 4), height: file.readUInt32BE(from + 8) };
    if (size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

/**
 * Whether there are color boxes and all of them declare P3 by code point. The decoder itself applies ICC profiles
 * (`prof`, `rICC`).
 */
function saysDisplayP3(file: Buffer, properties: FileBox): boolean {
  let found = false;
  for (const { type, from, to } of boxesIn(file, properties)) {
    if (type !== 'colr' || from + 8 > to) continue;
    const isP3 =
      file.toString('latin1', from, from + 4) === 'nclx' &&
      file.readUInt16BE(from + 4) === P3_PRIMARIES &&
      file.readUInt16BE(from + 6) === SRGB_TRANSFER;
    if (!isP3) return false;
    found = true;
  }
  return found;
}
