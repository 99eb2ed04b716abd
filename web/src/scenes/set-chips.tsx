/** Suggested words, as buttons that add them to the prompt or remove them. */
import type { JSX } from 'preact';
import setChips from '../../../packages/sets/src/data/chips.json';
import { t } from '../shared/words.ts';

interface Props {
  readonly prompt: string;
  readonly onPrompt: (prompt: string) => void;
}

export function SetChips({ prompt, onPrompt }: Props): JSX.Element {
  const [popular, ...others] = setChips;
  const chips = (words: readonly string[]) => (
    <div class="chips">
      {words.map((word) => {
        const isIn = partsOf(prompt).some((part) => part.toLowerCase() === word);
        return (
          <button
            key={word}
            type="button"
            class="chip"
            aria-pressed={isIn}
            onClick={() => onPrompt(isIn ? takeOut(prompt, word) : putIn(prompt, word))}
          >
            {word}
          </button>
        );
      })}
    </div>
  );
  return (
    <fieldset class="group">
      <legend>{t('What sets can show')}</legend>
      {chips(popular?.words ?? [])}
      <details class="adjust">
        <summary>{t('More sets, light and colors')}</summary>
        {others.map(({ title, words }) => (
          <fieldset class="group" key={title}>
            <legend>{title}</legend>
            {chips(words)}
          </fieldset>
        ))}
      </details>
    </fieldset>
  );
}

const partsOf = (prompt: string): string[] =>
  prompt
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const putIn = (prompt: string, word: string): string => [...partsOf(prompt), word].join(', ');

const takeOut = (prompt: string, word: string): string =>
  partsOf(prompt)
    .filter((part) => part.toLowerCase() !== word)
    .join(', ');
