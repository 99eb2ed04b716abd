/** Output location, format and recipe of `packshot remove`, from the command line. */
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PackshotError } from 'packshot-errors';
import { variants } from 'packshot-pixels';
import { findRecipe, type Recipe } from '../../recipes/catalogue.ts';
import type { Mutations } from '../../recipes/mutations.ts';
import { resolveRecipe } from '../../recipes/resolve-recipe.ts';
import { isLossy, type RenderFormat } from '../../rendering/render-target.ts';
import { parseWhole } from '../shared/parse-options.ts';
import type { Refuse } from '../shared/refuse.ts';
import { addChangeOptions, type ChangeOptions, flagsOfChanges, readChanges } from './recipe-changes.ts';

export type Target =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly format: RenderFormat }
  | { readonly kind: 'stdout' };

/** Values of --format. `jpg` and `jpeg` are the same format with different file extensions. */
export const formatChoices = ['png', 'webp', 'jpg', 'avif', 'jpeg'] as const;
export type FormatChoice = (typeof formatChoices)[number];

export const toFormat = (choice: FormatChoice): RenderFormat => (choice === 'jpg' ? 'jpeg' : choice);
/** Shops expect `.jpg`; `--format jpeg` keeps the long extension. */
export const toExtension = (choice: FormatChoice | undefined, format: RenderFormat): FormatChoice =>
  choice ?? (format === 'jpeg' ? 'jpg' : format);

export const writableFormats = 'Pictures are written as png, webp, jpg or avif.';
/** Common picture extensions that Packshot does not write. An unknown extension is taken as part of a folder's name. */
const unwritable = /\.(tiff?|gif|hei[cf]|bmp|svg|pdf|psd|jxl|jp2|ico|raw|dng)$/i;
export const isUnwritableName = (name: string): boolean => unwritable.test(name);

const formatOfExtension: Readonly<Record<string, RenderFormat>> = {
  '.png': 'png',
  '.webp': 'webp',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.avif': 'avif',
};
/** Undefined if the name has no extension of a writable picture format. */
export const formatOfName = (name: string): RenderFormat | undefined =>
  formatOfExtension[extname(name).toLowerCase()];

/** A separate folder, so that no photo can be overwritten. */
export const defaultFolder = 'packshots';

