/** Splits photos into batches that stay within the limits of the service. */
import type { Photo } from '../photo-run/find-photos.ts';

export interface SentPhoto {
  readonly photo: Photo;
  /** Path of its picture relative to the output folder. */
  readonly picture: string;
  /** Bytes to upload; 0 for a URL. */
  readonly bytes: number;
}

export interface BatchLimits {
  readonly maxItems: number;
  readonly maxFilesBytes: number;
}

/** Keeps the order; a photo too large for any batch gets a batch of its own. */
export function splitIntoBatches(photos: readonly SentPhoto[], limits: BatchLimits): SentPhoto[][] {
  const batches: SentPhoto[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const photo of photos) {
    const last = batches.at(-1);
    if (last && last.length < limits.maxItems && bytes + photo.bytes <= limits.maxFilesBytes) {
      last.push(photo);
      bytes += photo.bytes;
    } else {
      batches.push([photo]);
      bytes = photo.bytes;
    }
  }
  return batches;
}
