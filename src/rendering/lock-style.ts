/**
 * Style lock: lays out different products on one recipe so that their pictures look alike, with one baseline and
 * consistent sizes.
 */

import { findRecipe } from '../recipes/catalogue.ts';
import type { Mutations } from '../recipes/mutations.ts';
import type { PicturePlan } from '../recipes/resolve-recipe.ts';
import { baselineOf } from './layout.ts';
import { opticalShare, type ProductSize } from './optical-size.ts';
import { canvasSize } from './render-target.ts';

/**
 * Puts the product on the common baseline, and sizes it by `opticalShare`. `fixed` is the layout of the look (a saved
 * recipe), and `asked` the layout in the render call. An alignment or a vertical position in either of them replaces
 * the baseline, and a scale in either the size. Plans of marketplace recipes are returned unchanged, because
 * the marketplaces' rules require that the product fills the picture.
 */
export function lockStyle(
  plan: PicturePlan,
  product: ProductSize,
  { fixed = {}, asked = {} }: { readonly fixed?: Mutations['layout']; readonly asked?: Mutations['layout'] },
): PicturePlan {
  if (findRecipe(plan.recipeId)?.family === 'listing') return plan;
  const isPlaced = [fixed, asked].some(({ align, y }) => align !== undefined || y !== undefined);
  const align = isPlaced ? plan.layout.align : 'baseline';
  const { width, height } = canvasSize(plan.variant, 1000);
  const margin = plan.layout.margin * Math.min(width, height);
  const free = align === 'baseline' ? baselineOf({ width, height }) - margin : height - 2 * margin;
  const isSized = [fixed, asked].some(({ scale }) => scale !== undefined);
  const share = isSized ? 1 : opticalShare(product, (width - 2 * margin) / free);
  return { ...plan, layout: { ...plan.layout, align, scale: plan.layout.scale * share } };
}
