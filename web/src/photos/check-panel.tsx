/**
 * Marketplace checks of the photos' pictures: the choice of marketplaces, the number of pictures that pass,
 * and a button that fixes the other pictures.
 */
import type { JSX } from 'preact';
import type { Marketplace } from '../../../clients/typescript/src/packshot-client.ts';
import { countWords } from '../shared/count-words.ts';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { marketplaces } from './marketplaces.ts';
import { type Photo, pictureOf } from './photo.ts';
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
  const running = task.state.status === 'running';
  const begin = () => checks.check(ready, chosen, settings.format);
  const toggle = (id: Marketplace) =>
    onSettings({ marketplaces: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] });
  return (
    <fieldset class="group">
      <legend>Check for marketplaces</legend>
      <div class="chips">
        {marketplaces.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            class="chip"
            aria-pressed={chosen.includes(id)}
            onClick={() => toggle(id)}
          >
            {title}
          </button>
        ))}
      </div>
      {chosen.length > 0 && ready.length > 0 && (
        <div class="row">
          <button type="button" class="button" aria-disabled={running} onClick={() => running || begin()}>
            {running ? `Checking, ${left} left` : `Check ${countWords(ready.length, 'picture')}`}
          </button>
          {running && (
            <button type="button" class="button plain" onClick={task.stop}>
              Stop
            </button>
          )}
        </div>
      )}
      <p class="small soft" role="status">
        {resultOf(ready)}
      </p>
      {fixes.length > 0 && !running && (
        <button type="button" class="button wide" onClick={onFix}>
          Fix {countWords(fixes.length, 'picture')}
        </button>
      )}
      {task.state.status === 'failed' && <FaultNotice error={task.state.error} onRetry={begin} />}
    </fieldset>
  );
}

function resultOf(ready: readonly Photo[]): string {
  const checked = ready.filter((photo) => photo.checked && photo.checked.of === pictureOf(photo));
  if (checked.length === 0) return '';
  const passing = checked.filter(({ checked }) =>
    checked?.verdicts.every(({ verdict }) => verdict === 'passes'),
  );
  const words = `${passing.length} of ${countWords(checked.length, 'picture')} pass our checks.`;
  return passing.length < checked.length
    ? words
    : `${words} Text, logos and props are not checked; the marketplace has the last word.`;
}
