/**
 * Loads the code of the list of many photos after the first screen is drawn; the list's uploads then continue on every
 * screen.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import type { PhotoQueue } from './photos/photos-room.ts';

interface PhotosRoom {
  /** Null until the code is loaded. */
  readonly room: typeof import('./photos/photos-room.ts') | null;
  readonly queue: PhotoQueue | null;
  /** The reason why the code could not be loaded. */
  readonly fault: unknown;
  add(files: readonly File[]): void;
}

/** `client` is null while there is no key. */
export function usePhotosRoom(client: PackshotClient | null): PhotosRoom {
  const [room, setRoom] = useState<PhotosRoom['room']>(null);
  const [fault, setFault] = useState<unknown>(null);
  /** Files dropped before the code was loaded. */
  const early = useRef<readonly File[]>([]);
  useEffect(() => {
    import('./photos/photos-room.ts').then(setRoom, setFault);
  }, []);
  const queue = useMemo(() => room?.createPhotoQueue() ?? null, [room]);
  useEffect(() => queue?.serve(client), [queue, client]);
  useEffect(() => {
    queue?.open();
    if (early.current.length > 0) add(early.current);
  }, [queue]);
  function add(files: readonly File[]): void {
    if (room && queue) queue.add(files, room.readSettings().look);
    else early.current = [...early.current, ...files];
  }
  return { room, queue, fault, add };
}
