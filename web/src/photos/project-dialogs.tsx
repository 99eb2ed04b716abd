/** The dialogs that rename a project, and that delete everything in it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { countWords } from '../shared/count-words.ts';
import { Dialog } from '../shared/dialog.tsx';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { useSession } from '../shared/session.ts';
import { useTask } from '../shared/use-task.ts';
import { t } from '../shared/words.ts';
import { type Projects, toProjectName } from './projects.ts';

interface Props {
  readonly projects: Projects;
  readonly name: string;
  readonly onClose: () => void;
}

export function RenameProject({
  projects,
  name,
  onClose,
  onRenamed,
}: Props & { readonly onRenamed: (name: string) => void }): JSX.Element {
  const { announce } = useSession();
  const task = useTask();
  const [text, setText] = useState(name);
  const next = toProjectName(text);
  const joins = next !== null && next !== name && projects.isTaken(next);
  function save(): void {
    if (next === null) return;
    if (next === name) {
      onClose();
      return;
    }
    task.start(async () => {
      await projects.rename(name, next);
      announce(t('The project is now called {next}.', { next }));
      onRenamed(next);
      onClose();
    });
  }
  return (
    <Dialog
      title={t('Rename the project')}
      answer={task.running ? t('Saving') : t('Save')}
      answerKind="primary"
      isAnswered={next !== null}
      running={task.running}
      onAnswer={save}
      onClose={onClose}
    >
      <div class="field">
        <label for="project-name">{t('Name')}</label>
        <input
          id="project-name"
          class="input"
          maxLength={100}
          value={text}
          aria-describedby={joins ? 'project-joins' : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {joins && (
          <p id="project-joins" class="small" role="status">
            {t('There is a project with this name. The two become one.')}
          </p>
        )}
      </div>
      <FaultNotice error={task.error} onRetry={save} />
    </Dialog>
  );
}

export function EraseProject({
  projects,
  name,
  photos,
  onClose,
  onErased,
}: Props & { readonly photos: number; readonly onErased: () => void }): JSX.Element {
  const { announce } = useSession();
  const task = useTask();
  const many = countWords(photos, 'photo');
  const erase = () =>
    task.start(async () => {
      await projects.erase(name);
      announce(t('{name} is deleted.', { name }));
      onClose();
      // Nothing outside the dialog takes the focus before it has gone.
      setTimeout(onErased);
    });
  return (
    <Dialog
      title={t('Delete {name}?', { name })}
      answer={task.running ? t('Deleting') : t('Delete {many}', { many })}
      answerKind="danger"
      isAnswered
      running={task.running}
      onAnswer={erase}
      onClose={onClose}
    >
      <p>
        {t(
          'This deletes {many}, the cutouts and all pictures made from {value}, for everyone with your account. It cannot be undone.',
          { many, value: photos === 1 ? t('it') : t('them') },
        )}
      </p>
      <FaultNotice error={task.error} onRetry={erase} />
    </Dialog>
  );
}
