/** The chosen backdrop, and the render request for it. */
import type { RecipeInput } from '../../../clients/typescript/src/packshot-client.ts';

type Mutations = NonNullable<RecipeInput['mutations']>;

/** Changes to the recipe that fit any backdrop. */
export interface Adjustments {
  readonly layout?: Partial<Record<'margin' | 'scale' | 'x' | 'y' | 'rotate', number | undefined>> & {
    readonly align?: 'center' | 'baseline' | undefined;
    readonly fit?: 'pad' | 'crop' | 'extend';
  };
  readonly shadow?:
    | (Partial<Record<'strength' | 'softness' | 'direction', number>> & {
        readonly kind: 'none' | 'contact' | 'cast';
      })
    | undefined;
  readonly edge?: { readonly shrinkPx: number };
  readonly cutout?: 'none' | undefined;
  /** Only in scenes. */
  readonly match?: 'light' | undefined;
}

/** The recipe that draws a caller's own backdrop. */
export const ownBackdrop = 'Studio001';

export interface BackdropChoice {
  /** The number of a Solid recipe, `custom`, or the id of any other recipe or look. */
  readonly chosen: string;
  /** The caller's own backdrop, if `chosen` is `ownBackdrop`. */
  readonly images?: Mutations['images'];
  /** The color for `custom`. */
  readonly color: string;
  readonly variant: string;
  readonly adjust?: Adjustments;
  /** Title of the chosen look, which may be newer than the page's list. */
  readonly lookTitle?: string;
  /** Not on main images for marketplaces. */
  readonly logo?: Logo | undefined;
}

type Logo = NonNullable<Mutations['logo']> & { readonly previewUri: string };

export const firstChoice: BackdropChoice = {
  chosen: '0035',
  color: '#d9e4dc',
  variant: '1:1',
};

interface Known {
  readonly id: string;
  readonly title: string;
  readonly variants: readonly string[];
  readonly family?: string;
  readonly align?: 'center' | 'baseline' | null;
}

export interface Backdrop extends RecipeInput {
  readonly title: string;
}

/** The render request for a choice. If the recipe does not have the chosen aspect ratio, uses its first one. */
export function backdropOf(choice: BackdropChoice, recipes: readonly Known[]): Backdrop {
  const { chosen, color, images, adjust, lookTitle, logo: { previewUri: _, ...logo } = {} } = choice;
  const custom = chosen === 'custom';
  const solid = custom || /^\d{4}$/.test(chosen);
  const recipeId = solid ? `Solid${choice.variant.replace(':', '_')}_${custom ? '0035' : chosen}` : chosen;
  const recipe = recipes.find(({ id }) => id === recipeId);
  const variant = recipe && !recipe.variants.includes(choice.variant) ? recipe.variants[0]! : choice.variant;
  const mutations = {
    ...adjust,
    ...(custom && { background: { color } }),
    ...(chosen === ownBackdrop && images && { images }),
    ...('uri' in logo && !chosen.startsWith('Listing_') && { logo }),
  };
  return {
    recipeId,
    variant,
    ...(Object.keys(mutations).length > 0 && { mutations }),
    title:
      chosen === ownBackdrop
        ? 'Your backdrop'
        : custom
          ? color
          : recipe?.family === 'listing'
            ? 'Main image'
            : (recipe?.title ?? lookTitle ?? recipeId),
  };
}

/** The choice as the content of a look: every product is placed as the page shows it, and none is turned. */
export function lookOf(choice: BackdropChoice, recipes: readonly Known[]): RecipeInput {
  const { title: _, mutations, ...recipe } = backdropOf(choice, recipes);
  const { rotate: _turn, ...layout } = mutations?.layout ?? {};
  const { align } = recipes.find(({ id }) => id === recipe.recipeId) ?? {};
  const placed = align ? { align, scale: 1, ...layout } : layout;
  return { ...recipe, mutations: { ...mutations, layout: placed } };
}
