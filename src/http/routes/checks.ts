/**
 * GET /v1/design/{id}/check and POST /v1/checks: checks a render, or any picture, against the rules of
 * marketplaces.
 */
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import { type ListingCheck, listingRecipe } from '../../listing/check-listing.ts';
import type { MarketplaceId } from '../../listing/marketplaces.ts';
import { optional } from '../../optional.ts';
import { type Mutations, mutationsSchema } from '../../recipes/mutations.ts';
import { FULL_EDGE_PX, renderTarget, withWishes } from '../../rendering/render-target.ts';
import { callerOf } from '../api-key.ts';
import { spentMs } from '../call-deadline.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { photoFile, readFormOnce, uploadForm } from '../file-form.ts';
import { checkSchema, marketplaceSchema } from '../listing-check-schema.ts';
import { refuseLossless } from '../recipe-fields.ts';
import { addReceipt } from './credits.ts';

export function addRenderCheck(server: Server, { listing, published }: ServerDependencies): void {
  server.get(
    '/v1/design/:id/check',
    {
      config: { scope: 'render', operation: 'check-render' },
      schema: {
        operationId: 'checkRender',
        summary: 'Check the full version of a recipe against the rules of marketplaces',
        description:
          "Renders the picture like the render call, and measures it. Charged like that call, and free if the same picture was paid for within the last hour. Without `recipeId`, the marketplace's own listing recipe is checked.",
        tags: ['Pictures'],
        params: z.object({ id: z.string().max(100) }),
        querystring: z.strictObject({
          marketplace: marketplaceSchema,
          recipeId: z.string().max(100).optional(),
          variant: z.string().max(20).optional().describe('Default: `1:1`.'),
          format: z.enum(['jpeg', 'png', 'webp', 'avif']).optional().describe('Default: `jpeg`.'),
          quality: z.coerce.number().int().min(1).max(100).optional().describe('As in a render call.'),
          longEdgePx: optional(z.coerce.number().int().min(16).max(FULL_EDGE_PX), 'As in a render call.'),
          maxBytes: optional(z.coerce.number().int().min(1_000).max(100_000_000), 'As in a render call.'),
          mutations: z.string().max(8_000).optional().describe('As JSON, as in a render call.'),
        }),
        response: { 200: checkSchema },
      },
    },
    async (request, reply) => {
      const { marketplace, recipeId, variant, format = 'jpeg', quality, mutations, ...size } = request.query;
      refuseLossless(format, { quality, ...size });
      const marketplaces = splitIds(marketplace);
      const standard = listingRecipe(marketplaces[0]!);
      const { check, receipt } = await listing.checkRender({
        caller: callerOf(request),
        designId: request.params.id,
        recipeId: recipeId ?? standard.recipeId,
        variant: variant ?? standard.variant,
        mutations: parseMutations(mutations),
        target: withWishes(renderTarget('generated', format, quality), size),
        marketplaces,
        elapsedMs: spentMs(reply, published.deadlineMs.generated),
        signal: disconnectSignal(reply),
      });
      addReceipt(reply, receipt);
      return toAnswer(check);
    },
  );
}

/** Adds POST /v1/checks to a server that accepts forms with a file. */
export function addPictureCheck(server: Server, { listing, published }: ServerDependencies): void {
  server.post(
    '/v1/checks',
    {
      config: { scope: 'render', operation: 'check-picture', readsBody: true },
      schema: {
        operationId: 'checkPicture',
        summary: 'Check any picture against the rules of marketplaces',
        description:
          'Nothing is stored or charged. The response reports our own checks; the marketplace decides whether it accepts the picture.',
        tags: ['Pictures'],
        bodies: { 'multipart/form-data': z.object({ file: photoFile, marketplace: marketplaceSchema }) },
        response: { 200: checkSchema },
      },
    },
    async (request, reply) => {
      const form = readFormOnce(request, uploadForm(published));
      const check = await listing.checkPicture({
        accountId: callerOf(request).accountId,
        signal: disconnectSignal(reply),
        readPicture: async () => {
          const { file, fields } = await form();
          const given = marketplaceSchema.safeParse(fields.get('marketplace') ?? '');
          if (!given.success)
            throw new PackshotError('invalid_field', `"marketplace" ${given.error.issues[0]!.message}.`, {
              pointer: '/marketplace',
            });
          return { bytes: file.bytes, marketplaces: splitIds(given.data) };
        },
      });
      return toAnswer(check);
    },
  );
}

/**
 * A cast, because only the schema's type has mutable arrays. Serialization drops fields that the schema does not
 * declare.
 */
const toAnswer = (check: ListingCheck) => check as unknown as z.output<typeof checkSchema>;

const splitIds = (text: string): MarketplaceId[] => [...new Set(text.split(','))] as MarketplaceId[];

function parseMutations(text: string | undefined): Mutations | undefined {
  if (text === undefined) return undefined;
  const refuse = (why: string) =>
    new PackshotError('invalid_field', `"mutations" ${why}`, { pointer: '/mutations' });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw refuse('is not valid JSON.');
  }
  const { success, data } = mutationsSchema.safeParse(parsed);
  if (!success) throw refuse('is not valid; use the fields of a render call.');
  return data;
}
