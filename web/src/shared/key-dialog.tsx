/** Dialog for the API key, which this browser stores until the user chooses to forget it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
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
  const [value, setValue] = useState('');
  const hasKey = secret !== null;
  const key = value.trim();
  return (
    <Dialog
      title={why ?? t('Your API key')}
      note={
        hasKey
          ? t('This browser remembers a key. Enter another one to replace it.')
          : t(
              'The key was printed when the service was first started; “packshot keys create” makes more keys. The key is kept in this browser and sent to this service only.',
            )
      }
      answer={t('Use this key')}
      answerKind="primary"
      isAnswered={key !== ''}
      onAnswer={() => onSave(key)}
      onClose={onClose}
      aside={
        hasKey ? (
          <button type="button" class="button" onClick={onForget}>
            {t('Forget this key')}
          </button>
        ) : (
          <span />
        )
      }
      below={hasKey && <PhoneLink secret={secret} />}
    >
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
    </Dialog>
  );
}
