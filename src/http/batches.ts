/** POST /v1/jobs, GET and DELETE /v1/jobs/{id}, GET /v1/jobs/{id}/results.zip: pictures by the thousand. */
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { requireScope } from '../accounts/authenticate.ts';
import { type Batch, batchEventTypes, type ItemCounts, MOST_ITEMS } from '../batches/batch.ts';
import type { BatchRunner, ItemWish } from '../batches/run-batches.ts';
import { callerOf } from './api-key.ts';
import { problemResponse } from './problem.ts';
import { recipeFields } from './recipe-fields.ts';
import { batchBodyBytes, type Rooms, type Server } from './rooms.ts';

const itemsPerPage = 200;

const itemSchema = z
  .strictObject({
    ...recipeFields,
    id: z.string().max(100).optional().describe('A design of yours. Either this or `url`.'),
    url: z.string().min(1).max(2_048).optional().describe('A public image URL; it becomes a design.'),
    format: z.enum(['jpeg', 'png', 'webp', 'avif']).default('jpeg'),
    name: z.string().max(200).optional().describe('What the file is called; its number where left out.'),
  })
  .refine(({ id, url }) => (id === undefined) !== (url === undefined), {
    error: 'Needs either id or url.',
  })
  .meta({ id: 'BatchItem' });

const batchBody = z
  .strictObject({
    items: z.array(itemSchema).min(1).max(MOST_ITEMS),
    events: z
      .array(z.enum(batchEventTypes))
      .max(2)
      .default(['batch.completed'])
      .describe('What the webhooks of your account are told; `render.completed` for each picture.'),
  })
  .meta({ id: 'NewBatch' });

const batchShape = {
  id: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'cancelled']),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable().describe('Null where batches are kept.'),
  counts: z.object({
    total: z.int(),
    waiting: z.int(),
    done: z.int(),
    failed: z.int(),
    cancelled: z.int(),
  }),
};
const batchSchema = z.object(batchShape).meta({ id: 'Batch' });
const itemsSchema = z.array(
  z.object({
    item: z.int().describe('Its place in the request, from 0.'),
    status: z.enum(['waiting', 'done', 'failed', 'cancelled']),
    file: z.string().describe('Its name in the ZIP.'),
    designId: z.string().nullable(),
    bytes: z.int().optional(),
    error: z.object({ code: z.string(), detail: z.string() }).optional(),
  }),
);
const batchPageSchema = z
  .object({
    ...batchShape,
    items: itemsSchema.describe(`At most ${itemsPerPage}.`),
    next: z.int().nullable().describe('Send it as `after` for the items that follow; null after the last.'),
  })
  .meta({ id: 'BatchPage' });

const params = z.object({ id: z.string().max(100) });

export function addBatches(server: Server, { batches, answerOnce }: Rooms): void {
  server.post(
    '/v1/jobs',
    {
      bodyLimit: batchBodyBytes,
      config: { scope: 'render', operation: 'create-batch' },
      schema: {
        operationId: 'createBatch',
        summary: 'Have many pictures made',
        description: `Full versions of 1 to ${MOST_ITEMS} photos, made while nobody waits for another. Needs the scope \`upload\` as well where items have URLs.`,
        tags: ['Batches'],
        body: batchBody,
        response: { 202: batchSchema, default: problemResponse },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { items, events } = request.body;
      if (items.some(({ url }) => url !== undefined)) requireScope(caller, 'upload');
      const answer = await answerOnce(request, {
        ownerOf: ({ id }) => id,
        sent: async () => [JSON.stringify(request.body)],
        work: async () => {
          const { accountId, keyId, sandbox } = caller;
          const owner = { accountId, keyId, sandbox, events: [...new Set(events)] };
          const batch = await batches.createBatch(owner, items.map(toWish));
          const { length } = items;
          return toAnswer(batch, { total: length, waiting: length, done: 0, failed: 0, cancelled: 0 });
        },
      });
      return reply.status(202).header('location', `/v1/jobs/${answer.id}`).send(answer);
    },
  );

  server.get(
    '/v1/jobs/:id',
    {
      config: { operation: 'get-batch' },
      schema: {
        operationId: 'getBatch',
        summary: 'Look at a batch',
        tags: ['Batches'],
        params,
        querystring: z.object({ after: z.coerce.number().int().min(-1).max(MOST_ITEMS).default(-1) }),
        response: { 200: batchPageSchema, default: problemResponse },
      },
    },
    async (request) => {
      const page = { after: request.query.after, limit: itemsPerPage };
      return toPage(await batches.readBatch(request.params.id, callerOf(request).accountId, page));
    },
  );

  server.delete(
    '/v1/jobs/:id',
    {
      config: { scope: 'render', operation: 'delete-batch' },
      schema: {
        operationId: 'deleteBatch',
        summary: 'Cancel or erase a batch',
        description:
          'What has not begun never will, and every picture of it is erased; the designs stay. A batch that was over is forgotten altogether.',
        tags: ['Batches'],
        params,
        response: { 204: z.null().describe('Cancelled or erased.'), default: problemResponse },
      },
    },
    async (request, reply) => {
      await batches.eraseBatch(request.params.id, callerOf(request).accountId);
      return reply.status(204).send(null);
    },
  );
  addResults(server, batches);
}

function addResults(server: Server, batches: BatchRunner): void {
  server.get(
    '/v1/jobs/:id/results.zip',
    {
      exposeHeadRoute: false,
      config: { operation: 'batch-results' },
      schema: {
        operationId: 'getBatchResults',
        summary: 'All pictures of a batch',
        description: 'A ZIP with the pictures and a `manifest.json` that tells what became of each item.',
        tags: ['Batches'],
        params,
        response: {
          200: {
            description: 'The ZIP.',
            content: { 'application/zip': { schema: z.string().meta({ format: 'binary' }) } },
          },
          default: problemResponse,
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      return sendZip(reply, `packshot-${id}`, await batches.zipBatch(id, callerOf(request).accountId));
    },
  );
}

function sendZip(reply: FastifyReply, name: string, zip: Readable): FastifyReply {
  return reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="${name}.zip"`)
    .header('cache-control', 'private, no-store')
    .send(zip);
}

function toWish({ id, url, name, ...recipe }: z.output<typeof itemSchema>): ItemWish {
  return { photo: url === undefined ? { designId: id! } : { url }, recipe, name };
}

function toAnswer(batch: Batch, counts: ItemCounts): z.infer<typeof batchSchema> {
  return {
    id: batch.id,
    status: batch.state,
    createdAt: batch.createdAt.toISOString(),
    endedAt: batch.endedAt?.toISOString() ?? null,
    expiresAt: batch.expiresAt?.toISOString() ?? null,
    counts,
  };
}

function toPage({
  batch,
  counts,
  items,
}: Awaited<ReturnType<BatchRunner['readBatch']>>): z.infer<typeof batchPageSchema> {
  const last = items.at(-1)?.position;
  return {
    ...toAnswer(batch, counts),
    items: items.map(({ position, state, fileName, designId, result, failure }) => ({
      item: position,
      status: state,
      file: fileName,
      designId: designId ?? null,
      ...(result && { bytes: result.bytes }),
      ...(failure && { error: failure }),
    })),
    next: last === undefined || last + 1 >= counts.total ? null : last,
  };
}
