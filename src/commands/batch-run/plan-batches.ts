/** How many batches a folder becomes, within what the service takes at once. */
import type { Photo } from '../photo-run/find-photos.ts';

export interface SentPhoto {
  readonly photo: Photo;
  /** Path of its picture below the output. */
  readonly picture: string;
  /** What is sent; 0 for a URL. */
  readonly bytes: number;
}

export interface BatchLimits {
  readonly maxItems: number;
  readonly maxFilesBytes: number;
}

/** In the order given; a photo that is too large for any batch is in one of its own. */
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
