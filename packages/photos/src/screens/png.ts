/**
 * Sanitizes PNG: keeps all critical chunks, and of each optional chunk that a picture needs, the first (PNG, third
 * edition, W3C 2025).
 */
import { inflateSync } from 'node:zlib';
import { keepSpans, type Span } from './keep-spans.ts';
import type { Screened } from './screen.ts';

const SIGNATURE_BYTES = 8;
/** Bytes of length, type and CRC around each chunk's data (section 5.3). */
const CHUNK_OVERHEAD = 12;

/**
 * Optional chunks for color, transparency and orientation, and three small ones (pHYs, bKGD, tIME) that most files
 * have: dropping these would require a copy of most files. Other optional chunks are dropped, above all zTXt and iTXt:
 * in the decoder, 40 text chunks of 50 kB inflate to 2 GB, and a million chunks of any kind cause a million warnings.
 */
const wanted = new Set('tRNS gAMA cHRM sRGB sBIT iCCP cICP eXIf pHYs bKGD tIME'.split(' '));

/**
 * Maximum size of an inflated ICC profile. Even print profiles with big tables stay under 3 MB; PNG has no CMYK and so
 * needs smaller ones.
 */
const MAX_PROFILE_BYTES = 4_000_000;

/** cICP for Display P3: P3-D65 primaries, sRGB curve, RGB, full range (ITU-T H.273, tables 2 to 4). */
const DISPLAY_P3 = '0c0d0001';

export function screenPng(bytes: Uint8Array): Screened {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const displayP3 = saysDisplayP3(file);
  const gamut = displayP3 ? ('Display P3' as const) : undefined;
  const kept = keepSpans(bytes, chunkSpans(file, displayP3));
  // IHDR must be the first chunk (section 5.6); the decoder rejects any other file.
  if (file.length < 24) return { bytes: kept, gamut };
  return { bytes: kept, gamut, claimed: { width: file.readUInt32BE(16), height: file.readUInt32BE(20) } };
}

function* chunks(file: Buffer) {
  for (let from = SIGNATURE_BYTES; from + CHUNK_OVERHEAD <= file.length; ) {
    const to = from + CHUNK_OVERHEAD + file.readUInt32BE(from);
    const type = file.toString('latin1', from + 4, from + 8);
    if (to > file.length) return;
    yield { type, from, to };
    if (type === 'IEND') return;
    from = to;
  }
}

function* chunkSpans(file: Buffer, displayP3: boolean): Generator<Span> {
  let end = SIGNATURE_BYTES;
  let finished = false;
  const seen = new Set<string>();
  yield { from: 0, to: SIGNATURE_BYTES, keep: true };
  for (const { type, from, to } of chunks(file)) {
    // Critical chunks, which a decoder must not skip, have bit 5 of their first byte clear (section 5.4).
    let keep = (file[from + 4]! & 0x20) === 0;
    if (wanted.has(type) && !seen.has(type)) {
      seen.add(type);
      // cICP takes precedence over iCCP (section 4.3).
      keep = type !== 'iCCP' || (!displayP3 && profileFits(file.subarray(from + 8, to - 4)));
    }
    yield { from, to, keep };
    end = to;
    finished = type === 'IEND';
  }
  // Keep a truncated chunk, so that the decoder detects the damage; drop data after the end.
  if (!finished && end < file.length) yield { from: end, to: file.length, keep: true };
}

function saysDisplayP3(file: Buffer): boolean {
  for (const { type, from, to } of chunks(file)) {
    if (type === 'cICP') return file.toString('hex', from + 8, to - 4) === DISPLAY_P3;
    // `cICP` must precede the pixels (section 5.6).
    if (type === 'IDAT') return false;
  }
  return false;
}

/**
 * Whether the profile of an iCCP chunk is intact and inflates to at most `MAX_PROFILE_BYTES`. `data` contains a name of
 * 1 to 79 bytes, a zero byte, a zero for the method, and the deflated profile (section 11.3.2.3).
 */
function profileFits(data: Buffer): boolean {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 1 || nameEnd > 79) return false;
  try {
    return inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: MAX_PROFILE_BYTES }).length > 0;
  } catch {
    // The profile is damaged or a decompression bomb. The picture itself may be valid, and is then read as sRGB.
    return false;
  }
}
