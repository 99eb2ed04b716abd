/** A photo that was checked: what was sent, and the file that is kept of it. */
import { createHash } from 'node:crypto';
import type { ImageFacts } from './read-image.ts';

export interface InspectedImage {
  /** Format, bytes and digest of what was sent. */
  readonly facts: ImageFacts;
  /** What is kept and read from now on: the same bytes, or of a HEIC the picture in another format. */
  readonly bytes: Uint8Array;
}

/** The facts of a HEIC that are not those of the picture that was made of it. */
export function describeHeic(bytes: Uint8Array): Pick<ImageFacts, 'format' | 'bytes' | 'sha256'> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { format: 'heic', bytes: bytes.byteLength, sha256 };
}
