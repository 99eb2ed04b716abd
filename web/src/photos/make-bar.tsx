/** The final button: makes the full pictures, shows progress, and saves the ZIP. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedPicture } from '../../../src/batches/picture-list.ts';
import { FileButton } from '../shared/buttons.tsx';
import { ToggleChips } from '../shared/chips.tsx';
import { countWords } from '../shared/count-words.ts';
import { describeFailure } from '../shared/error-words.ts';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { Icon } from '../shared/icons.tsx';
import { saveFile } from '../shared/save-file.ts';
import { useTask } from '../shared/use-task.ts';
import { language, t } from '../shared/words.ts';
import { channels, usualChannels } from './channels.ts';
import { type Catalogue, picturesOf, picturesOfList } from './ordered-pictures.ts';
import type { Photo } from './photo.ts';
import type { Settings } from './settings.ts';
import type { BatchRun } from './use-batch.ts';

interface Props {
  /** Photos that have been cut out. */
  readonly ready: readonly Photo[];
  readonly settings: Settings;
  readonly batch: BatchRun;
  readonly catalogue: Catalogue;
  readonly onSettings: (change: Partial<Settings>) => void;
  /** Shows all channels. */
  readonly onMore: () => void;
}

/** The service makes no larger batch. */
const mostPictures = 1000;

/** A list (a CSV) that says which pictures are made. */
interface List {
  readonly name: string;
  readonly rows: readonly ListedPicture[];
}

export function MakeBar(props: Props): JSX.Element {
  const { ready, settings, batch, catalogue } = props;
  const saving = useTask();
  const [list, setList] = useState<List | null>(null);
  const { order, counts, error } = batch;
  const running = order !== null && !order.ended;
  const { pictures, missing } = list
    ? picturesOfList(list.rows, ready, settings, catalogue)
    : { pictures: picturesOf(ready, settings, catalogue), missing: [] };
  const made = pictures.length > 0 && batch.isOf(pictures);
  const makeable = pictures.length > 0 && pictures.length <= mostPictures;
  const picturesToMake = countWords(pictures.length, 'picture');
  const save = () =>
    saving.start(async (signal) => {
      const pictures = order?.pictures.length ?? 0;
      saveFile(
        await batch.fetchZip(signal),
        `packshot-${countWords(pictures, 'picture').replace(' ', '-')}.zip`,
      );
    });

  return (
    <div class="make-bar">
      {!running && <ChannelChoice {...props} />}
      {running ? (
        <Progress
          total={order.pictures.length}
          done={(counts?.done ?? 0) + (counts?.failed ?? 0)}
          batch={batch}
        />
      ) : made ? (
        <button type="button" class="button primary large wide" aria-disabled={saving.running} onClick={save}>
          <Icon name="download" />{' '}
          {saving.running ? t('Fetching the ZIP') : t('Download ZIP ({picturesToMake})', { picturesToMake })}
        </button>
      ) : (
        <button
          type="button"
          class="button primary large wide"
          aria-disabled={!makeable}
          onClick={() => makeable && batch.make(pictures)}
        >
          {pictures.length === 0
            ? t('Make pictures')
            : pictures.length > mostPictures
              ? t('{picturesToMake}: at most {most} at once', {
                  picturesToMake,
                  most: mostPictures.toLocaleString(language),
                })
              : t('Make {picturesToMake}', { picturesToMake })}
        </button>
      )}
      {!running && <ListChoice list={list} missing={missing} onList={setList} />}
      {made && counts !== null && counts.failed > 0 && (
        <p class="small bad">
          {t('{count} could not be made. See the filter “Failed”.', {
            count: countWords(counts.failed, 'picture'),
          })}
        </p>
      )}
      {error !== null && running ? (
        <p class="small soft" role="status">
          {t('{title}. Trying again.', { title: describeFailure(error).title })}
        </p>
      ) : (
        <FaultNotice error={error} />
      )}
      <FaultNotice error={saving.error} onRetry={save} />
    </div>
  );
}

/** The channels that most shops need; the panel has all. */
function ChannelChoice({ settings, onSettings, onMore }: Props): JSX.Element {
  const offered = channels.filter(({ id }) => usualChannels.includes(id) || settings.channels.includes(id));
  return (
    <fieldset class="channels">
      <legend class="small soft">
        {settings.channels.length === 0 ? t('Make each photo once, or for') : t('Make each photo for')}
      </legend>
      <ToggleChips
        options={offered}
        chosen={settings.channels}
        onChange={(next) => onSettings({ channels: next })}
      >
        <button type="button" class="chip" onClick={onMore}>
          {t('More …')}
        </button>
      </ToggleChips>
    </fieldset>
  );
}

interface ProgressProps {
  readonly total: number;
  readonly done: number;
  readonly batch: BatchRun;
}

function Progress({ total, done, batch }: ProgressProps): JSX.Element {
  return (
    <div class="make-progress">
      <p class="small" role="status">
        {t('{done} of {total} made', { done, total })}
      </p>
      <button type="button" class="button" onClick={batch.cancel}>
        {t('Cancel')}
      </button>
      <progress max={total} value={done} aria-label={t('Pictures made')} />
    </div>
  );
}

interface ListChoiceProps {
  readonly list: List | null;
  readonly missing: readonly string[];
  readonly onList: (list: List | null) => void;
}

function ListChoice({ list, missing, onList }: ListChoiceProps): JSX.Element {
  const [fault, setFault] = useState('');
  async function read(file: File): Promise<void> {
    try {
      const { readPictureList } = await import('../../../src/batches/picture-list.ts');
      onList({ name: file.name, rows: readPictureList(await file.text()) });
      setFault('');
    } catch (error) {
      setFault((error as Error).message);
    }
  }
  return (
    <div class="small soft" role="status">
      {list === null ? (
        <FileButton
          kind="button plain"
          input={{ accept: '.csv,text/csv' }}
          onFiles={([file]) => void read(file)}
        >
          {t('Use a list (CSV)')}
        </FileButton>
      ) : (
        <button type="button" class="button plain" onClick={() => onList(null)}>
          <Icon name="close" /> {list.name}
        </button>
      )}
      {fault !== '' && <p class="bad">{fault}</p>}
      {missing.length > 0 && (
        <p class="bad">
          {t('{count} of the list not here: {names}{value}', {
            count: countWords(missing.length, 'photo'),
            names: missing.slice(0, 5).join(', '),
            value: missing.length > 5 ? ' …' : '',
          })}
        </p>
      )}
    </div>
  );
}