export async function chooseTarget(
  words: readonly string[],
  out: string | undefined,
  refuse: Refuse,
): Promise<Target> {
  const isPipe = words.length === 1 && words[0] === '-';
  if (out === '-' || (out === undefined && isPipe)) return { kind: 'stdout' };
  const path = out ?? defaultFolder;
  if (path.endsWith('/') || (await isFolder(path))) return { kind: 'folder', path };
  if (isUnwritableName(path)) refuse(`${path}: ${writableFormats}`);
  const format = formatOfName(path);
  return format === undefined ? { kind: 'folder', path } : { kind: 'file', path, format };
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

/** The picture of each photo, as the command line requests it. */
export interface PictureOrder {
  /** Undefined for the cutout at the photo's size. */
  readonly recipe:
    | { readonly recipeId: string; readonly variant: string; readonly mutations?: Mutations }
    | undefined;
  /** Write the matte instead of the cutout; only without a recipe, as `png`. */
  readonly mask?: true;
  /** `png` or `webp` if there is no recipe. */
  readonly format: RenderFormat;
  /** Quality of a picture on a recipe, 1 to 100; undefined for the default of its format. */
  readonly quality?: number;
  /** The photo's metadata to keep; undefined for none. */
  readonly metadata?: 'photo';
}

export interface OrderOptions extends ChangeOptions {
  readonly recipe?: string;
  readonly ratio?: string;
  readonly format?: FormatChoice;
  readonly mask?: boolean;
  /** Quality of a JPEG, WebP or AVIF file, 1 to 100. */
  readonly quality?: number;
  /** Whether pictures keep tags of their photo's metadata. */
  readonly keepMetadata?: boolean;
}

export type KnownRecipe = Pick<Recipe, 'id' | 'revision'> & {
  readonly family: string;
  readonly variants: readonly string[];
};

/** Refuses contradictory options before the first photo is processed. */
export function planOrder(
  options: OrderOptions,
  target: Target,
  recipes: readonly KnownRecipe[],
  refuse: Refuse,
): PictureOrder {
  const asked = chooseFormat(options, target, refuse);
  if (options.mask) {
    if (asked !== undefined && asked !== 'png') refuse('A mask is written as png.');
    if (options.quality !== undefined) refuse('A mask is lossless: leave out --quality.');
    return { recipe: undefined, format: 'png', mask: true };
  }
  const mutations = readChanges(options);
  const id = options.recipe ?? (options.background === undefined ? undefined : plainRecipe(options.ratio));
  if (id === undefined) return planCutout(options, asked, refuse);
  const recipe = recipes.find((one) => one.id === id);
  if (!recipe) refuse(`There is no recipe ${id}; \`packshot recipes\` lists them.`);
  if (recipe.family === 'studio') refuse(`${id} needs a scene; use \`packshot scene\`.`);
  const isTransparent = recipe.family === 'transparent';
  const format = asked ?? (isTransparent ? 'png' : 'jpeg');
  if (isTransparent && format === 'jpeg') {
    refuse(`JPEG has no transparency, and ${id} is transparent. Use --format png, webp or avif.`);
  }
  if (options.quality !== undefined && !isLossy(format)) {
    refuse('PNG is lossless: leave out --quality, or add --format jpg, webp or avif.');
  }
  // By default, square, as shops usually require. If the recipe has no square variant, its first one.
  const variant = options.ratio ?? recipe.variants.find((one) => one === '1:1') ?? recipe.variants[0]!;
  if (!recipe.variants.includes(variant)) {
    refuse(`${id} is not available in ${variant}, only in ${recipe.variants.join(', ')}.`);
  }
  const request = { recipeId: id, variant, ...(mutations && { mutations }) };
  if (findRecipe(id)) checkChanges(request, refuse);
  return {
    recipe: request,
    format,
    ...(options.quality !== undefined && { quality: options.quality }),
    ...metadataOf(options),
  };
}

const metadataOf = ({ keepMetadata }: OrderOptions): Pick<PictureOrder, 'metadata'> =>
  keepMetadata ? { metadata: 'photo' } : {};

function chooseFormat(options: OrderOptions, target: Target, refuse: Refuse): RenderFormat | undefined {
  const named = target.kind === 'file' ? target.format : undefined;
  const format = options.format && toFormat(options.format);
  if (named && format && named !== format) {
    refuse(`--format ${options.format} contradicts the extension of the output file.`);
  }
  return format ?? named;
}

/** Id of the white recipe; --background replaces the color. */
const plainRecipe = (ratio = '1:1'): string => `Solid${ratio.replace(':', '_')}_0035`;

function planCutout(options: OrderOptions, asked: RenderFormat | undefined, refuse: Refuse): PictureOrder {
  const [change] = [...(options.ratio === undefined ? [] : ['--ratio']), ...flagsOfChanges(options)];
  if (change !== undefined) {
    refuse(
      `${change} needs a recipe: --recipe Transp001 is transparent, --recipe Solid1_1_0035 is white, --background '#RRGGBB' is any color.`,
    );
  }
  if (options.quality !== undefined) {
    refuse(
      'A cutout is lossless: leave out --quality, or add a backdrop, such as --recipe Solid1_1_0035 (white).',
    );
  }
  const format = asked ?? 'png';
  if (format === 'png' || format === 'webp') return { recipe: undefined, format, ...metadataOf(options) };
  return refuse(
    `A cutout is transparent: it can be png or webp. For ${format}, add a backdrop, such as --recipe Solid1_1_0035 (white).`,
  );
}

function checkChanges(request: NonNullable<PictureOrder['recipe']>, refuse: Refuse): void {
  try {
    resolveRecipe(request);
  } catch (error) {
    if (!(error instanceof PackshotError)) throw error;
    // For this field, the message would name API fields instead of command-line options, so replace it.
    const isStrength = error.fields?.some(({ pointer }) => pointer === '/mutations/shadow/strength');
    refuse(isStrength ? '--shadow-strength needs a shadow: add --shadow contact.' : error.message);
  }
}

/** The options of `remove` and `batch` that describe a picture. */
export function addPictureOptions(command: Command): Command {
  command.option('--recipe <recipe>', 'place the product on this recipe, such as Solid1_1_0035 (white)');
  addChangeOptions(command)
    .addOption(
      new Option('--ratio <ratio>', "aspect ratio (default: 1:1, or the recipe's)").choices(variants),
    )
    .addOption(
      new Option(
        '--format <format>',
        'file format (default: jpg on a recipe with a backdrop, otherwise png)',
      ).choices(formatChoices),
    );
  return addFileOptions(command);
}

/** The options of `remove`, `batch` and `scene` that describe a file. */
export function addFileOptions(command: Command): Command {
  return command
    .option('--quality <n>', 'quality of a jpg, webp or avif file, 1 to 100', parseQuality)
    .option(
      '--keep-metadata',
      "keep the photo's camera, date, artist, copyright and description, but never its location",
    );
}

/** The quality of a JPEG, WebP or AVIF file. */
function parseQuality(text: string): number {
  if (text === 'fast' || text === 'quality')
    throw new InvalidArgumentError(`For the removal of the background, use --removal-quality ${text}.`);
  return parseWhole(1, 100)(text);
}
