/** This browser's designs: what is needed to reopen a design, a copy of its photo, and a picture of its cutout. */
import { useStore } from './database.ts';

export interface PastDesign {
  readonly id: string;
  /** The photo's name without its extension. */
  readonly name: string;
  /** Time of the upload, in ms since 1970. */
  readonly at: number;
  readonly expiresAt: string | null;
  /** Whether the service has reported that the design no longer exists. */
  readonly gone: boolean;
  /**
   * The photo, at most 1600 px, or the service's JPEG of the photo. Null until there is a picture that the browser
   * can show.
   */
  readonly photo: Blob | null;
  /** A picture of the cutout, at most 320 px. */
  readonly thumb: Blob | null;
  /** Whether the design belongs to the list of many photos; then only that list shows and deletes it. */
  readonly listed?: boolean;
}

/** Maximum number of designs; older designs are dropped. By default, the service deletes them after a week anyway. */
const mostKept = 60;

/** The designs, newest first, without those of the list of many photos. */
export async function listPastDesigns(): Promise<PastDesign[]> {
  const kept: PastDesign[] = (await useStore('designs', 'readonly', (store) => store.getAll())) ?? [];
  const all = kept.filter(({ listed }) => !listed);
  all.sort((a, b) => b.at - a.at);
  for (const { id } of all.splice(mostKept)) await dropPastDesign(id);
  return all;
}

export function findPastDesign(id: string): Promise<PastDesign | undefined> {
  return useStore<PastDesign | undefined>('designs', 'readonly', (store) => store.get(id));
}

export async function keepPastDesign(design: PastDesign): Promise<void> {
  await useStore('designs', 'readwrite', (store) => store.put(design));
}

export async function changePastDesign(id: string, change: Partial<PastDesign>): Promise<void> {
  const design = await findPastDesign(id);
  if (design) await keepPastDesign({ ...design, ...change });
}

export async function dropPastDesign(id: string): Promise<void> {
  await useStore('designs', 'readwrite', (store) => store.delete(id));
}

export function isExpired({ expiresAt, gone }: PastDesign): boolean {
  return gone || (expiresAt !== null && Date.parse(expiresAt) < Date.now());
}

/** A small copy of a picture; null if the browser cannot decode the picture, such as a TIFF. */
export async function makeThumb(picture: Blob, longEdgePx: number): Promise<Blob | null> {
  try {
    const bitmap = await createImageBitmap(picture);
    const scale = Math.min(1, longEdgePx / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const context = canvas.getContext('2d');
    if (!context) return null;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 0.86));
  } catch {
    return null;
  }
}
