/** GET /v1/recipes: the catalog. */
import { z } from 'zod';
import { listRecipes } from '../../recipes/catalogue.ts';
import { studioRecipe } from '../../recipes/studio-recipe.ts';
import { canvasSize, type RenderTarget, renderTarget, sampleTarget } from '../../rendering/render-target.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { catalogueRecipeSchema } from '../recipe-fields.ts';

const recipesSchema = z.object({ recipes: z.array(catalogueRecipeSchema) }).meta({ id: 'Recipes' });

const preview = renderTarget('preview', 'webp');
const full = renderTarget('generated', 'jpeg');

export function addRecipes(server: Server, _rooms: ServerDependencies): void {
  const live = listAll(full);
  const sandbox = listAll(sampleTarget(full));
  server.get(
    '/v1/recipes',
    {
      config: { operation: 'recipes' },
      schema: {
        operationId: 'listRecipes',
        summary: 'Every recipe, its variants and canvas sizes',
        tags: ['Pictures'],
        response: { 200: recipesSchema },
      },
    },
    async (request) => (callerOf(request).sandbox ? sandbox : live),
  );
}

function listAll({ longEdgePx }: RenderTarget) {
  return {
    recipes: [...listRecipes(), { ...studioRecipe, layout: undefined }].map(
      ({ id, title, family, variants, revision, layout }) => ({
        id,
        title,
        family,
        variants: [...variants],
        canvas: Object.fromEntries(
          variants.map((variant) => [
            variant,
            { preview: canvasSize(variant, preview.longEdgePx), full: canvasSize(variant, longEdgePx) },
          ]),
        ),
        margin: layout?.margin ?? null,
        align: layout?.align ?? null,
        revision,
      }),
    ),
  };
}
