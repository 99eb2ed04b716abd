/**
 * Keeps the results of passes over the last few photos with unfinished cutouts, so that no pass is repeated.
 */
import { LRUCache } from 'lru-cache';
import type { KnownPasses } from './run-passes.ts';

/** Number of photos whose results are kept. With ISNet, one result takes 1 MB, and a photo has up to six results. */
const MAX_PHOTOS = 4;

export function createPassMemory() {
  const photos = new LRUCache<string, KnownPasses>({ max: MAX_PHOTOS });
  return {
    /** Returns the photo's results, to which the caller adds. If `photo` is empty, they are not kept. */
    recall(photo: string): KnownPasses {
      const known: KnownPasses = photos.get(photo) ?? new Map();
      if (photo !== '') photos.set(photo, known);
      return known;
    },

    forget(photo: string): void {
      photos.delete(photo);
    },
  };
}
