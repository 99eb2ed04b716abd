/** A choice among a few options, as styled radio buttons. */
import type { JSX } from 'preact';
import { type Title, t, translate } from './words.ts';

interface Props<Id extends string> {
  readonly name: string;
  readonly options: readonly { readonly id: Id; readonly title: Title }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
}

export function Chips<Id extends string>({ name, options, chosen, onChoose }: Props<Id>): JSX.Element {
  return (
    <>
      {options.map(({ id, title }) => (
        <label class="chip" key={id}>
          <input type="radio" name={name} checked={id === chosen} onChange={() => onChoose(id)} />
          {translate(title)}
        </label>
      ))}
    </>
  );
}

interface ToggleProps<Id extends string> {
  readonly options: readonly { readonly id: Id; readonly title: string }[];
  readonly chosen: readonly Id[];
  readonly onChange: (chosen: readonly Id[]) => void;
}

/** A choice of any number of options. */
export function ToggleChips<Id extends string>({ options, chosen, onChange }: ToggleProps<Id>): JSX.Element {
  return (
    <>
      {options.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          class="chip"
          aria-pressed={chosen.includes(id)}
          onClick={() => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
        >
          {translate(title)}
        </button>
      ))}
    </>
  );
}

const ratios = ['1:1', '4:5', '3:4', '2:3', '9:16', '5:4', '4:3', '3:2', '16:9'] as const;

interface RatioProps {
  readonly name: string;
  readonly chosen: string;
  readonly onChoose: (ratio: string) => void;
}

/** The aspect ratios of a picture, drawn as icons. */
export function RatioChips({ name, chosen, onChoose }: RatioProps): JSX.Element {
  return (
    <fieldset class="group">
      <legend>{t('Aspect ratio')}</legend>
      <div class="chips">
        {ratios.map((ratio) => {
          const share = ratioOf(ratio);
          const size = { width: `${14 * Math.min(1, share)}px`, height: `${14 / Math.max(1, share)}px` };
          return (
            <label class="chip" key={ratio}>
              <input type="radio" name={name} checked={ratio === chosen} onChange={() => onChoose(ratio)} />
              <span class="shape" style={size} />
              {ratio}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

/** Width divided by height. */
export function ratioOf(variant: string): number {
  const [width = 1, height = 1] = variant.split(':').map(Number);
  return width / height || 1;
}
