/** GET and DELETE /v1/jobs/{id}, GET /v1/jobs/{id}/results.zip: status and results of a batch. */
import { z } from 'zod';
import { type Batch, type BatchItem, type ItemCounts, MOST_ITEMS } from '../../batches/batch.ts';
import type { BatchRunner } from '../../batches/run-batches.ts';
import { optional } from '../../optional.ts';
import { callerOf } from '../api-key.ts';
import { baseOf } from '../base-url.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { eraseOnce } from '../idempotency.ts';
import { fileAnswer } from '../image-answer.ts';

const itemsPerPage = 200;

const batchShape = {
  id: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'cancelled']),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable().describe('Null if batches do not expire.'),
  counts: z.object({ total: z.int(), waiting: z.int(), done: z.int(), failed: z.int(), cancelled: z.int() }),
};
export const batchSchema = z.object(batchShape).meta({ id: 'Batch' });
const itemsSchema = z.array(
  z.object({
    item: z.int().describe('Position of the item in the request, starting at 0.'),
    status: z.enum(['waiting', 'done', 'failed', 'cancelled']),
    file: z.string().describe('Name of its picture in the ZIP.'),
    designId: z.string().nullable(),
    bytes: z.int().optional(),
    url: z.string().optional().describe('Signed URL of the picture, which needs no key.'),
    checks: optional(
      z.array(
        z.object({
          marketplace: z.string(),
          verdict: z
            .enum(['passes', 'fails', 'unclear'])
            .describe('Result of our checks of the required rules.'),
          summary: z.string(),
          failed: z
            .array(z.string())
            .describe(
              'Ids of the rules that the picture breaks, including those of level `advised`, which do not fail the picture.',
            ),
        }),
      ),
      'Present if the request has `marketplaces`.',
    ),
    error: z.object({ code: z.string(), detail: z.string() }).optional(),
  }),
);
const batchPageSchema = z
  .object({
    ...batchShape,
    items: itemsSchema.describe(`At most ${itemsPerPage}.`),
    next: z.int().nullable().describe('Send it as `after` to get the next page; null on the last page.'),
  })
  .meta({ id: 'BatchPage' });

type CheckSummaries = NonNullable<z.infer<typeof itemsSchema>[number]['checks']>;

const params = z.object({ id: z.string().max(100) });

export function addBatches(
  server: Server,
  { batches, answerOnce, pictureUrls, publicUrl }: ServerDependencies,
): void {
  server.get(
    '/v1/jobs/:id',
    {
      config: { scope: 'render', operation: 'get-batch' },
      schema: {
        operationId: 'getBatch',
        summary: 'Get a batch',
        tags: ['Batches'],
        params,
        querystring: z.object({ after: z.coerce.number().int().min(-1).max(MOST_ITEMS).default(-1) }),
        response: { 200: batchPageSchema },
      },
    },
    async (request) => {
      const page = { after: request.query.after, limit: itemsPerPage };
      const { accountId, keyId } = callerOf(request);
      const found = await batches.readBatch(request.params.id, accountId, page);
      return toPage(found, ({ designId, recipe }) => {
        const path = designId && pictureUrls.signRender(keyId, { designId, size: 'generated', ...recipe });
        return path && baseOf(request, publicUrl) + path;
      });
    },
  );

  server.delete(
    '/v1/jobs/:id',
    {
      config: { scope: 'render', operation: 'delete-batch' },
      schema: {
        operationId: 'deleteBatch',
        summary: 'Cancel or delete a batch',
        description:
          'Cancels items that have not started and deletes all pictures of the batch; the designs stay. A finished batch is deleted.',
        tags: ['Batches'],
        params,
        response: { 204: z.null().describe('Cancelled or deleted.') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await answerOnce(
        request,
        eraseOnce(id, () => batches.eraseBatch(id, callerOf(request).accountId)),
      );
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
      config: { scope: 'render', operation: 'batch-results' },
      schema: {
        operationId: 'getBatchResults',
        summary: 'All pictures of a batch',
        description: 'A ZIP with the pictures and a `manifest.json` with the outcome of each item.',
        tags: ['Batches'],
        params,
        response: { 200: fileAnswer('application/zip') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const zip = await batches.zipBatch(id, callerOf(request).accountId);
      return reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename="packshot-${id}.zip"`)
        .header('cache-control', 'private, no-store')
        .send(zip);
    },
  );
}

export function toBatchAnswer(batch: Batch, counts: ItemCounts): z.infer<typeof batchSchema> {
  return {
    id: batch.id,
    status: batch.state,
    createdAt: batch.createdAt.toISOString(),
    endedAt: batch.endedAt?.toISOString() ?? null,
    expiresAt: batch.expiresAt?.toISOString() ?? null,
    counts,
  };
}

function toPage(
  { batch, counts, items }: Awaited<ReturnType<BatchRunner['readBatch']>>,
  urlOf: (item: BatchItem) => string | undefined,
): z.infer<typeof batchPageSchema> {
  const last = items.at(-1)?.position;
  return {
    ...toBatchAnswer(batch, counts),
    items: items.map((item) => {
      const { position, state, fileName, designId, result, failure } = item;
      const url = state === 'done' ? urlOf(item) : undefined;
      return {
        item: position,
        status: state,
        file: fileName,
        designId: designId ?? null,
        ...(url !== undefined && { url }),
        ...(result && { bytes: result.bytes }),
        ...(result?.checks && { checks: result.checks as CheckSummaries }),
        ...(state === 'failed' && { error: failure! }),
      };
    }),
    next: last === undefined || last + 1 >= counts.total ? null : last,
  };
}
