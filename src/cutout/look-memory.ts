/**
 * Keeps the results of passes over the last few photos with unfinished cutouts, so that no pass is repeated.
 */
import type { Matte } from '../pixels.ts';

/** Number of photos whose results are kept. With ISNet, one result takes 1 MB, and a photo has up to eight results. */
const MAX_PHOTOS = 4;

export function createLookMemory() {
  const looks = new Map<string, Matte[]>();

  return {
    /** Returns the photo's list of results; the caller appends to it. If `photo` is empty, the list is not kept. */
    recall(photo: string): Matte[] {
      if (photo === '') return [];
      const remembered = looks.get(photo) ?? [];
      // Move the photo to the end, because the least recently used one is dropped first.
      looks.delete(photo);
      looks.set(photo, remembered);
      const [oldest = ''] = looks.keys();
      if (looks.size > MAX_PHOTOS) looks.delete(oldest);
      return remembered;
    },

    forget(photo: string): void {
      looks.delete(photo);
    },
  };
}
