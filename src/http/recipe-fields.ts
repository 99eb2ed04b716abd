/** Recipes on the wire: as answers contain them, and as render calls and batches take them back. */
import { z } from 'zod';
import { mutationsSchema } from '../recipes/mutations.ts';
import { acceptEchoes } from './body-schema.ts';

/** A recipe of a suggestion. */
export const suggestedRecipeSchema = z.object({
  recipeId: z.string(),
  variant: z.string(),
  title: z.string().describe('For people.'),
  mutations: z
    .object({
      background: z.object({ color: z.string().optional() }).optional(),
      images: z.object({
        primaryIllustration: z.object({
          uri: z.string().describe('The scene without the product, at full size; opens in a browser.'),
          previewUri: z.string().describe('The same at preview size.'),
          source: z.literal('WEB'),
        }),
      }),
    })
    .describe('Send it back as it is to render the recipe.'),
});

const sizeSchema = z.object({ width: z.int(), height: z.int() });

/** A recipe of the catalogue. */
export const catalogueRecipeSchema = z.object({
  id: z.string(),
  title: z.string(),
  family: z.string(),
  variants: z.array(z.string()),
  canvas: z
    .record(z.string(), z.object({ preview: sizeSchema, full: sizeSchema }))
    .describe('Pixels, for each variant.'),
  revision: z.int().describe('Goes up whenever the recipe draws another picture.'),
});

/** Of a render call and of a batch's item: `{ id, ...recipe }` works for every recipe that we answer. */
export const recipeFields = acceptEchoes(
  z.strictObject({
    recipeId: z.string().max(100).describe('Such as `Solid1_1_0035`; `GET /v1/recipes` lists them all.'),
    variant: z.string().max(20).describe('An aspect ratio that the recipe comes in, such as `1:1`.'),
    mutations: mutationsSchema.optional(),
  }),
  suggestedRecipeSchema,
  catalogueRecipeSchema,
).shape;
