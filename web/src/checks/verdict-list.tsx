/** One badge for each marketplace: whether the picture passes its check; and below, what is wrong, in words. */
import type { JSX } from 'preact';
import { Icon } from '../shared/icons.tsx';
import { t } from '../shared/words.ts';
import { titleOf } from './marketplaces.ts';
import type { Verdict } from './verdict.ts';

interface Props {
  readonly verdicts: readonly Verdict[];
  /** Whether to say what could be better in a picture that passes. */
  readonly remarks?: boolean;
}

export function VerdictList({ verdicts, remarks = false }: Props): JSX.Element | null {
  if (verdicts.length === 0) return null;
  const say = (what: 'reasons' | 'remarks') => [...new Set(verdicts.flatMap((verdict) => verdict[what]))];
  return (
    <div class="verdicts">
      <ul class="badges">
        {verdicts.map(({ marketplace, verdict }) => (
          <li key={marketplace} class={`badge ${verdict}`}>
            <Icon name={verdict === 'passes' ? 'check' : 'fault'} size={14} />
            {titleOf(marketplace)}
            <span class="hidden">: {t(verdict)}</span>
          </li>
        ))}
      </ul>
      {say('reasons').map((reason) => (
        <p key={reason} class="small bad">
          {reason}
        </p>
      ))}
      {remarks &&
        say('remarks').map((remark) => (
          <p key={remark} class="small soft">
            {t('Could be better. {remark}', { remark })}
          </p>
        ))}
    </div>
  );
}
