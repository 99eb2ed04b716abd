/** `keep_look`: saves a scene or a recipe, to show other products in the same way. */
import type { McpServer } from '@modelcontextprotocol/server';
import { variants } from 'packshot-pixels';
import { z } from 'zod';
import { optional } from '../../optional.ts';
import { planFields, readPlan } from '../picture-plan.ts';
import { register } from '../register.ts';
import { answer } from '../results.ts';
import type { ToolContext } from '../tool-context.ts';

export function addKeepLook(server: McpServer, context: ToolContext): void {
  register(
    server,
    'keep_look',
    {
      title: 'Save a look for all products',
      description:
        'Saves a scene from `suggest_scenes`, or a recipe from `list_recipes`, as a look. Pass its id as `recipe` to the tool ' +
        '`render` for each product of a series: the set and its colors, the light, the camera and the baseline stay the same, ' +
        'size and stand adapt to the product. `list_recipes` with the query "look" lists the looks. Takes no time; nothing is drawn.',
      inputSchema: z.object({
        ...planFields,
        ratio: z.enum(variants).optional().describe('Aspect ratio of a `recipe`; default `1:1`.'),
        match_light: optional(
          z.boolean(),
          "With a `scene`: grade each product's own pixels to the light around it, within limits.",
        ),
        title: z.string().trim().min(1).max(80).optional().describe('Title for display.'),
      }),
      outputSchema: z.object({
        look: z.string().describe('Pass it as `recipe` to the tool `render`.'),
        title: z.string(),
        ratios: z.array(z.string()).describe('Pass one of them as `ratio`.'),
      }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    async ({ title, ...input }, signal) => {
      const client = await context.openClient();
      const look = await client.keepLook({ from: readPlan(input), title }, { signal });
      return answer({ facts: { look: look.id, title: look.title, ratios: [...look.variants] } });
    },
  );
}
