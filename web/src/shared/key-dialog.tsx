/** Dialog for the API key, which this browser stores until the user chooses to forget it. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { later } from './later.tsx';
import { t } from './words.ts';

const PhoneLink = later(async () => (await import('./phone-link.tsx')).PhoneLink);

interface Props {
  readonly why: string | undefined;
  /** The remembered key. */
  readonly secret: string | null;
  readonly onSave: (key: string) => void;
  readonly onForget: () => void;
  readonly onClose: () => void;
}

export function KeyDialog({ why, secret, onSave, onForget, onClose }: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [value, setValue] = useState('');
  const hasKey = secret !== null;
  useEffect(() => dialog.current?.showModal(), []);

  function save(event: Event): void {
    event.preventDefault();
    const key = value.trim();
    if (key) onSave(key);
  }

  return (
    <dialog ref={dialog} aria-labelledby="key-title" onClose={onClose}>
      <form onSubmit={save}>
        <div>
          <h2 id="key-title">{why ?? t('Your API key')}</h2>
          <p class="soft small">
            {hasKey
              ? t('This browser remembers a key. Enter another one to replace it.')
              : t(
                  'The key was printed when the service was first started; “packshot keys create” makes more keys. The key is kept in this browser and sent to this service only.',
                )}
          </p>
        </div>
        <div class="field">
          <label for="key">{t('API key')}</label>
          <input
            id="key"
            class="input"
            type="password"
            autocomplete="off"
            spellcheck={false}
            placeholder="psk_live_…"
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </div>
        <div class="row">
          {hasKey ? (
            <button type="button" class="button" onClick={onForget}>
              {t('Forget this key')}
            </button>
          ) : (
            <span />
          )}
          <span class="row">
            <button type="button" class="button plain" onClick={() => dialog.current?.close()}>
              {t('Cancel')}
            </button>
            <button type="submit" class="button primary" aria-disabled={value.trim() === ''}>
              {t('Use this key')}
            </button>
          </span>
        </div>
      </form>
      {hasKey && <PhoneLink secret={secret} />}
    </dialog>
  );
}
