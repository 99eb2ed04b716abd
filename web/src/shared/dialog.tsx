/** A dialog with a question, a button that answers it, and one that leaves it. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from './words.ts';

interface Props {
  readonly title: string;
  readonly note?: string;
  /** The words of the button that answers. */
  readonly answer: string;
  readonly answerKind: 'primary' | 'danger';
  readonly isAnswered: boolean;
  /** While the service works on the answer, the question cannot be left. */
  readonly running?: boolean;
  readonly onAnswer: () => void;
  readonly onClose: () => void;
  /** Another button; the other two then stand together. */
  readonly aside?: ComponentChildren;
  /** Content below the question. */
  readonly below?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Dialog(props: Props): JSX.Element {
  const { title, note, running = false, aside } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Gives the focus back to the button that opened the dialog.
    return () => shown?.close();
  }, []);
  const buttons = (
    <>
      <button
        type="button"
        class="button plain"
        aria-disabled={running}
        onClick={() => running || dialog.current?.close()}
      >
        {t('Cancel')}
      </button>
      <button type="submit" class={`button ${props.answerKind}`} aria-disabled={!props.isAnswered || running}>
        {props.answer}
      </button>
    </>
  );
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={() => dialog.current && props.onClose()}
      onCancel={(event) => running && event.preventDefault()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (props.isAnswered && !running) props.onAnswer();
        }}
      >
        <div>
          <h2 id={titleId}>{title}</h2>
          {note && <p class="soft small">{note}</p>}
        </div>
        {props.children}
        <div class="row">
          {aside}
          {aside ? <span class="row">{buttons}</span> : buttons}
        </div>
      </form>
      {props.below}
    </dialog>
  );
}
