/** Plans what a preset suggests: plain recipes in lists of varied colors, and how many lists of scenes. */
import type { Variant } from 'packshot-pixels';
import { hasScenes } from 'packshot-sets';
import type { Recipe, RecipeFamily } from './catalogue.ts';
import type { Mutations } from './mutations.ts';
import { allowsRatio, findPresetRecipes, type Preset } from './presets.ts';
import { palette } from './solid-colors.ts';
import { chooseVaried, difference, lookOf, type Offer } from './vary-offers.ts';

export interface PlainRecipe {
  readonly recipeId: string;
  readonly variant: Variant;
  readonly title: string;
  /** Contains a brand color that no allowed Solid has; empty if the recipe is used as in the catalogue. */
  readonly mutations: { readonly background?: NonNullable<Mutations['background']> };
}

export interface PlainList {
  readonly id: RecipeFamily | 'plain';
  readonly title: string;
  readonly recipes: readonly PlainRecipe[];
}

export interface SuggestionPlan {
  /** Lists that precede the scenes in a response. */
  readonly plainLists: readonly PlainList[];
  /** Number of lists of scenes; 0 for a preset without scenes. */
  readonly sceneLists: number;
}

const defaultLists = 3;
/** Two lists have eight previews, which two cores can render while the caller waits. Plain recipes need no previews. */
const defaultSceneLists = 2;
const defaultPerList = 4;

const familyTitles: Readonly<Record<RecipeFamily, string>> = {
  transparent: 'Transparent',
  solid: 'Solid colors',
  listing: 'For marketplaces',
  gradient: 'Gradients',
  surface: 'Studio surfaces',
};
const allFamilies = Object.keys(familyTitles) as readonly RecipeFamily[];

/** Returns an empty plan if the preset does not allow the ratio. */
export function planSuggestion(preset: Preset, ratio: Variant): SuggestionPlan {
  if (!allowsRatio(preset, ratio)) return { plainLists: [], sceneLists: 0 };
  const lists = preset.lists ?? defaultLists;
  const isSet = hasScenes(preset);
  const plainLists = listPlainRecipes(preset, ratio, Math.max(1, isSet ? lists - 1 : lists));
  if (!isSet) return { plainLists, sceneLists: 0 };
  const left = lists - plainLists.length;
  return { plainLists, sceneLists: preset.lists === undefined ? Math.min(left, defaultSceneLists) : left };
}

/** Returns one list per family, merged into at most `maxLists`, or a single list if it can hold all recipes. */
function listPlainRecipes(preset: Preset, ratio: Variant, maxLists: number): PlainList[] {
  const offers = listOffers(preset, ratio);
  const all = [...offers.kept, ...offers.open];
  const groups: RecipeFamily[][] = allFamilies
    .filter((family) => all.some(({ recipe }) => recipe.family === family))
    .map((family) => [family]);
  const perList = preset.perList ?? defaultPerList;
  // There is only one transparent recipe, too few for a list of its own, so it joins the next family's list.
  const [first, second] = groups;
  if (first?.[0] === 'transparent' && second) groups.splice(0, 2, [...first, ...second]);
  while (groups.length > (all.length <= perList ? 1 : maxLists)) {
    groups.splice(-2, 2, groups.slice(-2).flat());
  }
  return groups.map((families) => {
    const family = families.filter((name) => name !== 'transparent' || families.length === 1);
    const id = family.length === 1 ? family[0]! : 'plain';
    const kind = id === 'plain' ? 'Plain backdrops' : familyTitles[id];
    const { title } = preset;
    return {
      id,
      title: title === undefined ? kind : groups.length === 1 ? title : `${title}: ${kind.toLowerCase()}`,
      recipes: suggestPlainRecipes(preset, ratio, families),
    };
  });
}

/** Returns at most `perList` recipes of these families: those that the preset names, then the most different others. */
export function suggestPlainRecipes(
  preset: Preset,
  ratio: Variant,
  families: readonly RecipeFamily[] = allFamilies,
): PlainRecipe[] {
  const offers = listOffers(preset, ratio);
  const kept = offers.kept.filter(({ recipe }) => families.includes(recipe.family));
  const open = families.map((family) => offers.open.filter(({ recipe }) => recipe.family === family));
  const chosen = chooseVaried(kept, open, preset.perList ?? defaultPerList);
  return chosen.map(({ recipe, title, brandColor }, index) => {
    const isTaken = chosen.findIndex((other) => other.title === title) < index;
    return {
      recipeId: recipe.id,
      variant: ratio,
      title: isTaken && brandColor ? `${title} ${brandColor}` : title,
      mutations: brandColor ? { background: { color: brandColor } } : {},
    };
  });
}

interface Offers {
  /** Offers to choose first, in this order. */
  readonly kept: readonly Offer[];
  /**
   * The other offers. With a brand palette: its colors, most important first, then the other families. Without one: by
   * descending lightness.
   */
  readonly open: readonly Offer[];
}

function listOffers(preset: Preset, ratio: Variant): Offers {
  const { named, ranged } = findPresetRecipes(preset, ratio);
  const [transparent, opaque] = split(ranged, ({ family }) => family === 'transparent');
  const [solids, others] = split(opaque, ({ family }) => family === 'solid');
  const kept = [...named, ...transparent].map(toOffer);
  if (!preset.palette) {
    return { kept, open: opaque.map(toOffer).sort((one, other) => other.look[0] - one.look[0]) };
  }
  const [main, ...rest] = offerBrandColors(preset.palette, solids, named);
  return { kept: main ? [...kept, main] : kept, open: [...rest, ...others.map(toOffer)] };
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/**
 * Offers each brand color that no recipe in `named` has: as the allowed Solid that has it, otherwise as the nearest
 * allowed Solid, recolored.
 */
function offerBrandColors(
  colors: readonly string[],
  solids: readonly Recipe[],
  named: readonly Recipe[],
): Offer[] {
  const distinct = new Set(colors.map((color) => color.toUpperCase()));
  for (const recipe of named) distinct.delete(colorOf(recipe));
  return [...distinct].flatMap((color) => {
    const recipe = nearest(color, solids, colorOf);
    if (!recipe) return [];
    if (colorOf(recipe) === color) return toOffer(recipe);
    return { recipe, title: nameOfColor(color), brandColor: color, look: lookOf({ kind: 'solid', color }) };
  });
}

export function nameOfColor(color: string): string {
  return nearest(color, palette, (entry) => entry.color)!.name;
}

/** Color of a solid recipe; empty for other recipes. */
export function colorOf({ backdrop }: Recipe): string {
  return backdrop.kind === 'solid' ? backdrop.color.toUpperCase() : '';
}

function nearest<T>(color: string, items: readonly T[], toColor: (item: T) => string): T | undefined {
  const look = lookOf({ kind: 'solid', color });
  let found: { item: T; distance: number } | undefined;
  for (const item of items) {
    const distance = difference(look, lookOf({ kind: 'solid', color: toColor(item) }));
    if (!found || distance < found.distance) found = { item, distance };
  }
  return found?.item;
}

function toOffer(recipe: Recipe): Offer {
  const { title, backdrop } = recipe;
  // [1, 0, 0] is a placeholder: the transparent recipe has no color, and `pickNext` skips this recipe.
  return { recipe, title, look: backdrop.kind === 'transparent' ? [1, 0, 0] : lookOf(backdrop) };
}
