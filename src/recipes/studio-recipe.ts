/** The recipe that suggestions name: a product in a scene made for it, chosen by the illustration that comes along. */
import { PackshotError } from '../errors.ts';
import { type Variant, variants } from './catalogue.ts';
import type { Mutations } from './mutations.ts';
import type { RecipeRequest } from './resolve-recipe.ts';

export const studioRecipe = {
  id: 'Studio001',
  title: 'AI studio scene',
  family: 'studio',
  variants,
  revision: 1,
} as const;

export interface StudioRequest {
  readonly recipeId: string;
  readonly revision: number;
  readonly variant: Variant;
  /** As the caller sent them, one or two of the same illustration: not believed before they are verified. */
  readonly illustrationUris: readonly [string, ...string[]];
  /** All other mutations; whether they fit depends on the illustration. */
  readonly others: Omit<Mutations, 'images'>;
}

/** Undefined for every other recipe. Throws `unknown_variant` and `invalid_mutation`. */
export function resolveStudio({
  recipeId,
  variant,
  mutations = {},
}: RecipeRequest): StudioRequest | undefined {
  if (recipeId !== studioRecipe.id) return undefined;
  const known = variants.find((candidate) => candidate === variant);
  if (!known) {
    throw new PackshotError('unknown_variant', `${recipeId} comes in ${variants.join(', ')}.`, {
      pointer: '/variant',
    });
  }
  const { images, ...others } = mutations;
  const illustration = images?.primaryIllustration;
  const [first, ...rest] = [illustration?.uri, illustration?.previewUri].filter((uri) => uri !== undefined);
  if (!first) {
    throw refuseMutation(
      'images/primaryIllustration',
      `${recipeId} needs the illustration of a suggestion. POST /v1/design/suggest, and send back its mutations.`,
    );
  }
  return {
    recipeId,
    revision: studioRecipe.revision,
    variant: known,
    illustrationUris: [first, ...rest],
    others,
  };
}

/** `path` is below `/mutations`. */
export function refuseMutation(path: string, detail: string): PackshotError {
  return new PackshotError('invalid_mutation', detail, {
    fields: [{ pointer: `/mutations/${path}`, code: 'invalid_mutation', detail }],
  });
}
