/** Pictures of designs that this browser keeps, so that they are shown at once: a copy of the photo, and the cutout. */
import { useStore } from './database.ts';

export interface KeptPictures {
  /** The design's id. */
  readonly id: string;
  /** Name of its project; the pictures are dropped once the service no longer has it. */
  readonly project: string;
  /**
   * The photo, at most 1600 px, or the service's JPEG of the photo. Null until there is a picture that the browser
   * can show.
   */
  readonly photo: Blob | null;
  /** A picture of the cutout, at most 640 px. */
  readonly thumb: Blob | null;
}

export function findKeptPictures(id: string): Promise<KeptPictures | undefined> {
  return useStore<KeptPictures | undefined>('pictures', 'readonly', (store) => store.get(id));
}

/** Makes a place for the design's pictures, unless there is one. */
export async function makePlace(id: string, project: string): Promise<void> {
  const empty: KeptPictures = { id, project, photo: null, thumb: null };
  if (!(await findKeptPictures(id))) await useStore('pictures', 'readwrite', (store) => store.put(empty));
}

/** Keeps the pictures if there is a place for them: a design may have been deleted while they were made. */
export async function keepPictures(id: string, change: Partial<KeptPictures>): Promise<void> {
  await useStore('pictures', 'readwrite', (store) => {
    const found: IDBRequest<KeptPictures | undefined> = store.get(id);
    found.onsuccess = () => {
      if (found.result) store.put({ ...found.result, ...change });
    };
    return found;
  });
}

export async function dropKeptPictures(id: string): Promise<void> {
  await useStore('pictures', 'readwrite', (store) => store.delete(id));
}

export async function listKeptPictures(): Promise<KeptPictures[]> {
  return (await useStore<KeptPictures[]>('pictures', 'readonly', (store) => store.getAll())) ?? [];
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
