/** POST /v1/jobs: accepts a batch, as a JSON body or as a form with its photos. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireScope } from '../../accounts/authenticate.ts';
import { MOST_ITEMS } from '../../batches/batch.ts';
import { callerOf } from '../api-key.ts';
import {
  batchBody,
  batchFormSchema,
  listFiles,
  type NewBatch,
  notSent,
  parseBatch,
  toWishes,
  validateBatch,
} from '../batch-body.ts';
import { type BatchForm, limitForm, nameOnWire, readBatchForm } from '../batch-form.ts';
import { refuseDeclaredExcess } from '../body/receive-body.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { batchSchema, toBatchAnswer } from './batches.ts';

export function addBatchCreation(
  server: Server,
  { batches, answerOnce, published }: ServerDependencies,
): void {
  const { batchBytes } = published.requests;
  server.post(
    '/v1/jobs',
    {
      bodyLimit: batchBytes,
      config: { scope: 'render', operation: 'create-batch' },
      schema: {
        operationId: 'createBatch',
        summary: 'Render many pictures',
        description: `Full versions of 1 to ${MOST_ITEMS} photos, rendered at low priority. Send JSON, or a form whose first field, \`batch\`, is that JSON or a CSV, followed by the files that its items name. Items with URLs or files also need the scope \`upload\`.`,
        tags: ['Batches'],
        bodies: { 'application/json': batchBody, 'multipart/form-data': batchFormSchema },
        response: { 202: batchSchema },
      },
    },
    async (request, reply) => {
      const taking = { request, reply, batches, published };
      const answer = await answerOnce(request, request.isMultipart() ? ofForm(taking) : ofJson(taking));
      return reply.status(202).header('location', `/v1/jobs/${answer.id}`).send(answer);
    },
  );
}

interface Taking extends Pick<ServerDependencies, 'batches' | 'published'> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function ownerIn(request: FastifyRequest) {
  const { accountId, keyId, sandbox } = callerOf(request);
  return { accountId, keyId, sandbox };
}

function ofJson({ request, batches, published }: Taking) {
  const body = validateBatch(request.body, published.requests.batchItems);
  if (body.items.some(({ url }) => url !== undefined)) requireScope(callerOf(request), 'upload');
  const wishes = toWishes(body, (_name, item) => notSent(item));
  return {
    ownerOf,
    sent: async () => [JSON.stringify(body)],
    async work() {
      const wish = { ...ownerIn(request), events: unique(body.events) };
      return toNewAnswer(await batches.createBatch(wish, wishes), wishes.length);
    },
  };
}

function ofForm({ request, reply, batches, published }: Taking) {
  requireScope(callerOf(request), 'upload');
  refuseDeclaredExcess(request, limitForm(published));
  const { requests } = published;
  let form: BatchForm<NewBatch> | undefined;
  const read = async (keep: (number: number, bytes: Uint8Array) => Promise<void>) => {
    form = await readBatchForm(request, {
      published,
      parse: (text) => parseBatch(text, requests.batchBytes, requests.batchItems),
      listFiles,
      keep,
    });
    return form;
  };
  return {
    ownerOf,
    // If the work has not read the form, this is a repeated call: read the form only to compare it, without storing its
    // files.
    sent: async () => (form ?? (await read(async () => undefined))).sent,
    async work() {
      let total = 0;
      const batch = await batches.createBatchOfFiles(
        ownerIn(request),
        async (keep) => {
          const { document, files } = await read(keep);
          const wishes = toWishes(document, (name, item) => files.get(nameOnWire(name)) ?? notSent(item));
          total = wishes.length;
          return { events: unique(document.events), wishes };
        },
        disconnectSignal(reply),
      );
      return toNewAnswer(batch, total);
    },
  };
}

const ownerOf = ({ id }: { readonly id: string }): string => id;

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

const toNewAnswer = (batch: Parameters<typeof toBatchAnswer>[0], total: number) =>
  toBatchAnswer(batch, { total, waiting: total, done: 0, failed: 0, cancelled: 0 });
