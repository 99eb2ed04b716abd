/** The files to make: for which channels, in which format and size, and under which names. */
import type { JSX } from 'preact';
import { formats } from '../pictures/full-version.tsx';
import { Chips, ToggleChips } from '../shared/chips.tsx';
import { t } from '../shared/words.ts';
import { channels } from './channels.ts';
import type { Settings } from './settings.ts';

const formatsAndFit = [{ id: 'fits', title: 'Best fit' }, ...formats] as const;

interface Props {
  readonly settings: Settings;
  readonly onSettings: (change: Partial<Settings>) => void;
}

export function FilesPanel({ settings, onSettings }: Props): JSX.Element {
  const { format, longEdgePx, maxBytes, names } = settings;
  return (
    <>
      <fieldset class="group" id="channels">
        <legend>{t('Channels')}</legend>
        <p class="small soft">
          {t(
            'Each channel gets every photo, in its own folder of the ZIP: main images on white, the others in the photo’s look. Without a channel, each photo is made once, as in the grid.',
          )}
        </p>
        <ToggleChips
          options={channels}
          chosen={settings.channels}
          onChange={(next) => onSettings({ channels: next })}
        />
      </fieldset>
      <Chips
        title={t('Files')}
        name="batch-format"
        options={formatsAndFit}
        chosen={format ?? 'fits'}
        onChoose={(next) => onSettings({ format: next === 'fits' ? null : next })}
      >
        <div class="file-fields">
          <NumberField
            title={t('Longer side, px')}
            usual="2000"
            value={longEdgePx}
            min={16}
            max={2000}
            step={1}
            onChange={(next) => onSettings({ longEdgePx: next === null ? null : Math.round(next) })}
          />
          <NumberField
            title={t('At most, MB')}
            usual={t('any')}
            value={maxBytes === null ? null : maxBytes / 1e6}
            min={0.01}
            max={100}
            step={0.01}
            onChange={(next) => onSettings({ maxBytes: next === null ? null : Math.round(next * 1e6) })}
          />
        </div>
        <label class="field">
          <span>{t('Names')}</span>
          <input
            class="input"
            value={names}
            maxLength={120}
            onChange={(event) => onSettings({ names: event.currentTarget.value.trim() || '{name}' })}
          />
          <span class="small soft">
            {t(
              '{name} is the photo’s name, or that of the list (CSV) with its SKUs; {n} its number; {channel} the folder.',
              { name: '{name}', n: '{n}', channel: '{channel}' },
            )}
          </span>
        </label>
      </Chips>
    </>
  );
}

interface NumberProps {
  readonly title: string;
  /** What an empty field means. */
  readonly usual: string;
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onChange: (value: number | null) => void;
}

function NumberField({ title, usual, value, min, max, step, onChange }: NumberProps): JSX.Element {
  return (
    <label class="field">
      <span>{title}</span>
      <input
        class="input"
        type="number"
        {...{ min, max, step }}
        placeholder={usual}
        value={value ?? ''}
        onChange={(event) => {
          const next = event.currentTarget.valueAsNumber;
          const kept = Number.isFinite(next) ? Math.min(max, Math.max(min, next)) : null;
          event.currentTarget.value = String(kept ?? '');
          onChange(kept);
        }}
      />
    </label>
  );
}
