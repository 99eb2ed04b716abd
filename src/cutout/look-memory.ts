/**
 * Keeps the results of passes over the last few photos with unfinished cutouts, so that no pass is repeated.
 */
import type { Matte } from '../pixels.ts';

/** With ISNet, one result takes 1 MB; a photo has up to eight. */
const MAX_PHOTOS = 4;

export function createLookMemory() {
  const looks = new Map<string, Matte[]>();

  return {
    /** The photo's list of results, to append to. For an empty name, the list is not kept. */
    recall(photo: string): Matte[] {
      if (photo === '') return [];
      const remembered = looks.get(photo) ?? [];
      // The most recent one last.
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
