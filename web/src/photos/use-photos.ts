/** Provides the photos of a project to a component. */
import { useEffect, useState } from 'preact/hooks';
import type { Photo } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

export function usePhotos(queue: PhotoQueue, project: string): readonly Photo[] {
  const [, turn] = useState(0);
  useEffect(() => queue.subscribe(() => turn((count) => count + 1)), [queue]);
  return queue.photos().filter((photo) => photo.project === project);
}
