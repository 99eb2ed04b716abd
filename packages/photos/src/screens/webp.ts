/** Sanitizes WebP: of an animation, keeps only the first frame (RFC 9649, WebP container). */
import { keepSpans, type Span } from './keep-spans.ts';
import type { Screened } from './screen.ts';

const RIFF_HEADER_BYTES = 12;

/**
 * The decoder searches for each frame from the start of a list, which takes quadratic time: 60,000 frames in 4.8 MB
 * took 3 s. So one chunk of each kind is kept, and unknown chunks are dropped.
 */
const wanted = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L', 'EXIF', 'XMP ']);

export function screenWebp(bytes: Uint8Array): Screened {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The file is shorter than it declares; the decoder will reject it.
  if (file.length < RIFF_HEADER_BYTES || 8 + file.readUInt32LE(4) > file.length) return { bytes };
  const kept = keepSpans(bytes, chunkSpans(file));
  if (kept === bytes) return { bytes };
  const copy = Buffer.from(kept);
  copy.writeUInt32LE(copy.length - 8, 4);
  return { bytes: copy };
}

function* chunkSpans(file: Buffer): Generator<Span> {
  const end = 8 + file.readUInt32LE(4);
  const seen = new Set<string>();
  yield { from: 0, to: RIFF_HEADER_BYTES, keep: true };
  let from = RIFF_HEADER_BYTES;
  while (from + 8 <= end) {
    const type = file.toString('latin1', from, from + 4);
    const size = file.readUInt32LE(from + 4);
    // Chunks are padded to an even length.
    const to = from + 8 + size + (size & 1);
    if (to > end) break;
    yield { from, to, keep: wanted.has(type) && !seen.has(type) };
    if (wanted.has(type)) seen.add(type);
    from = to;
  }
  // Keep a chunk that extends beyond the file, so that the decoder detects the damage.
  if (from < end) yield { from, to: end, keep: true };
}
