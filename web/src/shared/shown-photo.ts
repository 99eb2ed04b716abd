/** A design's photo in a format that this browser can show. */
import type { PackshotClient } from '../../../clients/typescript/src/packshot-client.ts';
import { keepPictures } from './kept-pictures.ts';

interface Options {
  /** The photo as dropped or stored in this browser, if available. */
  readonly photo: Blob | null;
  readonly signal: AbortSignal;
}

/**
 * The local photo, or the service's JPEG of the photo if the browser cannot show the format (only Safari shows HEIC).
 * The JPEG is stored for the next visit. Null if the service does not return it: the page then works without a
 * comparison of photo and cutout.
 */
export async function findShownPhoto(
  client: PackshotClient,
  id: string,
  { photo, signal }: Options,
): Promise<Blob | null> {
  if (photo && (await isShown(photo))) return photo;
  try {
    const jpeg = await (await client.photo(id, { signal })).blob();
    await keepPictures(id, { photo: jpeg });
    return jpeg;
  } catch {
    return null;
  }
}

export function isShown(photo: Blob): Promise<boolean> {
  const url = URL.createObjectURL(photo);
  return new Promise<boolean>((resolve) => {
    const image = new Image();
    image.onload = () => resolve(true);
    image.onerror = () => resolve(false);
    image.src = url;
  }).finally(() => URL.revokeObjectURL(url));
}
