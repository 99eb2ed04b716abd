/** The looks at the last few photos whose cutouts are not as good as they get, so that none is taken twice. */
import type { Matte } from '../pixels.ts';

/** A look is 1 MB with ISNet, and a photo has up to eight of them. */
const MOST_PHOTOS = 4;

export function createLookMemory() {
  const looks = new Map<string, Matte[]>();

  return {
    /** To be added to. A photo without a name is not remembered. */
    recall(photo: string): Matte[] {
      if (photo === '') return [];
      const remembered = looks.get(photo) ?? [];
      // The most recent one last.
      looks.delete(photo);
      looks.set(photo, remembered);
      const [oldest = ''] = looks.keys();
      if (looks.size > MOST_PHOTOS) looks.delete(oldest);
      return remembered;
    },

    forget(photo: string): void {
      looks.delete(photo);
    },
  };
}
