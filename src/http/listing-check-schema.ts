/** The wire shape of a check against the rules of marketplaces. */
import { z } from 'zod';
import { marketplaceIds } from '../listing/marketplaces.ts';

const oneId = marketplaceIds.join('|');
export const marketplaceSchema = z
  .string()
  .regex(new RegExp(`^(${oneId})(,(${oneId}))*$`), {
    error: `needs one or more of ${marketplaceIds.join(', ')}, separated by commas`,
  })
  .describe(`One or more of ${marketplaceIds.join(', ')}, separated by commas.`);

const measure = z.number().nullable();
export const checkSchema = z
  .object({
    passes: z.boolean().describe('Whether the picture passes our checks for all requested marketplaces.'),
    measures: z.object({
      format: z.string(),
      bytes: z.int(),
      widthPx: z.int(),
      heightPx: z.int(),
      colorModel: z.string(),
      profile: z.string().describe('Name of the color profile; `none` means sRGB.'),
      bitsPerChannel: z.int(),
      hasAlpha: z.boolean(),
      frames: z.int(),
      provenance: z
        .string()
        .describe(
          'IPTC digital source type in the metadata, which marks generated pictures; `none` if there is none.',
        ),
      cornerDarkest: z.int().describe('Lowest channel value in the corners, 0 to 255.'),
      ringWhiteShare: z.number().describe("Fraction of the picture's border that is exactly 255, 255, 255."),
      nearWhiteShare: measure.describe(
        'Fraction of the white background, away from the product, that is 250 to 254.',
      ),
      transparentShare: z.number(),
      framed: z.int().describe('1 if there is a line or bar along all four sides.'),
      productBox: z
        .object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
        .nullable()
        .describe('Null if the background is not plain or no product is found.'),
      fillShare: measure.describe(
        "The product's width or height as a fraction of the picture's, whichever is greater.",
      ),
      areaShare: measure.describe('Product pixels as a fraction of all pixels.'),
      offCenterShare: measure.describe(
        "Distance between the product's center and the picture's, as a fraction of the picture's shorter side.",
      ),
      blur: measure.describe('Blur of the product, from 0 (sharp) to 1.'),
      cutEdges: measure.describe('Number of sides of the frame that the product (the largest part) touches.'),
      fragments: measure.describe(
        'Number of small parts separate from the product, such as leftovers of the old background.',
      ),
    }),
    checks: z.array(
      z.object({
        marketplace: z.string(),
        verdict: z
          .enum(['passes', 'fails', 'unclear'])
          .describe(
            'Result of our checks of the required rules; `unclear` if something could not be measured, or small parts are separate from the product.',
          ),
        summary: z.string(),
        rules: z.array(
          z.object({
            id: z.string(),
            title: z.string(),
            level: z.enum(['required', 'advised']),
            outcome: z.enum(['passes', 'fails', 'not_measured']),
            measured: z.union([z.number(), z.string()]).nullable(),
            expected: z.string(),
            source: z.object({
              url: z.string(),
              page: z.string(),
              checkedOn: z.string(),
              kind: z.enum(['official', 'secondary', 'advice']),
            }),
          }),
        ),
        notChecked: z
          .array(z.string())
          .describe('Requirements that cannot be checked from pixels: check them yourself.'),
        fix: z
          .object({
            recipeId: z.string(),
            variant: z.string(),
            path: z.string().describe('The render call for a picture that passes.'),
            sizePx: z.int(),
            margin: z.number(),
            id: z.string().nullable().describe('The design; null if the photo must be uploaded first.'),
            remains: z.array(z.string()).describe('Problems that no recipe can fix.'),
          })
          .nullable(),
      }),
    ),
  })
  .meta({ id: 'ListingCheck' });
