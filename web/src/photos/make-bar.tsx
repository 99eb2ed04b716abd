/** The final button: makes the full pictures, shows progress, and saves the ZIP. */
import type { JSX } from 'preact';
import { countWords } from '../shared/count-words.ts';
import { describeFailure } from '../shared/error-words.ts';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { Icon } from '../shared/icons.tsx';
import { saveFile } from '../shared/save-file.ts';
import { useTask } from '../shared/use-task.ts';
import type { Photo } from './photo.ts';
import type { Settings } from './settings.ts';
import type { BatchRun } from './use-batch.ts';

interface Props {
  /** Photos that have been cut out. */
  readonly ready: readonly Photo[];
  readonly settings: Settings;
  readonly batch: BatchRun;
}

export function MakeBar({ ready, settings: { format }, batch }: Props): JSX.Element {
  const saving = useTask();
  const { order, counts, error } = batch;
  const running = order !== null && !order.ended;
  const made = batch.isOf(ready, format);
  const picturesToMake = countWords(ready.length, 'picture');
  const save = () =>
    saving.start(async (signal) => {
      const pictures = order?.pictures.length ?? 0;
      saveFile(
        await batch.fetchZip(signal),
        `packshot-${countWords(pictures, 'picture').replace(' ', '-')}.zip`,
      );
    });
  const isSaving = saving.state.status === 'running';

  return (
    <div class="make-bar">
      {running ? (
        <Progress
          total={order.pictures.length}
          done={(counts?.done ?? 0) + (counts?.failed ?? 0)}
          batch={batch}
        />
      ) : made ? (
        <button type="button" class="button primary large wide" aria-disabled={isSaving} onClick={save}>
          <Icon name="download" /> {isSaving ? 'Fetching the ZIP' : `Download ZIP (${picturesToMake})`}
        </button>
      ) : (
        <button
          type="button"
          class="button primary large wide"
          aria-disabled={ready.length === 0}
          onClick={() => ready.length > 0 && batch.make(ready, format)}
        >
          {ready.length === 0 ? 'Make pictures' : `Make ${picturesToMake}`}
        </button>
      )}
      {made && counts !== null && counts.failed > 0 && (
        <p class="small bad">
          {countWords(counts.failed, 'picture')} could not be made. See the filter “Failed”.
        </p>
      )}
      {error !== null &&
        (running ? (
          <p class="small soft" role="status">
            {describeFailure(error).title}. Trying again.
          </p>
        ) : (
          <FaultNotice error={error} />
        ))}
      {saving.state.status === 'failed' && <FaultNotice error={saving.state.error} onRetry={save} />}
    </div>
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
        {done} of {total} made
      </p>
      <button type="button" class="button" onClick={batch.cancel}>
        Cancel
      </button>
      <progress max={total} value={done} aria-label="Pictures made" />
    </div>
  );
}
