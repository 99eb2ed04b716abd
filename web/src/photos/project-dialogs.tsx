/** The dialogs that rename a project, and that delete everything in it. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { countWords } from '../shared/count-words.ts';
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
  const running = task.state.status === 'running';
  const joins = next !== null && next !== name && projects.isTaken(next);
  function save(): void {
    if (next === null || running) return;
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
    <Question title={t('Rename the project')} running={running} onClose={onClose} onSubmit={save}>
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
      {task.state.status === 'failed' && <FaultNotice error={task.state.error} onRetry={save} />}
      <Buttons running={running}>
        <button type="submit" class="button primary" aria-disabled={next === null || running}>
          {running ? t('Saving') : t('Save')}
        </button>
      </Buttons>
    </Question>
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
  const running = task.state.status === 'running';
  const many = countWords(photos, 'photo');
  const erase = () => {
    if (running) return;
    task.start(async () => {
      await projects.erase(name);
      announce(t('{name} is deleted.', { name }));
      onClose();
      // Nothing outside the dialog takes the focus before it has gone.
      setTimeout(onErased);
    });
  };
  return (
    <Question title={t('Delete {name}?', { name })} running={running} onClose={onClose} onSubmit={erase}>
      <p>
        {t(
          'This deletes {many}, the cutouts and all pictures made from {value}, for everyone with your account. It cannot be undone.',
          { many, value: photos === 1 ? t('it') : t('them') },
        )}
      </p>
      {task.state.status === 'failed' && <FaultNotice error={task.state.error} onRetry={erase} />}
      <Buttons running={running}>
        <button type="submit" class="button danger" aria-disabled={running}>
          {running ? t('Deleting') : t('Delete {many}', { many })}
        </button>
      </Buttons>
    </Question>
  );
}

interface QuestionProps {
  readonly title: string;
  /** While the service works on the answer, the question cannot be left. */
  readonly running: boolean;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

function Question({ title, running, onClose, onSubmit, children }: QuestionProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Gives the focus back to the button that opened the dialog.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="question-title"
      onClose={onClose}
      onCancel={(event) => running && event.preventDefault()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <h2 id="question-title">{title}</h2>
        {children}
      </form>
    </dialog>
  );
}

function Buttons({
  running,
  children,
}: {
  readonly running: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="row">
      <button
        type="button"
        class="button plain"
        aria-disabled={running}
        onClick={(event) => running || event.currentTarget.closest('dialog')?.close()}
      >
        {t('Cancel')}
      </button>
      {children}
    </div>
  );
}
