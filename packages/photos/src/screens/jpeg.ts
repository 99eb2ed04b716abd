/** Sanitizes JPEG: counts the scans, reads the claimed size, and adds a missing end mark (ITU-T T.81). */
import { PackshotError } from 'packshot-errors';
import type { Size } from 'packshot-pixels';
import type { Screened } from './screen.ts';

/**
 * Maximum scans of a picture. Each scan may touch every block: 883 nearly empty scans in 163 kB kept a core busy for 28
 * s. Encoders write 1 to 17 scans; libtiff has the same limit of 100 (tif_jpeg.c, JPEG_MAX_ALLOWED_SCAN_NUMBER).
 */
const MAX_SCANS = 100;

/**
 * Maximum segments of a file. The decoder keeps every APPn segment; six million empty ones in 25 MB took it 7 s and 1.7
 * GB. Encoders fill segments up to 64 kB, so a file of 25 MB needs only 400.
 */
const MAX_SEGMENTS = 4096;

// Marker codes, T.81 table B.1.
const SOF0 = 0xc0;
const SOF1 = 0xc1;
const DHT = 0xc4;
const JPG = 0xc8;
const DAC = 0xcc;
const SOF15 = 0xcf;
const RST0 = 0xd0;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;

const END_MARK = Uint8Array.of(0xff, EOI);
/**
 * Takes the place of missing blocks in `otherEnd`. In `bytes`, libjpeg decodes missing blocks as if their data were
 * zero bits. So the two files decode to different pixels if any blocks are missing.
 */
const FILLER = new Uint8Array(64).fill(0b1011_0110);

export function screenJpeg(bytes: Uint8Array): Screened {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let claimed: Size | undefined;
  let scans = 0;
  let segments = 0;
  let sequential = false;
  let componentsLeft = 0;
  for (const { code, at, size } of markers(file)) {
    if (code === EOI) return { bytes, claimed };
    if (++segments > MAX_SEGMENTS) {
      throw new PackshotError('image_undecodable', `The JPEG has more than ${MAX_SEGMENTS} segments.`);
    }
    if (code >= SOF0 && code <= SOF15 && ![DHT, JPG, DAC].includes(code) && size >= 8) {
      claimed ??= { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
      sequential = code === SOF0 || code === SOF1;
      componentsLeft = file[at + 9]!;
    }
    if (code !== SOS) continue;
    scans++;
    componentsLeft -= size > 2 ? file[at + 4]! : 0;
    if (scans > MAX_SCANS) {
      throw new PackshotError('image_undecodable', `The JPEG has more than ${MAX_SCANS} scans.`);
    }
  }
  // The end mark is missing. If all scans of a sequential JPEG have begun, the end mark may be the only thing missing.
  // For a progressive JPEG, the number of missing scans is unknown.
  if (!sequential || scans === 0 || componentsLeft !== 0) return { bytes, claimed };
  return {
    bytes: Buffer.concat([bytes, END_MARK]),
    otherEnd: Buffer.concat([bytes, FILLER, END_MARK]),
    claimed,
  };
}

/**
 * Yields the markers up to the end mark, as libjpeg reads them. Skips segments by their length, so that markers of an
 * EXIF thumbnail do not count, and ignores everything after EOI, where phones store videos and second pictures. `size`
 * includes the two length bytes. A segment that extends beyond the end of the file ends the loop.
 */
function* markers(file: Buffer) {
  // In compressed data, only about one byte in a hundred is 0xff, so a native search pays off.
  for (let p = file.indexOf(0xff, 2); p >= 0 && p + 1 < file.length; p = file.indexOf(0xff, p)) {
    const code = file[p + 1]!;
    if (code === 0xff) {
      p++;
      continue;
    }
    // A stuffed zero, a reserved code, a restart or a second start: these have no length (B.1.1.3).
    if (code < SOF0 || (code >= RST0 && code <= SOI)) {
      p += 2;
      continue;
    }
    if (code === EOI) {
      yield { code, at: p, size: 0 };
      return;
    }
    if (p + 4 > file.length) return;
    const size = file.readUInt16BE(p + 2);
    if (size < 2 || p + 2 + size > file.length) return;
    yield { code, at: p, size };
    p += 2 + size;
  }
}
