/** A number that is set by a slider or typed. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../shared/words.ts';

interface Props {
  readonly id: string;
  readonly title: string;
  readonly unit: '%' | '°' | 'px';
  /** Null if it is not known. */
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly onChange: (value: number) => void;
  /** What the number means. */
  readonly children?: ComponentChildren;
}

export function Slider({
  id,
  title,
  unit,
  value,
  min,
  max,
  step = 1,
  onChange,
  children,
}: Props): JSX.Element {
  /** While the thumb is dragged, only the number follows: a picture of each position would come too late. */
  const [moving, setMoving] = useState<number | null>(null);
  const shown = moving ?? value;
  const set = (next: number) => {
    setMoving(null);
    onChange(Math.min(max, Math.max(min, next)));
  };
  const bounds = { min, max, step };
  return (
    <div class="field slider">
      <label for={id}>{title}</label>
      <span class="slider-number">
        <input
          class="input"
          type="number"
          aria-label={t('{title} in {unit}', { title, unit })}
          {...bounds}
          value={shown ?? ''}
          onChange={({ currentTarget: field }) => {
            // An emptied field shows again what holds.
            if (field.value === '') field.value = `${shown ?? ''}`;
            else set(field.valueAsNumber);
          }}
        />
        {unit}
      </span>
      <input
        id={id}
        class="range"
        type="range"
        {...bounds}
        value={shown ?? min}
        aria-valuetext={shown === null ? t('As designed') : `${shown} ${unit}`}
        onInput={(event) => setMoving(event.currentTarget.valueAsNumber)}
        onChange={(event) => set(event.currentTarget.valueAsNumber)}
      />
      {children}
    </div>
  );
}
