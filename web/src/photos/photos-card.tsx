/** Card on the start page that leads back to the list of photos. */
import type { JSX } from 'preact';
import { countWords } from '../shared/count-words.ts';
import { Icon } from '../shared/icons.tsx';
import { isDoubtful, isSettled } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';
import { usePhotos } from './use-photos.ts';

interface Props {
  readonly queue: PhotoQueue;
  readonly onOpen: () => void;
}

export function PhotosCard({ queue, onOpen }: Props): JSX.Element | null {
  const photos = usePhotos(queue);
  if (photos.length === 0) return null;
  const moving = photos.filter((photo) => !isSettled(photo)).length;
  const doubtful = photos.filter(isDoubtful).length;
  const failed = photos.filter(({ state }) => state === 'failed').length;
  const words = [
    moving > 0 ? `${moving} to go` : 'All cut out',
    ...(doubtful > 0 ? [`${doubtful} doubtful`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(' · ');
  return (
    <button type="button" class="photos-card" onClick={onOpen}>
      <Icon name="grid" size={24} />
      <span class="photos-card-words">
        <strong>Your {countWords(photos.length, 'photo')}</strong>
        <span class="small soft">{words}</span>
      </span>
      <Icon name="arrowRight" />
    </button>
  );
}
