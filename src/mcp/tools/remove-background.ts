/** `remove_background`: makes a cutout at the photo's size, or a picture on one color. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { optional } from '../../optional.ts';
import { keepCutout, keepPicture, outputField } from '../keep-picture.ts';
import { photoFields, takePhoto } from '../photo-input.ts';
import { colorField, toHex } from '../picture-plan.ts';
import { register } from '../register.ts';
import { answer, describeDesign, designFacts, fileSchema, toImage } from '../results.ts';
import type { ToolContext } from '../tool-context.ts';

const ON_COLOR = { recipeId: 'Solid1_1_0035', variant: '1:1' } as const;
const TRANSPARENT = { recipeId: 'Transp001', variant: '1:1' } as const;

export function addRemoveBackground(server: McpServer, context: ToolContext): void {
  register(
    server,
    'remove_background',
    {
      title: 'Remove the background of a product photo',
      description:
        'Cuts the product out of a photo. With the `background` "transparent" (the default), the result is the cutout at the ' +
        "photo's own size and place, PNG or WebP with alpha. With a color such as #FFFFFF, the product is centered on a " +
        'square of 2000 x 2000 px in that color, as marketplaces require. Returns a small preview, the file, where the ' +
        'product is in the photo, and the `designId` for the other tools. Takes 1 to 10 s.',
      inputSchema: z.object({
        ...photoFields(context),
        background: z
          .union([z.literal('transparent'), colorField], {
            error: 'needs "transparent", or a color such as #FFFFFF or white',
          })
          .default('transparent'),
        format: optional(
          z.enum(['png', 'webp', 'jpeg']),
          'Default `png`. `jpeg` has no transparency, so it needs a background color.',
        ),
        ...outputField(context),
      }),
      outputSchema: z.object({
        ...designFacts,
        width: z.number().int().describe("The photo's width in pixels."),
        height: z.number().int(),
        files: z.array(fileSchema),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async (input, signal) => {
      const client = await context.openClient();
      const design = await takePhoto(client, context, input, { signal, takesDesigns: false });
      const color = input.background === 'transparent' ? undefined : toHex(input.background);
      const recipe =
        color === undefined ? TRANSPARENT : { ...ON_COLOR, mutations: { background: { color } } };
      const preview = await client.preview({ id: design.id, ...recipe }, { signal });
      const format = input.format ?? 'png';
      const file =
        color === undefined
          ? await keepCutout(client, context, design, format === 'jpeg' ? 'png' : format, input, signal)
          : await keepPicture(client, context, { id: design.id, ...recipe }, { format, input, signal });
      const warnings =
        color === undefined && format === 'jpeg'
          ? ['JPEG has no transparency: the cutout is PNG. Give a background color for JPEG.']
          : [];
      const { width, height } = design.image;
      return answer({
        facts: { ...describeDesign(design, warnings), width, height, files: [file] },
        images: [await toImage(preview)],
        files: [file],
      });
    },
  );
}
