/** Report on a prompt's words: what each word changed in the scenes, and which words had no effect. */
import type { JSX } from 'preact';
import type { Suggestions } from '../../../clients/typescript/src/packshot-client.ts';
import { t, translate } from '../shared/words.ts';

type Words = NonNullable<Suggestions['prompt']>;
type Reason = Words['notShown'][number]['reason'];

const sentences: readonly (readonly [readonly Reason[], string])[] = [
  [['not_drawable'], 'No set can show'],
  [['unknown_word'], 'Not understood'],
  [['no_effect', 'not_the_product'], 'Had no effect here'],
];

export function PromptReport({ words }: { readonly words: Words }): JSX.Element | null {
  const { used, notShown } = words;
  if (used.length + notShown.length === 0) return null;
  const listed = (reasons: readonly Reason[]): string =>
    notShown
      .filter(({ reason }) => reasons.includes(reason))
      .map((unused) => unused.words)
      .join(', ');
  return (
    <section class="prompt-report small" aria-label={t('Your words in these scenes')}>
      {used.length > 0 && (
        <ul>
          {used.map(({ words: said, effect }) => (
            <li key={`${said.join()} ${effect}`}>
              <span class="soft">{said.join(', ')}</span> <span aria-hidden="true">→</span>
              <span class="hidden"> {t('became')} </span> {effect}
            </li>
          ))}
        </ul>
      )}
      {sentences.map(([reasons, title]) => {
        const list = listed(reasons);
        return (
          list && (
            <p key={title}>
              {translate(title)}: {list}.
            </p>
          )
        );
      })}
    </section>
  );
}
