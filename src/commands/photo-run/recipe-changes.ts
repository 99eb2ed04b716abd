/** Options that change a recipe: the API's mutations that apply to plain recipes, with the same names and ranges. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Mutations } from '../../recipes/mutations.ts';
import { parseNumber } from '../shared/parse-options.ts';

/** The options, as Commander names them, and where their values stand in the mutations. */
const places = {
  margin: ['layout', 'margin'],
  align: ['layout', 'align'],
  scale: ['layout', 'scale'],
  x: ['layout', 'x'],
  y: ['layout', 'y'],
  rotate: ['layout', 'rotate'],
  fit: ['layout', 'fit'],
  shadow: ['shadow', 'kind'],
  shadowStrength: ['shadow', 'strength'],
  background: ['background', 'color'],
  shrink: ['edge', 'shrinkPx'],
  cutout: ['cutout'],
} as const;
type ChangeName = keyof typeof places;

export type ChangeOptions = { readonly [name in ChangeName]?: string | number };
export const changeOptions = Object.keys(places) as ChangeName[];

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
    .addOption(new Option('--cutout <what>', 'none: leave the photo as it is').choices(['auto', 'none']))
    .addOption(
      new Option('--fit <how>', 'how a photo left as it is gets the ratio').choices([
        'pad',
        'crop',
        'extend',
      ]),
    );
}

/** Undefined if no change is given. */
export function readChanges(options: ChangeOptions): Mutations | undefined {
  const mutations: Record<string, object | string | number> = {};
  for (const name of changeOptions) {
    const value = options[name];
    const [group, field] = places[name];
    if (value === undefined) continue;
    mutations[group] = field === undefined ? value : { ...Object(mutations[group]), [field]: value };
  }
  return Object.keys(mutations).length === 0 ? undefined : mutations;
}

/** Flags of the given changes, for messages. */
export const flagsOfChanges = (options: ChangeOptions): string[] =>
  changeOptions.filter((name) => options[name] !== undefined).map(flagOf);

/** Turns `shadowStrength` into `--shadow-strength`. */
export const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;

const parseShare = (min: number, max: number) => (text: string) =>
  parseNumber(min, max)(/^[\d.]+ ?%$/.test(text) ? String(Number.parseFloat(text) / 100) : text);

function parseColor(text: string): string {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text)?.[1]?.toUpperCase();
  if (digits === undefined) throw new InvalidArgumentError("Needs a color such as '#RRGGBB'.");
  return `#${digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('')}`;
}
