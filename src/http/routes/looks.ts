/** POST, GET and DELETE /v1/looks: scenes and recipes that an account saves for all its products. */
import { z } from 'zod';
import type { LookSource } from '../../looks/keep-looks.ts';
import { kindOfLook, type Look, variantsOfLook } from '../../looks/look.ts';
import { optional } from '../../optional.ts';
import { mutationsSchema } from '../../recipes/mutations.ts';
import { callerOf } from '../api-key.ts';
import { baseOf } from '../base-url.ts';
import { acceptEchoes } from '../body-schema.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { fieldError } from '../field-errors.ts';
import { eraseOnce } from '../idempotency.ts';
import { suggestedRecipeSchema } from '../recipe-fields.ts';

const source = acceptEchoes(
  z.strictObject({
    uri: z.string().max(2048).optional().describe("URI of a suggestion's illustration, of either size."),
    recipeId: optional(z.string().max(100), 'Id of a recipe; send its `variant` and mutations, too.'),
    variant: z.string().max(20).optional(),
    plan: optional(z.record(z.string(), z.unknown()), 'A scene plan, as `GET /v1/looks/{id}` returns it.'),
    mutations: mutationsSchema
      .optional()
      .describe('With `recipeId` or `plan`: mutations that apply to every product.'),
  }),
  suggestedRecipeSchema,
);

const newLookBody = z
  .strictObject({
    from: source.describe(
      'One of `uri`, `recipeId` and `plan`: an illustration, a suggested or known recipe, or the `from` of `GET /v1/looks/{id}`.',
    ),
    title: optional(z.string().trim().min(1).max(80), 'Title for display; default: the title of the scene.'),
  })
  .meta({ id: 'NewLook' });

const lookShape = {
  id: z.string().describe('Use it as `recipeId` in renders, batches and checks.'),
  title: z.string(),
  kind: z.enum(['scene', 'place', 'plain', 'backdrop']),
  variants: z.array(z.string()).describe('Aspect ratios in which it can be rendered, starting with its own.'),
  createdAt: z.iso.datetime(),
  previewUri: z.string().describe('A picture of the look without a product; opens in a browser.'),
};
const lookSchema = z.object(lookShape).meta({ id: 'Look' });
const looksSchema = z.object({ looks: z.array(lookSchema).describe('Newest first.') }).meta({ id: 'Looks' });
const lookWithSourceSchema = z
  .object({
    ...lookShape,
    from: z
      .record(z.string(), z.unknown())
      .describe('Send it as `from` to `POST /v1/looks` to create the same look, here or on another service.'),
  })
  .meta({ id: 'LookWithSource' });

const params = z.object({ id: z.string().max(100) });

export function addLooks(server: Server, rooms: ServerDependencies): void {
  addNewLook(server, rooms);
  addKeptLooks(server, rooms);
}

function addNewLook(server: Server, { looks, answerOnce, publicUrl }: ServerDependencies): void {
  server.post(
    '/v1/looks',
    {
      config: { scope: 'suggest', operation: 'keep-look' },
      schema: {
        operationId: 'keepLook',
        summary: 'Save a scene, a recipe or your own backdrop as a look for all products',
        description:
          'Use its id as the `recipeId` of any render. The set and its colors, the light, the camera and the baseline stay the same; the size and the stand adapt to the product. Saving the same content again returns the same look; a new title replaces the old one. The look stays when the design that it was made from is deleted.',
        tags: ['Looks'],
        body: newLookBody,
        response: { 201: lookSchema },
      },
    },
    async (request, reply) => {
      const { from, title } = request.body;
      const { accountId } = callerOf(request);
      const answer = await answerOnce(request, {
        ownerOf: ({ id }) => id,
        sent: async () => [JSON.stringify(request.body)],
        async work() {
          const look = await looks.keepLook({ accountId, from: readSource(from), title });
          return toAnswer(look, baseOf(request, publicUrl) + looks.showPreview(look));
        },
      });
      return reply.status(201).send(answer);
    },
  );
}

function addKeptLooks(server: Server, { looks, answerOnce, publicUrl }: ServerDependencies): void {
  server.get(
    '/v1/looks',
    {
      config: { scope: 'suggest', operation: 'looks' },
      schema: {
        operationId: 'listLooks',
        summary: 'The looks of your account',
        tags: ['Looks'],
        response: { 200: looksSchema },
      },
    },
    async (request) => {
      const kept = await looks.listLooks(callerOf(request).accountId);
      const baseUrl = baseOf(request, publicUrl);
      return { looks: kept.map((look) => toAnswer(look, baseUrl + looks.showPreview(look))) };
    },
  );

  server.get(
    '/v1/looks/:id',
    {
      config: { scope: 'suggest', operation: 'look' },
      schema: {
        operationId: 'getLook',
        summary: 'Get a look and its definition (`from`)',
        tags: ['Looks'],
        params,
        response: { 200: lookWithSourceSchema },
      },
    },
    async (request) => {
      const look = await looks.findLook(request.params.id, callerOf(request).accountId);
      const base = baseOf(request, publicUrl);
      return { ...toAnswer(look, base + looks.showPreview(look)), from: { ...looks.toSource(look, base) } };
    },
  );

  server.delete(
    '/v1/looks/:id',
    {
      config: { scope: 'suggest', operation: 'delete-look' },
      schema: {
        operationId: 'deleteLook',
        summary: 'Delete a look',
        description: 'Pictures made with it are kept.',
        tags: ['Looks'],
        params,
        response: { 204: z.null().describe('Deleted.') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await answerOnce(
        request,
        eraseOnce(id, () => looks.removeLook(id, callerOf(request).accountId)),
      );
      return reply.status(204).send(null);
    },
  );
}

function readSource({ uri, recipeId, variant, plan, mutations }: z.infer<typeof source>): LookSource {
  const given = [uri, recipeId, plan].filter((field) => field !== undefined);
  if (given.length !== 1) throw fieldError('/from', 'Exactly one of "uri", "recipeId" and "plan" is needed.');
  if (uri !== undefined) return { uri };
  if (plan !== undefined) return { plan, mutations };
  if (variant === undefined) throw fieldError('/from/variant', 'A recipe needs its variant, such as 1:1.');
  return { recipeId: recipeId!, variant, mutations };
}

function toAnswer(look: Look, previewUri: string): z.infer<typeof lookSchema> {
  const { id, title, createdAt } = look;
  return {
    id,
    title,
    kind: kindOfLook(look),
    variants: [...variantsOfLook(look)],
    createdAt: createdAt.toISOString(),
    previewUri,
  };
}
