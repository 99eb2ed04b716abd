/** POST /v1/design/suggest: lists of scenes for a product. */
import { unusedReasons } from 'packshot-sets';
import { z } from 'zod';
import { optional } from '../../optional.ts';
import { callerOf } from '../api-key.ts';
import { baseOf } from '../base-url.ts';
import { spentMs } from '../call-deadline.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { fieldError } from '../field-errors.ts';
import { suggestedRecipeSchema } from '../recipe-fields.ts';

const suggestBody = z
  .strictObject({
    id: z.string().max(100).describe('The design id from an upload.'),
    recipePreset: z
      .string()
      .max(100)
      .describe(
        '`AI_STUDIO`: scenes drawn for this product. Or a preset that the operator granted to your key.',
      ),
    prompt: optional(
      z.string(),
      'The scenes that you want, in your own words; at most 1,000 characters by default, see `GET /v1/limits`.',
    ),
    filters: z
      .strictObject({
        aspectRatio: z.string().max(20).optional().describe('Such as `4:5`; default `1:1`.'),
        exclude: optional(
          z.array(z.string().max(60)).max(50),
          'Tags of scenes that must not appear, as in `tags` of the suggested recipes.',
        ),
      })
      .optional(),
    seed: optional(
      z.int().min(0).max(0xffffffff),
      'Another number gives other scenes; default: chosen by the design.',
    ),
    page: z.int().min(1).max(100).optional().describe('Continues the lists; from 1, the default.'),
    productKind: optional(
      z.string().max(100),
      'What the product is, such as `shoes` or `Health & Beauty`; overrides the detected kind.',
    ),
  })
  .meta({ id: 'Suggest' });

const suggestionsSchema = z
  .object({
    suggestedRecipeLists: z.array(
      z.object({ id: z.string(), title: z.string(), recipes: z.array(suggestedRecipeSchema) }),
    ),
    prompt: optional(
      z.object({
        understood: z.array(z.string()).describe('All words of `used`.'),
        ignored: z.array(z.string()).describe('All words of `notShown`.'),
        used: z
          .array(
            z.object({
              words: z.array(z.string()).describe('As typed; several if they request the same thing.'),
              effect: z
                .string()
                .describe('What the words became in the scenes, such as `sage wall`, `marble surface`.'),
            }),
          )
          .describe(
            'Words that the scenes show: things that cover at least 1 % of a picture, and light and colors that were applied.',
          ),
        notShown: z
          .array(
            z.object({
              words: z.string().describe('As typed.'),
              reason: z
                .enum(unusedReasons)
                .describe(
                  '`not_drawable`: no scene can show it. `unknown_word`: not in the dictionary. `no_effect`: understood, but no scene here shows it. `not_the_product`: overruled by `productKind`.',
                ),
            }),
          )
          .describe('Words without effect. An illustration engine still gets the whole prompt.'),
        readBy: z
          .enum(['model', 'rules'])
          .describe(
            '`model`: a language model that the operator configured. `rules`: no model is configured, or its answer was not usable.',
          ),
      }),
      'How the words of the prompt were used.',
    ),
  })
  .meta({ id: 'Suggestions' });

export function addSuggest(
  server: Server,
  { suggestRecipes, answerOnce, publicUrl, published }: ServerDependencies,
): void {
  server.post(
    '/v1/design/suggest',
    {
      config: { scope: 'suggest', operation: 'suggest' },
      schema: {
        operationId: 'suggestRecipes',
        summary: 'Suggest scenes for the product',
        description:
          'Waits for the cutout if it is still being made. The call does not draw the scenes; each is drawn when it is first needed.',
        tags: ['Designs'],
        body: suggestBody,
        response: { 200: suggestionsSchema },
      },
    },
    async (request, reply) => {
      const { id, recipePreset, prompt, filters, productKind, seed, page = 1 } = request.body;
      const { accountId, keyId } = callerOf(request);
      refuseLongPrompt(prompt, published.requests.promptChars);
      return answerOnce(request, {
        ownerOf: () => id,
        sent: async () => [JSON.stringify(request.body)],
        async work() {
          const suggestions = await suggestRecipes({
            designId: id,
            accountId,
            keyId,
            recipePreset,
            prompt: prompt !== undefined && /[\p{L}\p{N}]/u.test(prompt) ? prompt : undefined,
            aspectRatio: filters?.aspectRatio,
            exclude: filters?.exclude ?? [],
            seed,
            page,
            productKind,
            baseUrl: baseOf(request, publicUrl),
            elapsedMs: spentMs(reply, published.deadlineMs.generated),
            signal: disconnectSignal(reply),
          });
          // A cast, because the schema's arrays are mutable.
          return suggestions as z.output<typeof suggestionsSchema>;
        },
      });
    },
  );
}

/** Refuses a prompt that is too long, counted in Unicode code points rather than UTF-16 units. */
function refuseLongPrompt(prompt: string | undefined, maxChars: number): void {
  const chars = prompt === undefined ? 0 : [...prompt].length;
  if (chars <= maxChars) return;
  throw fieldError('/prompt', `A prompt may have at most ${maxChars} characters, this one has ${chars}.`);
}
