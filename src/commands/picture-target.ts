/** Where `packshot remove` puts its pictures and in what form, from the words of the command line. */
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Recipe } from '../recipes/catalogue.ts';
import type { RenderFormat } from '../rendering/render-target.ts';
import type { PictureOrder } from './finish-photo.ts';

export type Target =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly format: RenderFormat }
  | { readonly kind: 'stdout' };

type Refuse = (why: string) => never;

export const formats = ['png', 'webp', 'jpeg', 'avif'] as const satisfies readonly RenderFormat[];
const formatOfExtension: Readonly<Record<string, RenderFormat>> = {
  '.png': 'png',
  '.webp': 'webp',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.avif': 'avif',
};

/** Where nothing was said: a folder of its own, so that no photo is ever in the way. */
export const defaultFolder = 'packshots';

export async function chooseTarget(words: readonly string[], out: string | undefined): Promise<Target> {
  const isPipe = words.length === 1 && words[0] === '-';
  if (out === '-' || (out === undefined && isPipe)) return { kind: 'stdout' };
  const path = out ?? defaultFolder;
  const format = formatOfExtension[extname(path).toLowerCase()];
  if (format === undefined || (await isFolder(path))) return { kind: 'folder', path };
  return { kind: 'file', path, format };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

export interface OrderOptions {
  readonly recipe?: string;
  readonly variant?: string;
  readonly format?: RenderFormat;
}

export type KnownRecipe = Pick<Recipe, 'id' | 'revision'> & {
  readonly family: string;
  readonly variants: readonly string[];
};

/** Refuses what no photo could make right, before the first one is touched. */
export function planOrder(
  options: OrderOptions,
  target: Target,
  recipes: readonly KnownRecipe[],
  refuse: Refuse,
): PictureOrder {
  const named = target.kind === 'file' ? target.format : undefined;
  if (named && options.format && named !== options.format) {
    refuse(`--format ${options.format} does not fit the file name given with -o.`);
  }
  const asked = options.format ?? named;
  if (options.recipe === undefined) {
    if (options.variant !== undefined) refuse('--variant is the ratio of a recipe; name one with --recipe.');
    const format = asked ?? 'png';
    if (format === 'png' || format === 'webp') return { recipe: undefined, format };
    refuse(
      `A cutout is transparent: it can be png or webp. For ${format}, put it on a recipe with --recipe.`,
    );
  }
  const recipe = recipes.find(({ id }) => id === options.recipe);
  if (!recipe) refuse(`There is no recipe ${options.recipe}; \`packshot recipes\` lists them.`);
  if (recipe.family === 'studio') refuse(`${recipe.id} needs a scene; \`packshot scene\` makes them.`);
  const isTransparent = recipe.family === 'transparent';
  const format = asked ?? (isTransparent ? 'png' : 'jpeg');
  if (isTransparent && format === 'jpeg') {
    refuse(`JPEG has no transparency, and ${recipe.id} is transparent; --format png, webp or avif has.`);
  }
  // The square that shops want first, or the ratio that the recipe is for.
  const variant = options.variant ?? recipe.variants.find((one) => one === '1:1') ?? recipe.variants[0]!;
  if (!recipe.variants.includes(variant)) {
    refuse(`${recipe.id} does not come in ${variant}, but in ${recipe.variants.join(', ')}.`);
  }
  return { recipe: { recipeId: recipe.id, variant }, format };
}

export function parseWhole(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Needs a whole number from ${min} to ${max}.`);
  };
}
