/** Name of the project, number and progress of its photos, the filter, and the buttons that add, rename and delete. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FileButton, IconButton } from '../shared/buttons.tsx';
import { Chips } from '../shared/chips.tsx';
import { countWords } from '../shared/count-words.ts';
import { describeFailure } from '../shared/error-words.ts';
import { Icon } from '../shared/icons.tsx';
import { acceptedFiles } from '../shared/photo-files.ts';
import { t } from '../shared/words.ts';
import { type Filter, filters, fits, isSettled, type Photo, verdictsOf } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';
import { EraseProject, RenameProject } from './project-dialogs.tsx';
import type { Projects } from './projects.ts';

interface Props {
  readonly queue: PhotoQueue;
  readonly photos: readonly Photo[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly onAdd: (files: readonly File[]) => void;
  readonly projects: Projects;
  readonly project: string;
  readonly onRenamed: (name: string) => void;
  readonly onHome: () => void;
}

export function PhotosHead(props: Props): JSX.Element {
  const { queue, photos, filter, onFilter, onAdd } = props;
  // Before a check, its filter means nothing.
  const offered = filters.filter(
    ({ id }) => id !== 'refused' || photos.some((photo) => verdictsOf(photo).length > 0),
  );
  const settled = photos.filter(isSettled).length;
  const pause = queue.pause();
  const unkept = photos.filter((photo) => photo.unkept && !photo.designId).length;
  return (
    <header class="photos-head">
      <ProjectHead {...props} />
      <div class="photos-count">
        <h2>{countWords(photos.length, 'photo')}</h2>
        <FileButton
          kind="button photos-add"
          input={{ accept: acceptedFiles, multiple: true }}
          onFiles={onAdd}
        >
          <Icon name="plus" /> {t('Add photos')}
        </FileButton>
      </div>
      {settled < photos.length && (
        <div class="photos-progress">
          <p class="small" role="status">
            {t('{value}{settled} of {length} cut out, {count} to go{value2}', {
              value: pause ? `${describeFailure(pause).title}. ` : '',
              settled,
              length: photos.length,
              count: photos.length - settled,
              value2: pause ? t('; waiting to continue') : '',
            })}
          </p>
          <progress max={photos.length} value={settled} aria-label={t('Photos cut out')} />
          <p class="small soft">{unsentWords(photos, unkept)}</p>
        </div>
      )}
      <Chips
        label={t('Photos to show')}
        name="filter"
        options={offered.map((one) => ({
          ...one,
          note: (
            <>
              {' '}
              <span class="soft">{photos.filter((photo) => fits(photo, one.id)).length}</span>
            </>
          ),
        }))}
        chosen={filter}
        onChoose={onFilter}
      />
    </header>
  );
}

function ProjectHead({ photos, projects, project, onRenamed, onHome }: Props): JSX.Element {
  const [asked, setAsked] = useState<'rename' | 'empty' | null>(null);
  const onClose = () => setAsked(null);
  return (
    <div class="work-head">
      <IconButton icon="arrowLeft" name={t('Back to start')} onClick={onHome} />
      <h1 class="work-title ellipsis">{project}</h1>
      <IconButton
        icon="pen"
        name={t('Rename the project')}
        title={t('Rename')}
        onClick={() => setAsked('rename')}
      />
      {photos.length > 0 && (
        <IconButton
          icon="trash"
          name={t('Empty the project')}
          title={t('Delete all photos')}
          onClick={() => setAsked('empty')}
        />
      )}
      {asked === 'rename' && <RenameProject {...{ projects, onRenamed, onClose }} name={project} />}
      {asked === 'empty' && (
        <EraseProject
          {...{ projects, onClose }}
          name={project}
          photos={photos.length}
          onErased={() => document.querySelector<HTMLElement>('.photos-add input')?.focus()}
        />
      )}
    </div>
  );
}

/** Explains when it is safe to close the page. */
function unsentWords(photos: readonly Photo[], unkept: number): string {
  const unsent = photos.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  if (unkept > 0) {
    return t('This browser has no space to keep {photos}: leave the page open until they are uploaded.', {
      photos: countWords(unkept, 'photo'),
    });
  }
  return unsent > 0
    ? t(
        '{photos} still to upload. You can close the page: they are kept in this browser, and the upload continues at your next visit.',
        { photos: countWords(unsent, 'photo') },
      )
    : t('All are uploaded. You can close the page: the service continues.');
}
