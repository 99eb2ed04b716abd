/** Adjustments of a backdrop: the margin around the product, its shadow, and the baseline. */
import type { JSX } from 'preact';
import { Chips } from '../shared/chips.tsx';
import type { BackdropChoice } from './backdrop-choice.ts';

const shadows = [
  { id: 'own', title: 'As designed' },
  { id: 'none', title: 'None' },
  { id: 'contact', title: 'Contact' },
  { id: 'cast', title: 'Cast' },
] as const;

const lines = [
  { id: 'own', title: 'As designed' },
  { id: 'baseline', title: 'On one line' },
] as const;

interface Props {
  readonly choice: BackdropChoice;
  /** The recipe's own margin, as a fraction of the shorter side. */
  readonly ownMargin: number;
  readonly onChange: (change: Partial<BackdropChoice>) => void;
}

export function Adjust({ choice, ownMargin, onChange }: Props): JSX.Element {
  const margin = choice.margin ?? ownMargin;
  return (
    <details class="group adjust">
      <summary>Adjust</summary>
      <div class="field">
        <label for="margin">
          Margin{' '}
          <output class="soft" for="margin">
            {percent(margin)} %: the product fills up to {percent(1 - 2 * margin)} %
          </output>
        </label>
        <input
          id="margin"
          class="range"
          type="range"
          min="0"
          max="0.3"
          step="0.01"
          value={margin}
          aria-valuetext={`${percent(margin)} %`}
          onChange={(event) => onChange({ margin: Number(event.currentTarget.value) })}
        />
      </div>
      <fieldset class="group">
        <legend>Shadow</legend>
        <div class="chips">
          <Chips
            name="shadow"
            options={shadows}
            chosen={choice.shadow}
            onChoose={(shadow) => onChange({ shadow })}
          />
        </div>
      </fieldset>
      <fieldset class="group">
        <legend>Where products stand</legend>
        <div class="chips">
          <Chips
            name="line"
            options={lines}
            chosen={choice.align}
            onChoose={(align) => onChange({ align })}
          />
        </div>
      </fieldset>
    </details>
  );
}

const percent = (share: number): number => Math.round(100 * share);
