/** The chosen backdrop, and the render request for it. */
import type { RecipeInput } from '../../../clients/typescript/src/packshot-client.ts';

type Images = NonNullable<RecipeInput['mutations']>['images'];

/** The recipe that draws a caller's own backdrop. */
export const ownBackdrop = 'Studio001';

export interface BackdropChoice {
  /** The number of a Solid recipe, `custom`, or the id of any other recipe or look. */
  readonly chosen: string;
  /** The caller's own backdrop, if `chosen` is `ownBackdrop`. */
  readonly images?: Images | undefined;
  /** The color for `custom`. */
  readonly color: string;
  readonly variant: string;
  /** Margin around the product, as a fraction of the shorter side; null for the recipe's own margin. */
  readonly margin: number | null;
  readonly shadow: 'own' | 'none' | 'contact' | 'cast';
  readonly align: 'own' | 'baseline';
}

export const firstChoice: BackdropChoice = {
  chosen: '0035',
  color: '#d9e4dc',
  variant: '1:1',
  margin: null,
  shadow: 'own',
  align: 'own',
};

interface Known {
  readonly id: string;
  readonly title: string;
  readonly variants: readonly string[];
  readonly family?: string;
}

export interface Backdrop extends RecipeInput {
  readonly title: string;
}

/** The render request for a choice. If the recipe does not have the chosen aspect ratio, uses its first one. */
export function backdropOf(choice: BackdropChoice, recipes: readonly Known[]): Backdrop {
  const { chosen, color, images, margin, shadow, align } = choice;
  const custom = chosen === 'custom';
  const solid = custom || /^\d{4}$/.test(chosen);
  const recipeId = solid ? `Solid${choice.variant.replace(':', '_')}_${custom ? '0035' : chosen}` : chosen;
  const recipe = recipes.find(({ id }) => id === recipeId);
  const variant = recipe && !recipe.variants.includes(choice.variant) ? recipe.variants[0]! : choice.variant;
  const layout = { ...(margin !== null && { margin }), ...(align !== 'own' && { align }) };
  const mutations = {
    ...(Object.keys(layout).length > 0 && { layout }),
    ...(shadow !== 'own' && { shadow: { kind: shadow } }),
    ...(custom && { background: { color } }),
    ...(chosen === ownBackdrop && images && { images }),
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
            : (recipe?.title ?? recipeId),
  };
}
