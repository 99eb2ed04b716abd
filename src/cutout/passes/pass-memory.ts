/**
 * Keeps the results of passes over the last few photos with unfinished cutouts, so that no pass is repeated.
 */
import type { Matte } from '../../pixels.ts';
import type { KnownPasses } from './run-passes.ts';

/** Number of photos whose results are kept. With ISNet, one result takes 1 MB, and a photo has up to six results. */
const MAX_PHOTOS = 4;

export function createPassMemory() {
  const photos = new Map<string, KnownPasses>();

  return {
    /** Returns the photo's results, to which the caller adds. If `photo` is empty, they are not kept. */
    recall(photo: string): KnownPasses {
      if (photo === '') return new Map();
      const known = photos.get(photo) ?? new Map<string, Matte>();
      // Move the photo to the end, because the least recently used one is dropped first.
      photos.delete(photo);
      photos.set(photo, known);
      const [oldest = ''] = photos.keys();
      if (photos.size > MAX_PHOTOS) photos.delete(oldest);
      return known;
    },

    forget(photo: string): void {
      photos.delete(photo);
    },
  };
}
