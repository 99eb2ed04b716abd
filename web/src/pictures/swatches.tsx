/** The colors of the solid recipes as a grid, plus a custom color and a transparent background. */
import type { JSX } from 'preact';
import type { Recipes } from '../../../clients/typescript/src/packshot-client.ts';
import { type PaletteColor, palette } from '../../../src/recipes/solid-colors.ts';
import { t } from '../shared/words.ts';

/**
 * The numbers of the colors, sorted by appearance, in six rows of ten: cool, warm, earth tones, pastels, greens to
 * pinks, yellows and deep colors.
 */
const rows = `
  35 31 32 10 09 08 07 06 05 04
  34 33 15 14 13 12 11 03 02 01
  20 19 18 16 17 23 22 21 24 25
  53 51 52 49 50 60 59 58 57 56
  54 55 41 42 43 44 45 46 47 48
  40 39 38 37 36 30 27 26 28 29`;

const place = (color: PaletteColor) => {
  const at = rows.indexOf(color.number.slice(2));
  // A color that is missing in `rows` comes last.
  return at < 0 ? rows.length : at;
};
/** The colors that shops use most; the others are one click away. */
const usual = ['0035', '0032', '0010', '0015', '0016', '0049', '0055', '0058', '0003', '0001'];

const sorted = [...palette].sort((a, b) => place(a) - place(b));

interface Props {
  /** The solid recipes of the service. */
  readonly known: Recipes['recipes'];
  /** The transparent recipe; undefined if the service has none. */
  readonly transparent: Recipes['recipes'][number] | undefined;
  /** The number of a Solid recipe, `custom`, or the id of another recipe. */
  readonly chosen: string;
  readonly color: string;
  readonly onChoose: (chosen: string) => void;
  readonly onColor: (color: string) => void;
}

export function Swatches({ known, transparent, chosen, color, onChoose, onColor }: Props): JSX.Element {
  const numbers = new Set(known.map(({ id }) => id.slice(-4)));
  const shown = sorted.filter(({ number }) => numbers.has(number));
  const chosenColor = shown.find(({ number }) => number === chosen);
  const first = usual.flatMap((number) => shown.find((color) => color.number === number) ?? []);
  const others = shown.filter((color) => !first.includes(color));
  const swatch = ({ number, name, color: value }: PaletteColor) => (
    <label class="swatch" key={number} title={name} style={{ background: value }}>
      <input
        type="radio"
        name="backdrop"
        aria-label={name}
        checked={chosen === number}
        onChange={() => onChoose(number)}
      />
    </label>
  );
  return (
    <fieldset class="group">
      <legend>
        {t('Color')}
        {chosenColor && (
          <span class="soft legend-value">
            {' '}
            {chosenColor.name} {chosenColor.color}
          </span>
        )}
      </legend>
      <div class="swatches">{first.map(swatch)}</div>
      <div class="chips">
        {transparent && (
          <label class="chip">
            <input
              type="radio"
              name="backdrop"
              checked={chosen === transparent.id}
              onChange={() => onChoose(transparent.id)}
            />
            <span class="dot checker" />
            {transparent.title}
          </label>
        )}
        <label class="chip">
          <input
            type="radio"
            name="backdrop"
            checked={chosen === 'custom'}
            onChange={() => onChoose('custom')}
          />
          <span class="dot" style={{ background: color }} />
          {t('Any color')}
        </label>
        {chosen === 'custom' && (
          <>
            <label class="chip">
              <input
                type="color"
                aria-label={t('The color')}
                value={color}
                onInput={(event) => onColor(event.currentTarget.value)}
              />
              {t('Pick')}
            </label>
            <input
              class="input hex"
              aria-label={t('The color as a code')}
              placeholder="#d9e4dc"
              maxLength={7}
              spellcheck={false}
              value={color}
              onChange={(event) => {
                const [, hex] = /^#?([0-9a-f]{6})$/i.exec(event.currentTarget.value.trim()) ?? [];
                if (hex) onColor(`#${hex.toLowerCase()}`);
                else event.currentTarget.value = color;
              }}
            />
          </>
        )}
      </div>
      {others.length > 0 && (
        <details open={others.some(({ number }) => number === chosen)}>
          <summary class="small soft">{t('All colors')}</summary>
          <div class="swatches">{others.map(swatch)}</div>
        </details>
      )}
    </fieldset>
  );
}
