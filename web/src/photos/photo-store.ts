/** The list of photos as this browser keeps it: it survives a reload, and so do the files that were not sent yet. */
import { useStore } from '../shared/database.ts';
import type { Photo } from './photo.ts';

/** In the order they came. */
export async function listPhotos(): Promise<Photo[]> {
  return (await useStore<Photo[]>('photos', 'readonly', (store) => store.getAll())) ?? [];
}

export async function keepPhoto(photo: Photo): Promise<void> {
  await useStore('photos', 'readwrite', (store) => store.put(photo));
}

export async function dropPhoto(key: string): Promise<void> {
  await useStore('photos', 'readwrite', (store) => store.delete(key));
  await dropFile(key);
}

/** Answers whether it is kept: a disk may be full. */
export async function keepFile(key: string, file: File): Promise<boolean> {
  return (await useStore('files', 'readwrite', (store) => store.put(file, key))) !== undefined;
}

export async function findFile(key: string): Promise<File | undefined> {
  return useStore<File | undefined>('files', 'readonly', (store) => store.get(key));
}

export async function dropFile(key: string): Promise<void> {
  await useStore('files', 'readwrite', (store) => store.delete(key));
}
