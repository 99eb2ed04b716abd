/** The chosen backdrop, and the render request for it. */
import type { Look, RecipeInput } from '../../../clients/typescript/src/packshot-client.ts';

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

/** The choice that shows the photo as it is. */
export const uncut = (choice: BackdropChoice): BackdropChoice => ({
  ...choice,
  adjust: { ...choice.adjust, cutout: 'none' },
});

/** What stays under any backdrop: how the photo is straightened, and how its outline is trimmed. */
export function ownAdjust({ layout: { rotate } = {}, edge }: Adjustments = {}): Adjustments {
  return { ...(rotate !== undefined && { layout: { rotate } }), ...(edge && { edge }) };
}

const byHand = ['rotate', 'x', 'y'] as const;
type ByHand = (typeof byHand)[number];

/** The choice with these values of another one's layout. */
export function withLayoutOf(
  { adjust, ...choice }: BackdropChoice,
  other: Pick<BackdropChoice, 'adjust'>,
  fields: readonly ByHand[] = byHand,
): BackdropChoice {
  const own = fields.map((field) => [field, other.adjust?.layout?.[field]]);
  const all = Object.entries({ ...adjust?.layout, ...Object.fromEntries(own) });
  const { layout, ...rest } = {
    ...adjust,
    layout: Object.fromEntries(all.filter(([, value]) => value !== undefined)),
  };
  const next = Object.keys(layout).length > 0 ? { ...adjust, layout } : rest;
  return Object.keys(next).length > 0 ? { ...choice, adjust: next } : choice;
}

/**
 * A photo's choice after a change of the one that is shown for many: how the photo was turned and placed by hand stays,
 * unless this is what changed.
 */
export function choiceFor(
  own: BackdropChoice,
  shown: BackdropChoice,
  change: Partial<BackdropChoice>,
): BackdropChoice {
  const next = { ...shown, ...change };
  // All is to be as designed.
  if (change.adjust && Object.keys(change.adjust).length === 0) return next;
  const [was = {}, is = {}] = [shown.adjust?.layout, next.adjust?.layout];
  const stays = (field: ByHand) => was[field] === is[field] && (field === 'rotate' || was.align === is.align);
  return withLayoutOf(next, own, byHand.filter(stays));
}

/** The choice that shows the look in which it was saved as `from`; null if it has changed since then. */
export function savedChoice(
  choice: BackdropChoice,
  { id, title, variants: [variant = choice.variant] }: Pick<Look, 'id' | 'title' | 'variants'>,
  from: RecipeInput,
  recipes: readonly Known[],
): BackdropChoice | null {
  if (JSON.stringify(lookOf(choice, recipes)) !== JSON.stringify(from)) return null;
  const adjust = ownAdjust(choice.adjust);
  return { ...choice, chosen: id, lookTitle: title, variant, adjust, logo: undefined, images: undefined };
}

/** A stored choice, which an earlier version of the page may have written. */
export function readChoice(stored: BackdropChoice): BackdropChoice {
  const { margin, shadow, align, ...choice } = stored as BackdropChoice & {
    readonly margin?: number | null;
    readonly shadow?: 'own' | 'none' | 'contact' | 'cast';
    readonly align?: 'own' | 'baseline';
  };
  if (shadow === undefined) return stored;
  const layout = { ...(margin != null && { margin }), ...(align === 'baseline' && { align }) };
  const adjust = {
    ...(Object.keys(layout).length > 0 && { layout }),
    ...(shadow !== 'own' && { shadow: { kind: shadow } }),
  };
  return { ...choice, ...(Object.keys(adjust).length > 0 && { adjust }) };
}

/** The choice as the content of a look: every product is placed as the page shows it, and none is turned. */
export function lookOf(choice: BackdropChoice, recipes: readonly Known[]): RecipeInput {
  const { title: _, mutations, ...recipe } = backdropOf(choice, recipes);
  const { layout: own, ...others } = { ...mutations };
  const { rotate: _turn, ...layout } = own ?? {};
  const { align } = recipes.find(({ id }) => id === recipe.recipeId) ?? {};
  const placed = align ? { align, scale: 1, ...layout } : layout;
  return { ...recipe, mutations: { ...others, layout: placed } };
}
