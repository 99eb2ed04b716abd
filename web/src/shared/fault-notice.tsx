/**
 * A failure, shown where it happened: a helpful message, the request id, and a button for the remedy.
 */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { describeFailure } from './error-words.ts';
import { Icon } from './icons.tsx';
import { useSession } from './session.ts';
import { t } from './words.ts';

interface Props {
  /** Null if nothing failed. */
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Lets the user choose another photo. */
  readonly onOtherPhoto?: (() => void) | undefined;
}

export function FaultNotice({ error, onRetry, onOtherPhoto }: Props): JSX.Element | null {
  const { askForKey } = useSession();
  const { title, help, remedy, code, requestId } = describeFailure(error);
  useEffect(() => {
    if (error !== null && remedy === 'key') askForKey(title);
  }, [error]);
  if (error === null) return null;
  return (
    <div class="notice fault appear" role="alert">
      <Icon name="fault" size={20} />
      <div>
        <strong>{title}</strong>
        <p>{help}</p>
        <code>
          {code}
          {requestId && ` · ${requestId}`}
        </code>
        <div class="row">
          {remedy === 'key' && (
            <button type="button" class="button" onClick={() => askForKey(title)}>
              {t('Change key')}
            </button>
          )}
          {onRetry && (remedy === 'retry' || remedy === 'key') && (
            <button type="button" class="button" onClick={onRetry}>
              {t('Try again')}
            </button>
          )}
          {onOtherPhoto && remedy === 'photo' && (
            <button type="button" class="button" onClick={onOtherPhoto}>
              {t('Use another photo')}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}
