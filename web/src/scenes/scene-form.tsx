/** Form for scenes: prompt, aspect ratio, preset. */
import type { JSX } from 'preact';
import type { Suggestions } from '../../../clients/typescript/src/packshot-client.ts';
import { Chips, RatioChips } from '../shared/chips.tsx';
import { Elapsed } from '../shared/elapsed.tsx';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { Icon } from '../shared/icons.tsx';
import type { Task } from '../shared/use-task.ts';
import { t } from '../shared/words.ts';
import { KindChoice } from './kind-choice.tsx';
import { PromptReport } from './prompt-report.tsx';
import { SetChips } from './set-chips.tsx';

const presets = [
  { id: 'AI_STUDIO', title: 'AI Studio' },
  { id: 'own', title: 'My preset' },
] as const;

export interface SceneWish {
  readonly prompt: string;
  readonly variant: string;
  readonly preset: (typeof presets)[number]['id'];
  /** Name of the user's preset, if `preset` is `own`. */
  readonly ownPreset: string;
  /** The kind of product that the user has chosen; empty to use the service's guess. */
  readonly kind: string;
}

interface Props {
  readonly wish: SceneWish;
  readonly kindGuess: string | undefined;
  /** Report on the last prompt. */
  readonly words: Suggestions['prompt'];
  readonly planning: Task;
  readonly onWish: (wish: SceneWish) => void;
  readonly onSuggest: () => void;
}

export function SceneForm(props: Props): JSX.Element {
  const { wish, words, planning, onSuggest } = props;
  const change = (part: Partial<SceneWish>) => props.onWish({ ...wish, ...part });
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault();
        onSuggest();
      }}
    >
      <div class="field">
        <label for="prompt">{t('What do you have in mind?')}</label>
        <textarea
          id="prompt"
          class="input"
          maxLength={1000}
          placeholder={t('White marble podium, palm shadow, morning light')}
          value={wish.prompt}
          onInput={(event) => change({ prompt: event.currentTarget.value })}
        />
        {words && <PromptReport words={words} />}
      </div>
      <SetChips prompt={wish.prompt} onPrompt={(prompt) => change({ prompt })} />
      <RatioChips name="scene-shape" chosen={wish.variant} onChoose={(variant) => change({ variant })} />
      <KindChoice guess={props.kindGuess} chosen={wish.kind} onChoose={(kind) => change({ kind })} />
      <PresetChoice wish={wish} onChange={change} />
      <button type="submit" class="button primary large wide submit" aria-disabled={planning.running}>
        {planning.running ? (
          <span>
            {t('Planning scenes')}
            <Elapsed since={planning.since} />
          </span>
        ) : (
          <>
            <Icon name="spark" /> {t('Suggest scenes')}
          </>
        )}
      </button>
      <FaultNotice error={planning.error} onRetry={onSuggest} />
    </form>
  );
}

interface PresetProps {
  readonly wish: SceneWish;
  readonly onChange: (part: Partial<SceneWish>) => void;
}

function PresetChoice({ wish, onChange }: PresetProps): JSX.Element {
  return (
    <Chips
      title={t('Preset')}
      name="preset"
      options={presets}
      chosen={wish.preset}
      onChoose={(preset) => onChange({ preset })}
    >
      {wish.preset === 'own' && (
        <>
          <label class="hidden" for="own-preset">
            {t('Name of your preset')}
          </label>
          <input
            id="own-preset"
            class="input"
            placeholder="ACME_SPRING"
            spellcheck={false}
            value={wish.ownPreset}
            onInput={(event) => onChange({ ownPreset: event.currentTarget.value })}
          />
        </>
      )}
    </Chips>
  );
}
