/** Number and progress of the photos, the filter, and the button that adds more. */
import type { JSX } from 'preact';
import { countWords } from '../shared/count-words.ts';
import { describeFailure } from '../shared/error-words.ts';
import { Icon } from '../shared/icons.tsx';
import { acceptedFiles } from '../shared/photo-files.ts';
import { type Filter, filters, fits, isSettled, type Photo } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

interface Props {
  readonly queue: PhotoQueue;
  readonly photos: readonly Photo[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly onAdd: (files: readonly File[]) => void;
  readonly onHome: () => void;
}

export function PhotosHead({ queue, photos, filter, onFilter, onAdd, onHome }: Props): JSX.Element {
  const settled = photos.filter(isSettled).length;
  const pause = queue.pause();
  const unkept = photos.filter((photo) => photo.unkept && !photo.designId).length;
  return (
    <header class="photos-head">
      <div class="work-head">
        <button type="button" class="button plain icon" aria-label="Back to start" onClick={onHome}>
          <Icon name="arrowLeft" />
        </button>
        <h1 class="work-title">{countWords(photos.length, 'photo')}</h1>
        <label class="button photos-add">
          <input
            class="hidden"
            type="file"
            multiple
            accept={acceptedFiles}
            onChange={(event) => {
              onAdd([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = '';
            }}
          />
          <Icon name="plus" /> Add photos
        </label>
      </div>
      {settled < photos.length && (
        <div class="photos-progress">
          <p class="small" role="status">
            {pause ? `${describeFailure(pause).title}. ` : ''}
            {settled} of {photos.length} cut out, {photos.length - settled} to go
            {pause ? '; waiting to continue' : ''}
          </p>
          <progress max={photos.length} value={settled} aria-label="Photos cut out" />
          <p class="small soft">{unsentWords(photos, unkept)}</p>
        </div>
      )}
      <fieldset class="chips">
        <legend class="hidden">Photos to show</legend>
        {filters.map(({ id, title }) => (
          <label class="chip" key={id}>
            <input type="radio" name="filter" checked={id === filter} onChange={() => onFilter(id)} />
            {title} <span class="soft">{photos.filter((photo) => fits(photo, id)).length}</span>
          </label>
        ))}
      </fieldset>
    </header>
  );
}

/** Explains when it is safe to close the page. */
function unsentWords(photos: readonly Photo[], unkept: number): string {
  const unsent = photos.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  if (unkept > 0) {
    return `This browser has no space to keep ${countWords(unkept, 'photo')}: leave the page open until they are uploaded.`;
  }
  return unsent > 0
    ? `${countWords(unsent, 'photo')} still to upload. You can close the page: they are kept in this browser, and the upload continues at your next visit.`
    : 'All are uploaded. You can close the page: the service continues.';
}
