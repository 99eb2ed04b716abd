/** What can be done with the selected photos, besides choosing their look. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { countWords } from '../shared/count-words.ts';
import { Icon } from '../shared/icons.tsx';
import { t } from '../shared/words.ts';
import { isDoubtful, type Photo } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

interface Props {
  readonly queue: PhotoQueue;
  readonly selected: readonly Photo[];
  readonly onAll: () => void;
  readonly onNone: () => void;
}

export function Selection({ queue, selected, onAll, onNone }: Props): JSX.Element {
  const [asking, setAsking] = useState(false);
  const doubtful = selected.filter(isDoubtful);
  return (
    <div class="photos-selection appear">
      <p role="status">{t('{count} selected', { count: countWords(selected.length, 'photo') })}</p>
      {doubtful.length > 0 && (
        <button
          type="button"
          class="button plain"
          onClick={() => {
            for (const { key } of doubtful) queue.change(key, { approved: true });
          }}
        >
          <Icon name="check" /> {doubtful.length === 1 ? t('Looks good') : t('All look good')}
        </button>
      )}
      <button type="button" class="button plain" onClick={onAll}>
        {t('Select all')}
      </button>
      {asking ? (
        <button
          type="button"
          class="button danger"
          ref={(button) => button?.focus()}
          onBlur={() => setAsking(false)}
          onClick={() => {
            void queue.remove(selected.map(({ key }) => key));
            onNone();
          }}
        >
          {t('Delete {count}', { count: countWords(selected.length, 'photo') })}
        </button>
      ) : (
        <button type="button" class="button plain" onClick={() => setAsking(true)}>
          <Icon name="trash" /> {t('Delete')}
        </button>
      )}
      <button type="button" class="button plain" onClick={onNone}>
        <Icon name="close" /> {t('Clear')}
      </button>
    </div>
  );
}
