/** The picture that a tool should draw, derived from its arguments: a recipe or a suggested scene. */

import type { Variant } from 'packshot-pixels';
import { z } from 'zod';
import type { RenderInput } from '../../clients/typescript/src/packshot-client.ts';
import { readColor } from '../named-color.ts';
import { ToolError } from './results.ts';
import { readScene } from './scene-handle.ts';

/** Models name colors at least as often as they spell them. */
export const colorField = z
  .string()
  .refine((text) => readColor(text)?.[3] === 255, { error: 'needs a color such as #FFFFFF or white' });

/** As `#RRGGBB`. */
export function toHex(text: string): string {
  const [r, g, b] = readColor(text)!;
  return `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

interface PlanInput extends z.output<z.ZodObject<typeof planFields>> {
  readonly ratio?: Variant | undefined;
  readonly match_light?: boolean | undefined;
}

/** Arguments of every tool that accepts a recipe or a scene. */
export const planFields = {
  recipe: z.string().max(100).optional().describe('The id of a recipe. Give either `recipe` or `scene`.'),
  scene: z.string().max(2000).optional().describe('A scene returned by `suggest_scenes`, unchanged.'),
  background_color: colorField
    .optional()
    .describe('With a Solid or Surface recipe: another color, such as #E6D5BE.'),
};

/** Throws `ToolError`. */
export function readPlan({
  recipe,
  scene,
  ratio = '1:1',
  background_color: color,
  match_light: matchesLight = false,
}: PlanInput): Omit<RenderInput, 'id'> {
  if ((recipe === undefined) === (scene === undefined)) {
    throw new ToolError('Give either `recipe`, from `list_recipes`, or `scene`, from `suggest_scenes`.');
  }
  if (scene !== undefined) {
    if (color !== undefined)
      throw new ToolError('`background_color` does not apply to a scene: describe the color in the prompt.');
    const plan = readScene(scene);
    return matchesLight ? { ...plan, mutations: { ...plan.mutations, match: 'light' as const } } : plan;
  }
  const mutations = {
    ...(color !== undefined && { background: { color: toHex(color) } }),
    ...(matchesLight && { match: 'light' as const }),
  };
  return { recipeId: recipe!, variant: ratio, ...(Object.keys(mutations).length > 0 && { mutations }) };
}
