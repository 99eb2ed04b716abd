/** `suggest_scenes`: plans studio scenes for a product, with small pictures to choose from. */
import type { McpServer } from '@modelcontextprotocol/server';
import { variants } from 'packshot-pixels';
import { z } from 'zod';
import type { PackshotClient, Suggestions } from '../../../clients/typescript/src/packshot-client.ts';
import { optional } from '../../optional.ts';
import { designFields, takePhoto } from '../photo-input.ts';
import { register } from '../register.ts';
import { answer, describeDesign, designFacts, toImage } from '../results.ts';
import { nameScene } from '../scene-handle.ts';
import type { ToolContext } from '../tool-context.ts';

/** Maximum number of previews of 640 px that fit into one result. */
const MOST_PREVIEWS = 8;

export function addSuggestScenes(server: McpServer, context: ToolContext): void {
  register(
    server,
    'suggest_scenes',
    {
      title: 'Suggest studio scenes for a product',
      description:
        'Plans studio scenes (stand, wall, props, light) for one product and shows it in them at up to 640 px. The ' +
        'scenes are drawn by a renderer from a plan, not by an image model, and the product stays pixel by pixel as ' +
        'photographed. A prompt asks for materials, colors, props, light and mood in plain words, such as "white marble ' +
        'podium, palm shadow"; the result lists words that had an effect and words that no scene can show. Pass the `scene` ' +
        'of the one that you choose to the tool `render`. Takes 1 to 3 s for each scene.',
      inputSchema: z.object({
        ...designFields(context),
        prompt: optional(z.string().max(1000), 'English, German, French, Spanish or Italian words work.'),
        ratio: z.enum(variants).default('1:1').describe('Aspect ratio of the pictures, width to height.'),
        count: z.number().int().min(1).max(MOST_PREVIEWS).default(4).describe('Scenes to show.'),
      }),
      outputSchema: z.object({
        ...designFacts,
        scenes: z.array(
          z.object({
            title: z.string(),
            scene: z
              .string()
              .describe('For the tool `render`. Valid only for this `designId`, for seven days.'),
          }),
        ),
        wordsUsed: z
          .array(z.string())
          .describe('Words of the prompt that changed the scenes, and what they became.'),
        wordsNotShown: z.array(z.string()).describe('Words that no scene can show.'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (input, signal) => {
      const client = await context.openClient();
      const design = await takePhoto(client, context, input, { signal });
      const suggestions = await client.suggest(
        {
          id: design.id,
          recipePreset: 'AI_STUDIO',
          filters: { aspectRatio: input.ratio },
          ...(input.prompt !== undefined && { prompt: input.prompt }),
          ...(input.product_kind !== undefined && { productKind: input.product_kind }),
        },
        { signal },
      );
      const chosen = chooseScenes(suggestions, input.count);
      const images = await drawPreviews(client, design.id, chosen, signal);
      const { used = [], notShown = [] } = suggestions.prompt ?? {};
      return answer({
        facts: {
          ...describeDesign(design),
          scenes: chosen.map((recipe) => ({ title: recipe.title, scene: nameScene(recipe) })),
          wordsUsed: used.map(({ words, effect }) => `${words.join(', ')} → ${effect}`),
          wordsNotShown: notShown.flatMap(({ words }) => words),
        },
        images,
      });
    },
  );
}

type Scene = Suggestions['suggestedRecipeLists'][number]['recipes'][number];

/** Takes the first scene of each list, then the second, so that a small selection is as varied as possible. */
function chooseScenes({ suggestedRecipeLists: lists }: Suggestions, count: number): Scene[] {
  const longest = Math.max(0, ...lists.map(({ recipes }) => recipes.length));
  const inTurn = Array.from({ length: longest }, (_, row) =>
    lists.flatMap(({ recipes }) => recipes[row] ?? []),
  );
  return inTurn
    .flat()
    .filter(({ mutations }) => mutations?.images?.primaryIllustration)
    .slice(0, count);
}

/** Draws one preview at a time, because the service uses all its processes for each. */
async function drawPreviews(
  client: PackshotClient,
  id: string,
  scenes: readonly Scene[],
  signal: AbortSignal,
) {
  const images = [];
  for (const { title: _, ...recipe } of scenes) {
    images.push(await toImage(await client.preview({ id, ...recipe }, { signal })));
  }
  return images;
}
