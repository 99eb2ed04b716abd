/** `render`: draws a picture of a product on a recipe or in a suggested scene. */
import type { McpServer } from '@modelcontextprotocol/server';
import { variants } from 'packshot-pixels';
import { z } from 'zod';
import { optional } from '../../optional.ts';
import { keepPicture, outputField } from '../keep-picture.ts';
import { designFields, takePhoto } from '../photo-input.ts';
import { planFields, readPlan } from '../picture-plan.ts';
import { register } from '../register.ts';
import { answer, describeDesign, designFacts, fileSchema, toImage } from '../results.ts';
import type { ToolContext } from '../tool-context.ts';

export function addRender(server: McpServer, context: ToolContext): void {
  register(
    server,
    'render',
    {
      title: 'Render a product picture',
      description:
        'Makes a picture of a product: with a recipe from `list_recipes` (plain white is Solid1_1_0035), in a scene from ' +
        '`suggest_scenes`, or in a look from `keep_look` (pass its id as `recipe`). Full size is 2000 px on the longer side, preview 640 px. The product is only scaled and moved, ' +
        'never redrawn; `match_light` grades its exposure and color to a scene. Plain pictures take under 1 s, scenes at full size 3 to 15 s.',
      inputSchema: z.object({
        ...designFields(context),
        ...planFields,
        ratio: optional(
          z.enum(variants),
          'Aspect ratio of a `recipe`; default `1:1`. A scene has its own ratio.',
        ),
        match_light: optional(
          z.boolean(),
          "With a scene, or a look made from one: grade the product's own pixels to the light around it, within limits.",
        ),
        format: z.enum(['jpeg', 'png', 'webp', 'avif']).default('jpeg'),
        size: z.enum(['full', 'preview']).default('full'),
        ...outputField(context),
      }),
      outputSchema: z.object({ ...designFacts, files: z.array(fileSchema) }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async (input, signal) => {
      const plan = readPlan(input);
      const client = await context.openClient();
      const design = await takePhoto(client, context, input, { signal });
      const request = { id: design.id, ...plan };
      const preview = await client.preview(request, { signal });
      const { format, size } = input;
      const file = await keepPicture(client, context, request, { format, size, input, signal });
      const warnings = preview.warnings.map(({ detail }) => detail);
      return answer({
        facts: { ...describeDesign(design, warnings), files: [file] },
        images: [await toImage(preview)],
        files: [file],
      });
    },
  );
}
