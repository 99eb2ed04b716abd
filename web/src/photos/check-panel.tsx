/**
 * Marketplace checks of the photos' pictures: the choice of marketplaces, the number of pictures that pass,
 * and a button that fixes the other pictures.
 */
import type { JSX } from 'preact';
import { marketplaces } from '../checks/marketplaces.ts';
import { ToggleChips } from '../shared/chips.tsx';
import { countWords } from '../shared/count-words.ts';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { t } from '../shared/words.ts';
import { fits, type Photo, verdictsOf } from './photo.ts';
import type { Settings } from './settings.ts';
import { type Checks, fixesOf } from './use-checks.ts';

interface Props {
  readonly targets: readonly Photo[];
  readonly settings: Settings;
  readonly checks: Checks;
  readonly onSettings: (change: Partial<Settings>) => void;
  readonly onFix: () => void;
}

export function CheckPanel({ targets, settings, checks, onSettings, onFix }: Props): JSX.Element {
  const chosen = settings.marketplaces;
  const ready = targets.filter(({ state }) => state === 'ready');
  const fixes = fixesOf(ready);
  const { task, left } = checks;
  const begin = () => checks.check(ready, settings);
  return (
    <fieldset class="group">
      <legend>{t('Check for marketplaces')}</legend>
      <ToggleChips
        options={marketplaces}
        chosen={chosen}
        onChange={(next) => onSettings({ marketplaces: next })}
      />
      {chosen.length > 0 && ready.length > 0 && (
        <div class="row">
          <button
            type="button"
            class="button"
            aria-disabled={task.running}
            onClick={() => task.running || begin()}
          >
            {task.running
              ? t('Checking, {left} left', { left })
              : t('Check {count}', { count: countWords(ready.length, 'picture') })}
          </button>
          {task.running && (
            <button type="button" class="button plain" onClick={task.stop}>
              {t('Stop')}
            </button>
          )}
        </div>
      )}
      <p class="small soft" role="status">
        {resultOf(ready)}
      </p>
      {fixes.length > 0 && !task.running && (
        <button type="button" class="button wide" onClick={onFix}>
          {t('Fix {count}', { count: countWords(fixes.length, 'picture') })}
        </button>
      )}
      <FaultNotice error={task.error} onRetry={begin} />
    </fieldset>
  );
}

function resultOf(ready: readonly Photo[]): string {
  const checked = ready.filter((photo) => verdictsOf(photo).length > 0);
  if (checked.length === 0) return '';
  const passing = checked.filter((photo) => !fits(photo, 'refused'));
  const words = t('{passing} of {pictures} pass our checks.', {
    passing: passing.length,
    pictures: countWords(checked.length, 'picture'),
  });
  return passing.length < checked.length
    ? `${words} ${t('The filter “Fails a check” shows the others.')}`
    : `${words} ${t('Text, logos and props are not checked; the marketplace has the last word.')}`;
}
