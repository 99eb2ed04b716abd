/** POST /v1/remove-background: the interface of withoutBG's server. */
import { z } from 'zod';
import { describeFailure, refuse } from '../../dialects/rembg/errors.ts';
import { readBackgroundOrder } from '../../dialects/withoutbg/fields.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { toBuffer } from '../image-answer.ts';
import { readBody, readQuery } from './body.ts';
import { cutForCall } from './cutout-call.ts';
import type { Dialect } from './dialect.ts';
import { binary, text } from './document-parts.ts';
import { failure } from './rembg-document.ts';

const schema = {
  operationId: 'withoutbg',
  summary: 'Remove a background, as withoutBG does',
  description:
    "The photo is the body, or the field `image` of a form. The PNG has the photo's own size. `output` may be in the query, too.",
  tags: ['Drop-in interfaces'],
  bodies: {
    'multipart/form-data': z.object({
      image: binary.describe('The photo.'),
      output: text('`matte` returns only the matte.'),
      keep_mask: binary.optional().describe('White where the photo is kept, whatever the cutout says.'),
      remove_mask: binary.optional().describe('White where the photo is removed; wins over `keep_mask`.'),
    }),
    'image/*': binary,
  },
  response: { 200: { description: 'PNG.', content: { 'image/png': { schema: binary } } }, default: failure },
};

/** withoutBG's server is made with FastAPI, like rembg's, so its failures have the same shape. */
export const withoutbg: Dialect = { paths: ['/v1/remove-background'], describeFailure, addRoutes };

function addRoutes(server: Server, rooms: ServerDependencies): void {
  server.post(
    '/v1/remove-background',
    { config: { scope: 'render', operation: 'withoutbg', readsBody: true }, schema },
    async (request, reply) => {
      const cutout = await cutForCall(rooms, request, reply, {
        timeoutMs: rooms.published.deadlineMs.generated,
        readOrder: async () =>
          readBackgroundOrder(await readBody(request, rooms.published), readQuery(request.url)),
        blameFetch: (error) => refuse(error.message),
      });
      return reply.type(cutout.contentType).send(toBuffer(cutout.bytes));
    },
  );
}
