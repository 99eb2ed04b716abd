/** POST /v1/jobs: takes a batch, as a JSON body or as a form with its photos. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireScope } from '../../accounts/authenticate.ts';
import type { ItemWish } from '../../batches/accept-batch.ts';
import { batchEventTypes, MOST_ITEMS } from '../../batches/batch.ts';
import { PackshotError } from '../../errors.ts';
import { callerOf } from '../api-key.ts';
import { type BatchForm, type BatchFormLimits, nameOnWire, readBatchForm } from '../batch-form.ts';
import type { PublishedLimits, Server, ServerDependencies } from '../dependencies.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { fieldError, validateFields } from '../field-errors.ts';
import { parseJsonField } from '../json-body.ts';
import { recipeFields } from '../recipe-fields.ts';
import { batchSchema, toBatchAnswer } from './batches.ts';

const itemSchema = z
  .strictObject({
    ...recipeFields,
    id: z.string().max(100).optional().describe('A design of yours. One of `id`, `url` and `file`.'),
    url: z.string().min(1).max(2_048).optional().describe('A public image URL; it becomes a design.'),
    file: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Name of a file of the form, which becomes a design. Several items may name the same one.'),
    format: z.enum(['jpeg', 'png', 'webp', 'avif']).default('jpeg'),
    name: z
      .string()
      .max(200)
      .optional()
      .describe('What the picture is called; where left out, the name of its file, or its number.'),
  })
  .refine(({ id, url, file }) => [id, url, file].filter((photo) => photo !== undefined).length === 1, {
    error: 'Needs one of id, url and file.',
  })
  .meta({
    id: 'BatchItem',
    oneOf: [{ required: ['id'] }, { required: ['url'] }, { required: ['file'] }],
  });

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

type NewBatch = z.output<typeof batchBody>;

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
        summary: 'Have many pictures made',
        description: `Full versions of 1 to ${MOST_ITEMS} photos, made while nobody waits for another. As JSON; or as a form whose first field, \`batch\`, is that JSON, followed by the files that its items name. Needs the scope \`upload\` as well where items have URLs or files.`,
        tags: ['Batches'],
        bodies: { 'application/json': batchBody, 'multipart/form-data': batchFormSchema },
        response: { 202: batchSchema },
      },
    },
    async (request, reply) => {
      const { accountId, keyId, sandbox } = callerOf(request);
      const owner = { accountId, keyId, sandbox };
      const taking = { request, owner, batches, published };
      const answer = await answerOnce(
        request,
        request.isMultipart() ? ofForm(taking, () => disconnectSignal(reply)) : ofJson(taking),
      );
      return reply.status(202).header('location', `/v1/jobs/${answer.id}`).send(answer);
    },
  );
}

interface Taking {
  readonly request: FastifyRequest;
  readonly owner: { readonly accountId: string; readonly keyId: string; readonly sandbox: boolean };
  readonly batches: ServerDependencies['batches'];
  readonly published: ServerDependencies['published'];
}

function ofJson({ request, owner, batches, published }: Taking) {
  const body = validate(request.body, published.requests.batchItems);
  if (body.items.some(({ url }) => url !== undefined)) requireScope(callerOf(request), 'upload');
  const wishes = body.items.map((item, i) => toWish(item, () => notSent(i)));
  return {
    ownerOf,
    sent: async () => [JSON.stringify(body)],
    work: async () =>
      toNewAnswer(
        await batches.createBatch({ ...owner, events: unique(body.events) }, wishes),
        wishes.length,
      ),
  };
}

function ofForm({ request, owner, batches, published }: Taking, gone: () => AbortSignal) {
  requireScope(callerOf(request), 'upload');
  refuseDeclaredExcess(request, published);
  let form: BatchForm<NewBatch> | undefined;
  const read = async (keep: (number: number, bytes: Uint8Array) => Promise<void>) => {
    form = await readBatchForm(request, {
      limits: formLimits(published),
      parse: (text) => validate(parseJsonField(text), published.requests.batchItems),
      listFiles,
      keep,
    });
    return form;
  };
  return {
    ownerOf,
    // A repeated call is read to be compared, and nothing of it is kept.
    sent: async () => (form ?? (await read(async () => undefined))).sent,
    async work() {
      let total = 0;
      const batch = await batches.createBatchOfFiles(
        owner,
        async (keep) => {
          const { document, files } = await read(keep);
          const wishes = document.items.map((item, i) =>
            toWish(item, (name) => files.get(nameOnWire(name)) ?? notSent(i)),
          );
          total = wishes.length;
          return { events: unique(document.events), wishes };
        },
        gone(),
      );
      return toNewAnswer(batch, total);
    },
  };
}

/** Documents the form, which is read as a stream and validated by hand. */
const batchFormSchema = z.any().meta({
  type: 'object',
  required: ['batch'],
  properties: {
    batch: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'The same document as the JSON body. It comes before the files.',
    },
    files: {
      type: 'array',
      items: { type: 'string', format: 'binary' },
      description:
        'One part for each file that an item names, with that file name. The fields may have any name.',
    },
  },
});

const formLimits = ({ image, requests, batchFormBytes, upload }: PublishedLimits): BatchFormLimits => ({
  maxFileBytes: image.maxBytes,
  maxBytes: batchFormBytes,
  documentBytes: requests.batchBytes,
  rate: upload,
});

/** The headers of a thousand parts. */
const partHeaderBytes = 1024 * 1024;

function refuseDeclaredExcess(request: FastifyRequest, { batchFormBytes, requests }: PublishedLimits): void {
  const most = batchFormBytes + requests.batchBytes + partHeaderBytes;
  if (Number(request.headers['content-length'] ?? 0) <= most) return;
  throw new PackshotError(
    'body_too_large',
    `The files of a batch have at most ${batchFormBytes} bytes together. Post several smaller batches.`,
  );
}

const check = validateFields({ schema: batchBody, httpPart: 'body', method: 'POST', url: '/v1/jobs' });

function validate(body: unknown, mostItems: number): NewBatch {
  const { value, error } = check(body ?? undefined) as { value?: NewBatch; error?: Error };
  if (error) throw error;
  const { length } = value!.items;
  if (length > mostItems) {
    throw fieldError('/items', `A batch has at most ${mostItems} items, this one has ${length}.`);
  }
  return value!;
}

const listFiles = ({ items }: NewBatch): string[] => items.flatMap(({ file }) => file ?? []);

const ownerOf = ({ id }: { readonly id: string }): string => id;

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

type SentFile = { readonly number: number } | Extract<ItemWish['photo'], { failure: unknown }>;

function toWish(
  { id, url, file, name, ...recipe }: NewBatch['items'][number],
  findFile: (name: string) => SentFile,
): ItemWish {
  if (file === undefined) return { photo: url === undefined ? { designId: id! } : { url }, recipe, name };
  const found = findFile(file);
  const photo = 'failure' in found ? found : { photo: { number: found.number, fileName: file } };
  return { photo, recipe, name: name ?? file };
}

function notSent(item: number): never {
  const detail = 'The form has no file of this name.';
  const pointer = `/items/${item}/file`;
  throw new PackshotError('missing_file', `${pointer}: ${detail}`, {
    fields: [{ pointer, code: 'missing_file', detail }],
  });
}

const toNewAnswer = (batch: Parameters<typeof toBatchAnswer>[0], total: number) =>
  toBatchAnswer(batch, { total, waiting: total, done: 0, failed: 0, cancelled: 0 });
