/** Checks that a stored PNG is intact: a disk may lose data without reporting an error. */
import { crc32 } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Checks all chunks and their checksums (PNG specification, third edition, 5.3 to 5.5), without decoding any pixels.
 */
export function isWholePng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(signature)) return false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return false;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return false;
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return end === bytes.length;
    at = end;
  }
  return false;
}
