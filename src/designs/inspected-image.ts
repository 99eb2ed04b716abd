/** A photo that passed the checks: the facts of the received file, and the bytes to store. */
import { createHash } from 'node:crypto';
import type { ImageFacts } from './read-image.ts';

export interface InspectedImage {
  /** Format, size and digest are those of the received file. */
  readonly facts: ImageFacts;
  /** The bytes that are stored and read later: the received bytes, or the HEIC's picture in another format. */
  readonly bytes: Uint8Array;
}

/** Returns the facts in which a HEIC differs from the picture made from it. */
export function describeHeic(bytes: Uint8Array): Pick<ImageFacts, 'format' | 'bytes' | 'sha256'> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { format: 'heic', bytes: bytes.byteLength, sha256 };
}
