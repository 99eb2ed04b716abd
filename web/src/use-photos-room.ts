/**
 * Loads the code of projects and their lists of photos after the first screen is drawn; their uploads then continue on
 * every screen.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import type { PhotoQueue, Projects } from './photos/photos-room.ts';
import { language } from './shared/words.ts';

export interface PhotosRoom {
  readonly room: typeof import('./photos/photos-room.ts');
  readonly queue: PhotoQueue;
  readonly projects: Projects;
}

interface LoadingRoom {
  /** Null until the code is loaded. */
  readonly loaded: PhotosRoom | null;
  /** The reason why the code could not be loaded. */
  readonly fault: unknown;
  /** Makes a project of the files, under this name if there is one, and returns its name. */
  addProject(files: readonly File[], name: string | undefined): Promise<string>;
  /** Adds the files to a project, as soon as the code is loaded. */
  addPhotos(files: readonly File[], project: string): void;
}

/** `client` is null while there is no key. */
export function usePhotosRoom(client: PackshotClient | null): LoadingRoom {
  const [loaded, setLoaded] = useState<PhotosRoom | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const loading = useMemo(() => import('./photos/photos-room.ts').then(openRoom), []);
  useEffect(() => {
    loading.then((made) => {
      made.queue.open();
      setLoaded(made);
    }, setFault);
  }, [loading]);
  useEffect(() => {
    loaded?.queue.serve(client);
    loaded?.projects.serve(client);
  }, [loaded, client]);
  async function addProject(files: readonly File[], name: string | undefined): Promise<string> {
    const { room, queue, projects } = await loading;
    if (!projects.isListed()) await projects.refresh();
    const project = projects.freeName(name ?? nameOfNow());
    queue.add(files, project, room.readSettings());
    return project;
  }
  const addPhotos = (files: readonly File[], project: string) =>
    void loading.then(
      ({ room, queue }) => queue.add(files, project, room.readSettings()),
      () => undefined,
    );
  return { loaded, fault, addProject, addPhotos };
}

function openRoom(room: PhotosRoom['room']): PhotosRoom {
  const queue = room.createPhotoQueue();
  return { room, queue, projects: room.createProjects(queue) };
}

const nameOfNow = (): string =>
  new Date().toLocaleString(language, { day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' });
