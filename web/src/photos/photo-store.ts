/**
 * What this browser knows of the photos of projects. A reload loses neither the list nor files that have not been
 * uploaded yet.
 */
import { readChoice } from '../pictures/backdrop-choice.ts';
import { useStore } from '../shared/database.ts';
import type { Photo } from './photo.ts';

/** The photos in the order in which they were added. */
export async function listPhotos(): Promise<Photo[]> {
  const stored = (await useStore<Photo[]>('photos', 'readonly', (store) => store.getAll())) ?? [];
  return stored.map((photo) => ({ ...photo, choice: readChoice(photo.choice) }));
}

export async function keepPhoto(photo: Photo): Promise<void> {
  await useStore('photos', 'readwrite', (store) => store.put(photo));
}

export async function dropPhoto(key: string): Promise<void> {
  await useStore('photos', 'readwrite', (store) => store.delete(key));
  await dropFile(key);
}

/** Returns whether the file was stored; the disk may be full. */
export async function keepFile(key: string, file: File): Promise<boolean> {
  return (await useStore('files', 'readwrite', (store) => store.put(file, key))) !== undefined;
}

export async function findFile(key: string): Promise<File | undefined> {
  return useStore<File | undefined>('files', 'readonly', (store) => store.get(key));
}

export async function dropFile(key: string): Promise<void> {
  await useStore('files', 'readwrite', (store) => store.delete(key));
}
