/** POST /v1/design/suggest: lists of scenes made for this product. */
import { z } from 'zod';
import { callerOf } from './api-key.ts';
import { fieldError } from './field-errors.ts';
import { goneSignal } from './gone-signal.ts';
import { problemResponse } from './problem.ts';
import { suggestedRecipeSchema } from './recipe-fields.ts';
import type { Rooms, Server } from './rooms.ts';

const suggestBody = z
  .strictObject({
    id: z.string().max(100).describe('The design, as an upload answered it.'),
    recipePreset: z
      .string()
      .max(100)
      .describe(
        '`AI_STUDIO`: scenes drawn for this product. Or a preset that the operator gave to your key.',
      ),
    prompt: z
      .string()
      .optional()
      .describe(
        'The designs that you have in mind, in your own words; `GET /v1/limits` tells how many characters, 1,000 by default.',
      ),
    filters: z
      .strictObject({
        aspectRatio: z.string().max(20).optional().describe('Such as `4:5`; `1:1` where left out.'),
      })
      .optional(),
    productKind: z
      .string()
      .max(100)
      .optional()
      .describe('What the product is, such as `shoes` or `Health & Beauty`, where you know better.'),
  })
  .meta({ id: 'Suggest' });

const suggestionsSchema = z
  .object({
    suggestedRecipeLists: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        recipes: z.array(suggestedRecipeSchema),
      }),
    ),
    prompt: z
      .object({
        understood: z.array(z.string()),
        ignored: z.array(z.string()),
        readBy: z
          .enum(['model', 'rules'])
          .describe('A language model where the operator has one, else rules.'),
      })
      .optional()
      .describe('Which words of the prompt were used, and which were not understood.'),
  })
  .meta({ id: 'Suggestions' });

export function addSuggest(
  server: Server,
  { suggestRecipes, answerOnce, publicUrl, published }: Rooms,
): void {
  server.post(
    '/v1/design/suggest',
    {
      config: { scope: 'suggest', operation: 'suggest' },
      schema: {
        operationId: 'suggestRecipes',
        summary: 'Suggest scenes for the product',
        description:
          'Waits for the cutout if it is still being made. The illustrations are drawn when they are first looked at.',
        tags: ['Designs'],
        body: suggestBody,
        response: { 200: suggestionsSchema, default: problemResponse },
      },
    },
    async (request, reply) => {
      const { id, recipePreset, prompt, filters, productKind } = request.body;
      const { accountId, keyId } = callerOf(request);
      refuseLongPrompt(prompt, published.requests.promptChars);
      return answerOnce(request, {
        ownerOf: () => id,
        sent: async () => [JSON.stringify(request.body)],
        async work() {
          const { suggestedRecipeLists, prompt: words } = await suggestRecipes({
            designId: id,
            accountId,
            keyId,
            recipePreset,
            prompt,
            aspectRatio: filters?.aspectRatio,
            productKind,
            baseUrl: publicUrl ?? `${request.protocol}://${request.host}`,
            elapsedMs: reply.elapsedTime,
            signal: goneSignal(reply),
          });
          return {
            suggestedRecipeLists: suggestedRecipeLists.map((list) => ({
              ...list,
              recipes: [...list.recipes],
            })),
            ...(words && {
              prompt: {
                understood: [...words.understood],
                ignored: [...words.ignored],
                readBy: words.readBy,
              },
            }),
          };
        },
      });
    },
  );
}

/** Counted in code points, as people count. */
function refuseLongPrompt(prompt: string | undefined, maxChars: number): void {
  const chars = prompt === undefined ? 0 : [...prompt].length;
  if (chars <= maxChars) return;
  throw fieldError('/prompt', `A prompt has at most ${maxChars} characters, this one has ${chars}.`);
}
