/** Options that change a recipe: the API's mutations that apply to plain recipes, with the same names and ranges. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Mutations } from '../../recipes/mutations.ts';
import { parseNumber } from '../shared/parse-options.ts';

export interface ChangeOptions {
  readonly margin?: number;
  readonly align?: 'center' | 'baseline';
  readonly scale?: number;
  readonly x?: number;
  readonly y?: number;
  readonly rotate?: number;
  readonly shadow?: 'none' | 'contact' | 'cast';
  readonly shadowStrength?: number;
  /** `#RRGGBB` */
  readonly background?: string;
  readonly shrink?: number;
  readonly glass?: 'solid' | 'auto';
}

export function addChangeOptions(command: Command): Command {
  return command
    .option(
      '--background <color>',
      "backdrop color, such as '#F4F1EA' (quote it, or leave out the #); without --recipe, makes a plain backdrop of this color",
      parseColor,
    )
    .option(
      '--margin <share>',
      'free border, 0 to 0.4 of the shorter side, or a percentage such as 7%',
      parseShare(0, 0.4),
    )
    .option('--scale <share>', 'product size, 0.1 to 1 of what fits inside the margin', parseShare(0.1, 1))
    .addOption(
      new Option(
        '--align <where>',
        'center the product, or align its base with the baseline shared by all pictures',
      ).choices(['center', 'baseline']),
    )
    .option('--x <share>', "the product's center across the picture, 0 (left) to 1 (right)", parseShare(0, 1))
    .option('--y <share>', "the product's center down the picture, 0 (top) to 1 (bottom)", parseShare(0, 1))
    .option('--rotate <degrees>', 'turn the product clockwise, -180 to 180', parseNumber(-180, 180))
    .addOption(new Option('--shadow <kind>', 'shadow below the product').choices(['none', 'contact', 'cast']))
    .option('--shadow-strength <share>', 'darkness of the shadow, 0 to 1', parseShare(0, 1))
    .option(
      '--shrink <px>',
      'trim the outline by 0 to 4 px, to remove a fringe of old background',
      parseNumber(0, 4),
    )
    .addOption(
      new Option(
        '--glass <kind>',
        'auto: the new backdrop shows through clear glass, such as lenses (default: solid)',
      ).choices(['solid', 'auto']),
    );
}

/** Undefined if no change is given. */
export function readChanges(options: ChangeOptions): Mutations | undefined {
  const { margin, align, scale, x, y, rotate, shadow, shadowStrength, background, shrink, glass } = options;
  const changes = {
    layout: given({ margin, align, scale, x, y, rotate }),
    shadow: given({ kind: shadow, strength: shadowStrength }),
    background: given({ color: background }),
    edge: given({ shrinkPx: shrink, glass }),
  };
  return given(changes);
}

/** Option keys, as Commander names them. */
export const changeOptions = [
  'background',
  'margin',
  'scale',
  'align',
  'x',
  'y',
  'rotate',
  'shadow',
  'shadowStrength',
  'shrink',
  'glass',
] as const satisfies readonly (keyof ChangeOptions)[];

/** Flags of the given changes, for messages. */
export const flagsOfChanges = (options: ChangeOptions): string[] =>
  changeOptions.filter((name) => options[name] !== undefined).map(flagOf);

/** Turns `shadowStrength` into `--shadow-strength`. */
export const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function given<T extends object>(values: T): Given<T> | undefined {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Given<T>);
}

const parseShare = (min: number, max: number) => (text: string) =>
  parseNumber(min, max)(/^[\d.]+ ?%$/.test(text) ? String(Number.parseFloat(text) / 100) : text);

function parseColor(text: string): string {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text)?.[1]?.toUpperCase();
  if (digits === undefined) throw new InvalidArgumentError("Needs a color such as '#RRGGBB'.");
  return `#${digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('')}`;
}
