/** Caller presets: which recipes, styles, colours, ratios and how many a caller's suggestions may hold. */
import { z } from 'zod';
import { type Recipe, type RecipeFamily, type Variant, variants } from './catalogue.ts';

export const sceneStyles = [
  'stone',
  'wood',
  'color',
  'pastel',
  'nature',
  'dark',
  'fabric',
  'studio',
] as const;
/** A family of studio scenes that belong together in one list. */
export type SceneStyle = (typeof sceneStyles)[number];

const families = ['solid', 'transparent', 'gradient', 'surface'] as const satisfies readonly RecipeFamily[];

/** As the operator writes it, in YAML or JSON; what is left out restricts nothing. */
export const presetSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{2,63}$/)
      .describe('what callers send as recipePreset; capitals, digits and underscores, 3 to 64'),
    title: z.string().min(1).max(80).optional().describe('heading of the list of plain recipes'),
    recipes: z
      .array(z.string().min(1).max(80))
      .max(500)
      .optional()
      .describe(
        'ids of plain recipes; a * stands for any characters; none when left out and no family is named',
      ),
    families: z.array(z.enum(families)).optional().describe('whole families of plain recipes'),
    styles: z
      .array(z.enum(sceneStyles))
      .optional()
      .describe('styles of studio scenes; empty for no scenes, all when left out'),
    palette: z
      .array(z.string().regex(/^#[0-9A-Fa-f]{6}$/))
      .max(24)
      .optional()
      .describe('brand colours, sRGB #RRGGBB: walls of scenes, and the only plain solid colours'),
    ratios: z.array(z.enum(variants)).min(1).optional(),
    lists: z.int().min(1).max(4).optional().describe('lists in an answer, 1 to 4'),
    perList: z.int().min(1).max(6).optional().describe('recipes in a list, 1 to 6'),
  })
  .describe('A caller preset');
export type Preset = z.infer<typeof presetSchema>;

/** The preset that everyone has: studio scenes of every style, no plain recipes. */
export const aiStudio: Preset = { name: 'AI_STUDIO' };

/** The styles that the preset's scenes may have; empty where it has none. */
export function listPresetStyles({ styles }: Preset): readonly SceneStyle[] {
  return styles ?? sceneStyles;
}

export function allowsRatio({ ratios }: Preset, ratio: Variant): boolean {
  return ratios === undefined || ratios.includes(ratio);
}

/** The ratio to suggest in: the asked one where it is allowed, else nothing; unasked, the preset's first. */
export function findPresetRatio(preset: Preset, asked: Variant | undefined): Variant | undefined {
  if (asked !== undefined) return allowsRatio(preset, asked) ? asked : undefined;
  return preset.ratios?.[0] ?? '1:1';
}

/** The plain recipes, in the catalogue's order, that the preset holds and that come in the ratio. */
export function listPresetRecipes(preset: Preset, catalogue: readonly Recipe[], ratio: Variant): Recipe[] {
  if (!allowsRatio(preset, ratio)) return [];
  const colors = preset.palette?.map((color) => color.toUpperCase());
  return catalogue.filter((recipe) => {
    if (!recipe.variants.includes(ratio)) return false;
    const isNamed = preset.recipes?.some((pattern) => matches(pattern, recipe.id));
    // An id written out is meant; brand colours choose among what came by family or by pattern.
    if (preset.recipes?.includes(recipe.id)) return true;
    if (!isNamed && !preset.families?.includes(recipe.family)) return false;
    const { backdrop } = recipe;
    return backdrop.kind !== 'solid' || colors === undefined || colors.includes(backdrop.color.toUpperCase());
  });
}

/** A * stands for any characters. Part by part, so that no pattern can make the search run away. */
function matches(pattern: string, id: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return id === head;
  if (!id.startsWith(head) || !id.endsWith(tail) || id.length < head.length + tail.length) return false;
  let from = head.length;
  for (const part of rest) {
    const at = id.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= id.length - tail.length;
}
