/**
 * A picture shown within the last second is shown again without another look at its key, its design and the disk, so
 * that many visitors of one page cost little. A revocation or a deletion takes effect after this time.
 */
import { LRUCache } from 'lru-cache';
import type { PictureShower, ShownPicture } from './show-picture.ts';

const warmMs = 1_000;
const maxBytes = 32 * 1024 * 1024;

export function keepWarm(showPicture: PictureShower): PictureShower {
  const warm = new LRUCache<string, ShownPicture>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes!.byteLength,
    ttl: warmMs,
  });
  return async (request) => {
    const { signature, path, accept } = request;
    const name = `${signature}${path} ${path.endsWith('.auto') ? accept : ''}`;
    const known = warm.get(name);
    if (known) return known;
    const shown = await showPicture(request);
    if (shown.bytes !== null) warm.set(name, shown);
    return shown;
  };
}
