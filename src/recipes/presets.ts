/** Caller presets: which recipes, styles, colors and ratios a caller's suggestions may contain, and how many. */
import { type Variant, variants } from 'packshot-pixels';
import { sceneStyles, settings } from 'packshot-sets';
import { z } from 'zod';
import { optional } from '../optional.ts';
import { families, listRecipes, type Recipe } from './catalogue.ts';

/** Syntax check, so that invalid names are rejected before any database lookup. */
export function isPresetName(text: string): boolean {
  return /^[^\p{Cc}\p{Cs}]{1,100}$/u.test(text);
}

/**
 * The preset as the operator writes it, in YAML or JSON. Omitted fields do not restrict studio scenes and ratios, but
 * plain recipes and looks are suggested only if a field selects them.
 */
export const presetSchema = z
  .strictObject({
    name: z
      .string('Needs text; in YAML, quote a name that looks like a number.')
      .refine(isPresetName, 'Needs 1 to 100 characters, without control characters.')
      .refine((name) => name !== 'AI_STUDIO', 'AI_STUDIO is built in; everyone has it.')
      .describe('what callers send as `recipePreset`, case-sensitive; any text of 1 to 100 characters'),
    title: optional(
      z.string().min(1).max(80),
      'heading of the plain recipes; precedes the family name if they fill several lists',
    ),
    recipes: optional(
      z.array(z.string().min(1).max(80)).max(500),
      'ids of plain recipes in order of preference; `*` matches any characters; default none, unless `families` is set',
    ),
    families: z.array(z.enum(families)).optional().describe('whole families of plain recipes'),
    looks: optional(
      z
        .array(z.string().regex(/^Look_[0-9a-f]{24}$/, 'Needs the id of a look, Look_ and 24 characters.'))
        .max(24),
      "looks of the caller's account, suggested first in the ratios in which they are available",
    ),
    styles: optional(
      z.array(z.enum([...sceneStyles, ...settings])),
      'styles of studio scenes, and `indoor` or `outdoor` for real places; empty for no scenes; default all',
    ),
    palette: optional(
      z
        .array(
          z
            .string('Needs a quoted "#RRGGBB"; in YAML a bare # starts a comment.')
            .regex(/^#[0-9A-Fa-f]{6}$/, 'Needs #RRGGBB.'),
        )
        .max(24),
      'brand colors, sRGB #RRGGBB, most important first; used for the walls of scenes and as the only plain colors',
    ),
    ratios: optional(
      z.array(z.enum(variants)).min(1),
      'aspect ratios; default all; the first is used for calls that name none',
    ),
    lists: optional(
      z.int().min(1).max(4),
      'number of lists in a response, 1 to 4; default 3, or 2 for scenes only',
    ),
    perList: z.int().min(1).max(6).optional().describe('number of recipes in a list, 1 to 6; default 4'),
  })
  .describe('A caller preset');
export type Preset = z.infer<typeof presetSchema>;

/** The preset available to every key: studio scenes of every style, no plain recipes. */
export const aiStudio: Preset = { name: 'AI_STUDIO' };

export function allowsRatio({ ratios }: Preset, ratio: Variant): boolean {
  return ratios === undefined || ratios.includes(ratio);
}

/** `asked` if the preset allows it, otherwise undefined. Without `asked`, the preset's first ratio, or else `1:1`. */
export function findPresetRatio(preset: Preset, asked: Variant | undefined): Variant | undefined {
  if (asked !== undefined) return allowsRatio(preset, asked) ? asked : undefined;
  return preset.ratios?.[0] ?? '1:1';
}

export interface PresetRecipes {
  /** Selected by id, or by a pattern that does not end in `*`, in the operator's order. */
  readonly named: readonly Recipe[];
  /** Selected by family, or by a pattern that ends in `*`, in catalogue order; excludes `named`. */
  readonly ranged: readonly Recipe[];
}

/** The preset's plain recipes in one ratio, before brand colors are applied. */
export function findPresetRecipes(preset: Preset, ratio: Variant): PresetRecipes {
  if (!allowsRatio(preset, ratio)) return { named: [], ranged: [] };
  const patterns = preset.recipes ?? [];
  const inRatio = listRecipes().filter((recipe) => recipe.variants.includes(ratio));
  const written = patterns.filter((pattern) => !hasOpenEnd(pattern));
  const named = new Set(
    written.flatMap((pattern) => inRatio.filter(({ id }) => matchesPattern(pattern, id))),
  );
  const open = patterns.filter(hasOpenEnd);
  const ranged = inRatio.filter(
    (recipe) =>
      !named.has(recipe) &&
      (preset.families?.includes(recipe.family) ||
        open.some((pattern) => matchesPattern(pattern, recipe.id))),
  );
  return { named: [...named], ranged };
}

/** Whether a pattern leaves the end of the id open: `Solid1_1_*` matches any color, but `Solid*_0035` only white. */
function hasOpenEnd(pattern: string): boolean {
  return pattern.endsWith('*');
}

/** `*` matches any characters. Matches part by part, so no pattern can cause catastrophic backtracking. */
export function matchesPattern(pattern: string, id: string): boolean {
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
