/** Schemas of recipes in responses, and in requests for renders and batches. */
import { z } from 'zod';
import { optional } from '../optional.ts';
import { mutationsSchema } from '../recipes/mutations.ts';
import { FULL_EDGE_PX, isLossy, metadataChoices, type RenderFormat } from '../rendering/render-target.ts';
import { acceptEchoes } from './body-schema.ts';
import { fieldError } from './field-errors.ts';

/** A recipe in the response of `suggest`. */
export const suggestedRecipeSchema = z.object({
  recipeId: z.string(),
  variant: z.string(),
  title: z.string().describe('Title for people.'),
  tags: z.array(z.string()).optional().describe('What a scene shows, for `filters.exclude`.'),
  mutations: z
    .object({
      background: z.object({ color: z.string().optional() }).optional(),
      images: z.object({
        primaryIllustration: z.object({
          uri: z.string().describe('The scene without the product, at full size; opens in a browser.'),
          previewUri: z.string().describe('The scene without the product, at preview size.'),
          source: z.literal('WEB'),
        }),
      }),
    })
    .describe('Send it back unchanged to render the recipe.'),
});

const sizeSchema = z.object({ width: z.int(), height: z.int() });

/** A recipe in the catalog, `GET /v1/recipes`. */
export const catalogueRecipeSchema = z.object({
  id: z.string(),
  title: z.string(),
  family: z.string(),
  variants: z.array(z.string()),
  canvas: z
    .record(z.string(), z.object({ preview: sizeSchema, full: sizeSchema }))
    .describe('Pixels, for each variant.'),
  margin: z
    .number()
    .nullable()
    .describe(
      'Margin around the product, a fraction of the shorter side, unless `mutations.layout.margin` sets it. Null if the scene decides.',
    ),
  align: z
    .enum(['center', 'baseline'])
    .nullable()
    .describe(
      'Where the product is, unless `mutations.layout.align` sets it: `center`, or `baseline`, standing on the ground line. Null if the scene decides.',
    ),
  revision: z.int().describe('Incremented by each release that renders the recipe differently.'),
});

/**
 * Recipe fields of a render call and of a batch item. A recipe from the response of `suggest` can be sent as
 * `{ id, ...recipe }`: fields that recipes have only in responses (of `suggest` or of the catalog) are accepted and
 * ignored.
 */
export const recipeFields = acceptEchoes(
  z.strictObject({
    recipeId: z.string().max(100).describe('Such as `Solid1_1_0035`; `GET /v1/recipes` lists them all.'),
    variant: z.string().max(20).describe('An aspect ratio of the recipe, such as `1:1`.'),
    mutations: mutationsSchema.optional(),
  }),
  suggestedRecipeSchema,
  catalogueRecipeSchema,
).shape;

/** Quality of the encoder, for renders and batches. */
export const qualityField = optional(
  z.int().min(1).max(100),
  "Quality of a JPEG, WebP or AVIF file, 1 to 100 on the format's own scale; not for PNG, which is lossless. Defaults for JPEG, WebP and AVIF: 94, 92 and 72; for previews: 90, 84 and 62.",
);

/** Which metadata of the photo the picture gets, for renders, batches and cutouts. */
export const metadataField = optional(
  z.enum(metadataChoices),
  "`photo` writes the photo's camera make and model, date taken, artist, copyright, description and density into the picture; never location, serial numbers, maker notes or a thumbnail. Default: `none`.",
);

/** Density of the picture, for renders and batches. */
export const dpiField = optional(
  z.int().min(1).max(2400),
  'Pixels per inch to state in the picture, for printing; no pixel changes. Default: none, or the photo\'s with `"metadata": "photo"`.',
);

/** Size of the picture in pixels and bytes, for renders and batches. */
export const sizeFields = {
  longEdgePx: optional(
    z.int().min(16).max(FULL_EDGE_PX),
    `Longer side of the picture in pixels, 16 to ${FULL_EDGE_PX}; default ${FULL_EDGE_PX}. Previews stay at most 640 px.`,
  ),
  maxBytes: optional(
    z.int().min(1_000).max(100_000_000),
    'Most bytes of a JPEG, WebP or AVIF file, 1,000 to 100,000,000. A picture that needs more gets a lower quality, but not below 40: if that is not enough, it fails with `invalid_field`.',
  ),
};

export const losslessRefusal = 'PNG is lossless: leave quality and maxBytes out, or use JPEG, WebP or AVIF.';

export function refuseLossless(
  format: RenderFormat,
  { quality, maxBytes }: { readonly quality?: number | undefined; readonly maxBytes?: number | undefined },
): void {
  if (isLossy(format) || (quality === undefined && maxBytes === undefined)) return;
  throw fieldError(quality === undefined ? '/maxBytes' : '/quality', losslessRefusal);
}
