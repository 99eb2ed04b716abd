/** Looks at the last few photos whose cutouts are unfinished, so that no look is repeated. */
import type { Matte } from '../pixels.ts';

/** With ISNet a look takes 1 MB, and a photo has up to eight looks. */
const MAX_PHOTOS = 4;

export function createLookMemory() {
  const looks = new Map<string, Matte[]>();

  return {
    /** The photo's list of looks, to append to. For an empty name, the list is not kept. */
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
