/** Reviews a preset for the operator: what it suggests in each ratio, and which of its fields have no effect. */
import { type Variant, variants } from 'packshot-pixels';
import { hasScenes } from 'packshot-sets';
import { findRecipe, listRecipes } from './catalogue.ts';
import { colorOf, nameOfColor, planSuggestion, type SuggestionPlan } from './plan-suggestion.ts';
import { findPresetRecipes, matchesPattern, type Preset } from './presets.ts';

export interface PresetReview {
  /** One plan per ratio, in the preset's order; plans for all ratios if the preset names none. */
  readonly plans: readonly (SuggestionPlan & { readonly ratio: Variant })[];
  /** Sentences; empty if there is nothing to report. */
  readonly warnings: readonly string[];
}

export function reviewPreset(preset: Preset): PresetReview {
  const ratios = preset.ratios ?? variants;
  const plans = ratios.map((ratio) => ({ ratio, ...planSuggestion(preset, ratio) }));
  const patterns = preset.recipes ?? [];
  return {
    plans,
    warnings: [
      ...patterns.flatMap((pattern) => reviewPattern(pattern, ratios)),
      ...reviewNamed(preset, plans),
      ...reviewPalette(preset, plans),
      ...(preset.looks?.length ? [] : reviewEmpty(plans)),
    ],
  };
}

function reviewPattern(pattern: string, ratios: readonly Variant[]): string[] {
  const matched = listRecipes().filter(({ id }) => matchesPattern(pattern, id));
  if (matched.length === 0)
    return [`recipes: "${pattern}" is not a recipe; \`packshot recipes\` lists them all.`];
  const missing = ratios.filter((ratio) => matched.every((recipe) => !recipe.variants.includes(ratio)));
  if (missing.length === 0) return [];
  const [, number] = /_(\d{4})$/.exec(pattern) ?? [];
  const advice = number ? ` "Solid*_${number}" is the same color in every ratio.` : '';
  return [`recipes: "${pattern}" does not come in ${missing.join(', ')}.${advice}`];
}

function reviewNamed(preset: Preset, plans: PresetReview['plans']): string[] {
  const crowdedOut = plans.flatMap(({ ratio, plainLists }) => {
    const shown = new Set(plainLists.flatMap(({ recipes }) => recipes.map(({ recipeId }) => recipeId)));
    return findPresetRecipes(preset, ratio).named.filter(({ id }) => !shown.has(id));
  });
  if (crowdedOut.length === 0) return [];
  const ids = [...new Set(crowdedOut.map(({ id }) => id))];
  return [
    `recipes: no room in the lists for ${ids.join(', ')}; a list has room for perList recipes, at most 6.`,
  ];
}

function reviewPalette(preset: Preset, plans: PresetReview['plans']): string[] {
  const colors = [...new Set(preset.palette?.map((color) => color.toUpperCase()))];
  if (colors.length === 0) return [];
  const allowed = plans.flatMap(({ ratio }) => findPresetRecipes(preset, ratio).ranged);
  if (!allowed.some(({ family }) => family === 'solid')) {
    return hasScenes(preset)
      ? []
      : [
          'palette: has no effect; add `families: [solid]` to use it for plain backdrops, or `styles` to use it in scenes.',
        ];
  }
  const own = new Set(listRecipes().map(colorOf));
  const shown = new Set(
    plans
      .flatMap(({ plainLists }) => plainLists.flatMap(({ recipes }) => recipes))
      .map(({ recipeId, mutations }) => mutations.background?.color ?? colorOf(findRecipe(recipeId)!)),
  );
  const warnings = colors
    .filter((color) => !own.has(color))
    .map(
      (color) =>
        `palette: no Solid has ${color}; the nearest Solid is recolored to it (mutations.background.color) and titled ${nameOfColor(color)}.`,
    );
  const unseen = colors.filter((color) => !shown.has(color));
  if (unseen.length > 0) warnings.push(`palette: no room in a list for ${unseen.join(', ')}.`);
  return warnings;
}

function reviewEmpty(plans: PresetReview['plans']): string[] {
  const empty = plans.filter(({ plainLists, sceneLists }) => plainLists.length + sceneLists === 0);
  return empty.length === 0 ? [] : [`Nothing is suggested in ${empty.map(({ ratio }) => ratio).join(', ')}.`];
}
