/** Checks one picture against the rules of marketplaces, says what is wrong, and fixes what can be fixed. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RenderInput } from '../../../clients/typescript/src/packshot-client.ts';
import { readSettings } from '../photos/settings.ts';
import type { BackdropChoice } from '../pictures/backdrop-choice.ts';
import { ToggleChips } from '../shared/chips.tsx';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { useSession } from '../shared/session.ts';
import { useTask } from '../shared/use-task.ts';
import { t } from '../shared/words.ts';
import { marketplaces } from './marketplaces.ts';
import { fixOf, toVerdict, type Verdict } from './verdict.ts';
import { VerdictList } from './verdict-list.tsx';

interface Props {
  readonly request: RenderInput;
  readonly choice: BackdropChoice;
  readonly onFix: (change: Partial<BackdropChoice>) => void;
}

export function PictureCheck({ request, choice, onFix }: Props): JSX.Element {
  const { client, announce } = useSession();
  const task = useTask();
  const [chosen, setChosen] = useState(() => readSettings().marketplaces);
  const [result, setResult] = useState<{ of: string; verdicts: readonly Verdict[] } | null>(null);
  const of = JSON.stringify([request, chosen]);
  const verdicts = result?.of === of ? result.verdicts : [];
  const fix = fixOf(choice, verdicts);
  const check = () =>
    task.start(async (signal) => {
      const { id, ...recipe } = request;
      const { checks, passes } = await client.checkRender(id, { ...recipe, marketplaces: chosen, signal });
      setResult({ of, verdicts: checks.map(toVerdict) });
      announce(passes ? t('The picture passes our checks.') : t('The picture does not pass.'));
    });
  return (
    <fieldset class="group">
      <legend>{t('Check for marketplaces')}</legend>
      <ToggleChips options={marketplaces} chosen={chosen} onChange={setChosen} />
      {chosen.length > 0 && verdicts.length === 0 && (
        <div class="row">
          <button
            type="button"
            class="button"
            aria-disabled={task.running}
            onClick={() => task.running || check()}
          >
            {task.running ? t('Checking') : t('Check the picture')}
          </button>
        </div>
      )}
      <VerdictList verdicts={verdicts} remarks />
      {fix && (
        <button type="button" class="button wide" onClick={() => onFix(fix)}>
          {fix.chosen === undefined ? t('Fix the margin') : t('Fix with the main image of the marketplace')}
        </button>
      )}
      <FaultNotice error={task.error} onRetry={check} />
    </fieldset>
  );
}
