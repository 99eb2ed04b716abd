/** Resolves recipe, variant and mutations to one complete picture plan, or throws an error. */
import { PackshotError } from 'packshot-errors';
import type { Variant } from 'packshot-pixels';
import {
  type Backdrop,
  findRecipe,
  type PlacedLayout,
  type Recipe,
  requireVariant,
  type Shadow,
} from './catalogue.ts';
import { type Mutations, refuseMutation } from './mutations.ts';

/** Everything that determines a picture's pixels, besides the cutout and the render target. Plain JSON. */
export interface PicturePlan {
  readonly recipeId: string;
  readonly revision: number;
  readonly variant: Variant;
  readonly backdrop: Backdrop;
  readonly shadow: Shadow;
  readonly layout: PlacedLayout;
  /** Whether the photo is shown as it is. */
  readonly isUncut?: boolean;
  readonly edge: {
    /** Inward erosion of the outline, 0 to 4 px on a canvas with a longer side of 2000 px. */
    readonly shrinkPx: number;
  };
}

export interface RecipeRequest {
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations?: Mutations | undefined;
}

/** Advice appended to the reason why `mutations.match` cannot be applied. */
export const matchHint =
  'Omit mutations.match, or render a scene (in a studio set or a real place) that POST /v1/design/suggest returned.';

/** Default strength of a shadow that a caller adds to a recipe without one. It looks natural on white. */
const ASKED_SHADOW_STRENGTH = 0.7;

/**
 * Ignores `mutations.images`: the illustration of a plain recipe shows nothing but the recipe's own backdrop. If the
 * suggestion changed the backdrop's color, the calling code must first merge that color into `mutations`.
 */
export function resolveRecipe({ recipeId, variant, mutations = {} }: RecipeRequest): PicturePlan {
  const recipe = findRecipe(recipeId);
  if (recipe === undefined) {
    throw new PackshotError(
      'unknown_recipe',
      'No recipe has this recipeId. GET /v1/recipes lists the known ones.',
      { pointer: '/recipeId' },
    );
  }
  const known = requireVariant(
    variant,
    recipe.variants,
    `${recipe.id} does not come in this variant. Valid: ${recipe.variants.join(', ')}.${nameSibling(recipe.id, variant)}`,
  );
  if (mutations.match === 'light')
    throw refuseMutation('match', `${recipe.id} has no light to match. ${matchHint}`);
  if (mutations.logo && recipe.family === 'listing')
    throw refuseMutation(
      'logo',
      `Marketplaces refuse logos on main images such as ${recipe.id}. Omit mutations.logo.`,
    );
  const layout = mutations.layout ?? {};
  return {
    recipeId: recipe.id,
    revision: recipe.revision,
    variant: known,
    backdrop: resolveBackdrop(recipe, mutations),
    shadow: resolveShadow(recipe, mutations),
    // Fixed key order: the plan is part of the picture's ETag.
    layout: {
      align: layout.align ?? recipe.layout.align,
      margin: layout.margin ?? recipe.layout.margin,
      scale: layout.scale ?? recipe.layout.scale,
      ...(layout.x !== undefined && { x: layout.x }),
      ...(layout.y !== undefined && { y: layout.y }),
      ...(layout.rotate !== undefined && { rotate: layout.rotate }),
      ...(layout.fit !== undefined && { fit: layout.fit }),
    },
    ...(mutations.cutout === 'none' && { isUncut: true }),
    edge: { shrinkPx: mutations.edge?.shrinkPx ?? 0 },
  };
}

/** The recipe of the same color in the requested ratio, if there is one: the ratio is a part of a Solid recipe's id. */
function nameSibling(recipeId: string, variant: string): string {
  const sibling = findRecipe(recipeId.replace(/(?<=^Solid)\d+_\d+/, variant.replace(':', '_')));
  return sibling && sibling.id !== recipeId ? ` For ${variant}, use ${sibling.id}.` : '';
}

function resolveBackdrop(recipe: Recipe, mutations: Mutations): Backdrop {
  const color = mutations.background?.color;
  if (color === undefined) {
    return recipe.backdrop;
  }
  if (recipe.backdrop.kind !== 'solid' && recipe.backdrop.kind !== 'sweep') {
    throw refuseMutation(
      'background/color',
      `${recipe.id} has no single backdrop color to change. Use a Solid or a Surface recipe.`,
    );
  }
  return { ...recipe.backdrop, color: color.toUpperCase() };
}

function resolveShadow(recipe: Recipe, mutations: Mutations): Shadow {
  const asked = mutations.shadow?.kind ?? recipe.shadow.kind;
  const { kind: _, ...changes } = mutations.shadow ?? {};
  const { strength, softness, direction } = changes;
  if (asked === 'none') {
    const [name] = Object.entries(changes).find(([, value]) => value !== undefined) ?? [];
    if (name === undefined) return { kind: 'none' };
    throw refuseMutation(
      `shadow/${name}`,
      `There is no shadow whose ${name} could change. Set mutations.shadow.kind to contact or cast.`,
    );
  }
  const ownStrength = recipe.shadow.kind === 'none' ? ASKED_SHADOW_STRENGTH : recipe.shadow.strength;
  return {
    kind: asked,
    strength: strength ?? ownStrength,
    ...(softness !== undefined && { softness }),
    ...(direction !== undefined && asked === 'cast' && { direction }),
  };
}
