/** Choices among a few options, as chips. */
import type { ComponentChildren, JSX } from 'preact';
import { type Title, t, translate } from './words.ts';

interface Props<Id extends string> {
  readonly name: string;
  readonly options: readonly {
    readonly id: Id;
    readonly title: Title | `${number}:${number}`;
    /** Drawn before the title, or after it. */
    readonly mark?: JSX.Element;
    readonly note?: JSX.Element;
  }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  /** A title above the chips. */
  readonly title?: string;
  /** A title for screen readers. */
  readonly label?: string;
  readonly kind?: 'chips' | 'chips thirds' | 'segments';
  /** Content beside the chips. */
  readonly beside?: ComponentChildren;
  /** Content below the chips, if they have a title. */
  readonly children?: ComponentChildren;
}

/** A choice of one option, as styled radio buttons. */
export function Chips<Id extends string>(props: Props<Id>): JSX.Element {
  const { title, label, kind = 'chips' } = props;
  const chips = (
    <>
      {props.options.map(({ id, title, mark, note }) => (
        <label class="chip" key={id}>
          <input
            type="radio"
            name={props.name}
            checked={id === props.chosen}
            onChange={() => props.onChoose(id)}
          />
          {mark}
          {translate(title)}
          {note}
        </label>
      ))}
      {props.beside}
    </>
  );
  if (label) {
    return (
      <fieldset class={kind}>
        <legend class="hidden">{label}</legend>
        {chips}
      </fieldset>
    );
  }
  if (!title) return <div class={kind}>{chips}</div>;
  return (
    <fieldset class="group">
      <legend>{title}</legend>
      <div class={kind}>{chips}</div>
      {props.children}
    </fieldset>
  );
}

interface ToggleProps<Id extends string> {
  readonly options: readonly { readonly id: Id; readonly title: string }[];
  readonly chosen: readonly Id[];
  readonly onChange: (chosen: readonly Id[]) => void;
  /** Content beside the chips. */
  readonly children?: ComponentChildren;
}

/** A choice of any number of options. */
export function ToggleChips<Id extends string>(props: ToggleProps<Id>): JSX.Element {
  const { options, chosen, onChange } = props;
  return (
    <div class="chips">
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
      {props.children}
    </div>
  );
}

const ratios = ['1:1', '4:5', '3:4', '2:3', '9:16', '5:4', '4:3', '3:2', '16:9'] as const;

/** The aspect ratios of a picture, drawn as icons. */
export const RatioChips = (props: Pick<Props<string>, 'name' | 'chosen' | 'onChoose'>): JSX.Element => (
  <Chips
    {...props}
    title={t('Aspect ratio')}
    options={ratios.map((ratio) => ({ id: ratio, title: ratio, mark: shapeOf(ratioOf(ratio)) }))}
  />
);

function shapeOf(ratio: number): JSX.Element {
  const size = { width: `${14 * Math.min(1, ratio)}px`, height: `${14 / Math.max(1, ratio)}px` };
  return <span class="shape" style={size} />;
}

/** Width divided by height. */
export function ratioOf(variant: string): number {
  const [width = 1, height = 1] = variant.split(':').map(Number);
  return width / height || 1;
}
