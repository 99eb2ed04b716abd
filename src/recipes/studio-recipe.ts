/** The recipe of scene suggestions. The URI in `mutations.images.primaryIllustration` selects the scene. */
import { type Variant, variants } from 'packshot-pixels';
import { requireVariant } from './catalogue.ts';
import { listIllustrationUris, type Mutations, refuseMutation } from './mutations.ts';
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
  /** One or two URIs of the same illustration, as sent by the caller and not yet verified. */
  readonly illustrationUris: readonly [string, ...string[]];
  /** All other mutations; whether they apply depends on the illustration. */
  readonly others: Omit<Mutations, 'images'>;
}

/** Returns undefined for every other recipe. Throws `unknown_variant` and `invalid_mutation`. */
export function resolveStudio({
  recipeId,
  variant,
  mutations = {},
}: RecipeRequest): StudioRequest | undefined {
  if (recipeId !== studioRecipe.id) return undefined;
  const known = requireVariant(variant, variants, `${recipeId} comes in ${variants.join(', ')}.`);
  const { images: _, ...others } = mutations;
  const [first, ...rest] = listIllustrationUris(mutations);
  if (!first) {
    throw refuseMutation(
      'images/primaryIllustration',
      `${recipeId} needs the illustration of a suggestion. Call POST /v1/design/suggest, and send the mutations of a suggested recipe.`,
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
