/** GET /v1/recipes: the catalogue. */
import { z } from 'zod';
import { listRecipes } from '../recipes/catalogue.ts';
import { studioRecipe } from '../recipes/studio-recipe.ts';
import { canvasSize, renderTarget } from '../rendering/render-target.ts';
import { problemResponse } from './problem.ts';
import type { Rooms, Server } from './rooms.ts';

const sizeSchema = z.object({ width: z.int(), height: z.int() });
const recipesSchema = z
  .object({
    recipes: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        family: z.string(),
        variants: z.array(z.string()),
        canvas: z
          .record(z.string(), z.object({ preview: sizeSchema, full: sizeSchema }))
          .describe('Pixels, for each variant.'),
        revision: z.int().describe('Goes up whenever the recipe draws another picture.'),
      }),
    ),
  })
  .meta({ id: 'Recipes' });

const preview = renderTarget('preview', 'webp');
const full = renderTarget('generated', 'jpeg');

export function addRecipes(server: Server, _rooms: Rooms): void {
  const answer = {
    recipes: [...listRecipes(), studioRecipe].map(({ id, title, family, variants, revision }) => ({
      id,
      title,
      family,
      variants: [...variants],
      canvas: Object.fromEntries(
        variants.map((variant) => [
          variant,
          { preview: canvasSize(variant, preview.longEdgePx), full: canvasSize(variant, full.longEdgePx) },
        ]),
      ),
      revision,
    })),
  };
  server.get(
    '/v1/recipes',
    {
      config: { operation: 'recipes' },
      schema: {
        operationId: 'listRecipes',
        summary: 'Every recipe, its variants and canvas sizes',
        tags: ['Pictures'],
        response: { 200: recipesSchema, default: problemResponse },
      },
    },
    async () => answer,
  );
}
