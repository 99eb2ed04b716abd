/** Decides whether a picture shows the whole photo instead of the product. */
import type { SubjectFacts } from 'packshot-cutout/service';
import { type PicturePlan, type RecipeRequest, resolveRecipe } from '../recipes/resolve-recipe.ts';

const whiteOf = (variant: string): string => `Solid${variant.replace(':', '_')}_0035`;

/** Returns the plan that shows the photo as it is; undefined if the product is shown, cut out. `plain`: see `SceneOrder`. */
export function findUncutPlan(
  plain: PicturePlan | undefined,
  { variant, mutations }: Pick<RecipeRequest, 'variant' | 'mutations'>,
  subject: SubjectFacts,
): PicturePlan | undefined {
  if (mutations?.cutout === 'auto') return undefined;
  if (!subject.isUncut && !plain?.isUncut && mutations?.cutout !== 'none') return undefined;
  // A photo cannot stand in a scene, so it continues to the edges instead.
  const fit = mutations?.layout?.fit ?? 'extend';
  return plain ?? resolveRecipe({ recipeId: whiteOf(variant), variant, mutations: { layout: { fit } } });
}
