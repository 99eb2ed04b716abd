/** Sanitizes TIFF: keeps one page of a chain, and detects camera raw by its tags (TIFF 6.0; BigTIFF; DNG 1.7). */
import { PackshotError } from 'packshot-errors';
import type { Screened } from './screen.ts';

// Tags by number: TIFF 6.0 section 8, TIFF supplement 1 (SubIFDs), DNG 1.7 (DNGVersion).
const NEW_SUBFILE_TYPE = 254;
const IMAGE_WIDTH = 256;
const IMAGE_LENGTH = 257;
const COMPRESSION = 259;
const PHOTOMETRIC = 262;
const SUB_IFDS = 330;
const DNG_VERSION = 50706;
const readTags = new Set([
  NEW_SUBFILE_TYPE,
  IMAGE_WIDTH,
  IMAGE_LENGTH,
  COMPRESSION,
  PHOTOMETRIC,
  SUB_IFDS,
  DNG_VERSION,
]);

/** Photometric interpretations of sensor pixels: color filter array and linear raw (DNG 1.7). */
const RAW_PHOTOMETRICS = [32803, 34892];
/** Compressions of Sony ARW and Nikon NEF (libtiff's tiff.h and exiftool's table of compressions). */
const RAW_COMPRESSIONS = [32767, 34713];

/** Maximum pages inspected to find a page that is not a thumbnail. Pyramids put the full picture first or second. */
const MAX_HOPS = 8;

interface Page {
  readonly offset: number;
  /** First value of each tag in `readTags` that the page has. */
  readonly tags: ReadonlyMap<number, number>;
  readonly next: number;
  /** Position, in the file, of the offset `next`. */
  readonly nextAt: number;
}

export function screenTiff(bytes: Uint8Array): Screened {
  if (bytes.byteLength < 16) return { bytes };
  const file = openFile(bytes);
  const first = readPage(file, file.offset(file.firstAt));
  // The file is broken from the start. The decoder will report that.
  if (!first) return { bytes };
  refuseCameraRaw(bytes, first);
  const page = findPicture(file, first);
  const width = page.tags.get(IMAGE_WIDTH) ?? 0;
  const height = page.tags.get(IMAGE_LENGTH) ?? 0;
  if (page === first && page.next === 0) return { bytes, claimed: { width, height } };
  // The decoder walks the whole chain to count the pages, which took 11 s for 200,000 pages. So cut the chain after the
  // page that is used.
  const copy = new Uint8Array(bytes);
  const single = openFile(copy);
  single.setOffset(file.firstAt, page.offset);
  single.setOffset(page.nextAt, 0);
  return { bytes: copy, claimed: { width, height } };
}

/**
 * Classic TIFF has offsets of 4 bytes and entries of 12; BigTIFF (version 43) has offsets of 8 bytes and entries of 20.
 * Both exist in either byte order.
 */
function openFile(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const big = view.getUint16(2, little) === 43;
  const u16 = (at: number) => view.getUint16(at, little);
  const u32 = (at: number) => view.getUint32(at, little);
  const offset = (at: number) => (big ? Number(view.getBigUint64(at, little)) : u32(at));
  const setOffset = (at: number, value: number) =>
    big ? view.setBigUint64(at, BigInt(value), little) : view.setUint32(at, value, little);
  return {
    u16,
    u32,
    offset,
    setOffset,
    length: bytes.byteLength,
    firstAt: big ? 8 : 4,
    offsetBytes: big ? 8 : 4,
    countBytes: big ? 8 : 2,
    count: big ? offset : u16,
    entryBytes: big ? 20 : 12,
    valueAt: big ? 12 : 8,
  };
}

function readPage(file: ReturnType<typeof openFile>, offset: number): Page | undefined {
  const entriesAt = offset + file.countBytes;
  if (offset < 8 || entriesAt > file.length) return undefined;
  const nextAt = entriesAt + file.count(offset) * file.entryBytes;
  if (nextAt + file.offsetBytes > file.length) return undefined;
  const tags = new Map<number, number>();
  for (let at = entriesAt; at < nextAt; at += file.entryBytes) {
    const tag = file.u16(at);
    // Type 3 is SHORT. The other types used here fill four bytes, or their tags are only checked for presence.
    const value = file.u16(at + 2) === 3 ? file.u16(at + file.valueAt) : file.u32(at + file.valueAt);
    if (readTags.has(tag) && !tags.has(tag)) tags.set(tag, value);
  }
  return { offset, tags, nextAt, next: file.offset(nextAt) };
}

/** Returns the first page that is not a reduced version of another page; if there is none, the first page. */
function findPicture(file: ReturnType<typeof openFile>, first: Page): Page {
  let page: Page | undefined = first;
  for (let hop = 0; page && hop < MAX_HOPS; hop++) {
    if (!isReduced(page)) return page;
    page = page.next === 0 ? undefined : readPage(file, page.next);
  }
  return first;
}

/** Whether bit 0 of NewSubfileType is set: a reduced-resolution version of another picture in the file. */
function isReduced(page: Page): boolean {
  return ((page.tags.get(NEW_SUBFILE_TYPE) ?? 0) & 1) === 1;
}

/** Read as TIFF, a camera raw file would yield its thumbnail or raw sensor values. */
function refuseCameraRaw(bytes: Uint8Array, first: Page): void {
  // In CR2, `CR` and version 2.0 follow the header directly, and the first page is at offset 16.
  const isCr2 = first.offset === 16 && Buffer.from(bytes.subarray(8, 12)).toString('hex') === '43520200';
  const isRaw =
    isCr2 ||
    first.tags.has(DNG_VERSION) ||
    RAW_PHOTOMETRICS.includes(first.tags.get(PHOTOMETRIC) ?? 0) ||
    RAW_COMPRESSIONS.includes(first.tags.get(COMPRESSION) ?? 0) ||
    // NEF, ARW and DNG: the first page is a thumbnail, and the sensor's pixels are in a sub-directory.
    (isReduced(first) && first.tags.has(SUB_IFDS));
  if (isRaw) {
    throw new PackshotError(
      'unsupported_image_format',
      'Camera raw files are not supported. Develop the photo and save it as JPEG or TIFF.',
    );
  }
}
