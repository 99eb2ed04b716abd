/** POST /v1/segment, GET and POST /v2/edit, GET /v1/account and /v2/account: Photoroom's interfaces. */
import type { FastifyRequest } from 'fastify';
import { fromMilli } from '../../accounts/credit-store.ts';
import type { DialectCutout } from '../../dialects/cut-for-dialect.ts';
import { readEditOrder } from '../../dialects/photoroom/edit-fields.ts';
import { describeImageFailure, describeSegmentFailure } from '../../dialects/photoroom/errors.ts';
import { readSegmentOrder } from '../../dialects/photoroom/fields.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { toBuffer } from '../image-answer.ts';
import { noLimit } from '../routes/credits.ts';
import { readBody, readQuery } from './body.ts';
import { cutForCall, sendCutout } from './cutout-call.ts';
import type { Dialect } from './dialect.ts';
import * as document from './photoroom-document.ts';

export const photoroom: Dialect = {
  paths: ['/v1/segment'],
  describeFailure: describeSegmentFailure,
  addRoutes: addSegment,
};
export const photoroomImage: Dialect = {
  paths: ['/v1/account', '/v2/*'],
  describeFailure: describeImageFailure,
  addRoutes: addImages,
};

function addSegment(server: Server, rooms: ServerDependencies): void {
  server.post(
    '/v1/segment',
    { config: { scope: 'render', operation: 'segment', readsBody: true }, schema: document.segment },
    async (request, reply) => {
      const cutout = await cutForCall(rooms, request, reply, {
        timeoutMs: rooms.published.dialectDeadlinesMs.photoroom,
        readOrder: async () => readSegmentOrder(await readBody(request, rooms.published)),
      });
      reply.header('x-uncertainty-score', toUncertainty(cutout));
      return sendCutout(request, reply, cutout, (base64img) => ({ base64img }));
    },
  );
}

function addImages(server: Server, rooms: ServerDependencies): void {
  for (const method of ['GET', 'POST'] as const) {
    server.route({
      method,
      url: '/v2/edit',
      exposeHeadRoute: false,
      config: { scope: 'render', operation: 'edit', readsBody: true },
      schema: document.edit[method],
      async handler(request, reply) {
        const cutout = await cutForCall(rooms, request, reply, {
          timeoutMs: rooms.published.dialectDeadlinesMs.photoroom,
          readOrder: async () =>
            readEditOrder(
              method === 'GET'
                ? { text: readQuery(request.url), files: new Map() }
                : await readBody(request, rooms.published),
            ),
        });
        return reply
          .header('x-uncertainty-score', toUncertainty(cutout))
          .type(cutout.contentType)
          .send(toBuffer(cutout.bytes));
      },
    });
  }

  server.get(
    '/v1/account',
    { config: { operation: 'segment-account' }, schema: document.account },
    async (request) => ({ credits: await readLeft(rooms, request) }),
  );

  server.get(
    '/v2/account',
    { config: { operation: 'image-account' }, schema: document.imageAccount },
    async (request) => ({ images: await readLeft(rooms, request), plan: 'Packshot' }),
  );
}

/** More decimals would suggest more precision than the score has. */
const toUncertainty = ({ confidence }: DialectCutout): number => Math.round((1 - confidence) * 1000) / 1000;

async function readLeft({ credits }: ServerDependencies, request: FastifyRequest) {
  const { keyId, sandbox } = callerOf(request);
  const { remainingMilli } = await credits.readQuota(keyId);
  const available = remainingMilli === null || sandbox ? noLimit : fromMilli(remainingMilli);
  return { available, subscription: available };
}
