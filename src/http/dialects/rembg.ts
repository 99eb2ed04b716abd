/** GET and POST /api/remove, and GET /api: the interface of rembg's server. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PackshotError } from 'packshot-errors';
import { describeFailure, refuse, urlRefusals } from '../../dialects/rembg/errors.ts';
import { readRemoveOrder } from '../../dialects/rembg/fields.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { isPhotoType } from '../file-form.ts';
import { toBuffer } from '../image-answer.ts';
import { readBody, readQuery } from './body.ts';
import { cutForCall } from './cutout-call.ts';
import type { Dialect } from './dialect.ts';
import * as document from './rembg-document.ts';

const noBody = { text: new Map<string, string>(), files: new Map() };

export const rembg: Dialect = { paths: ['/api', '/api/*'], describeFailure, addRoutes };

function addRoutes(server: Server, rooms: ServerDependencies): void {
  server.get(
    '/api/remove',
    {
      // No HEAD route: its response would require making the cutout.
      exposeHeadRoute: false,
      config: { scope: 'render', operation: 'rembg-url' },
      schema: document.removeFromUrl,
    },
    (request, reply) => answer(rooms, request, reply, 'GET'),
  );
  server.post(
    '/api/remove',
    { config: { scope: 'render', operation: 'rembg', readsBody: true }, schema: document.remove },
    (request, reply) => answer(rooms, request, reply, 'POST'),
  );
  // A page that clients and Docker Compose files request as a health check.
  server.get(
    '/api',
    { config: { operation: 'rembg-page', holdsPlace: false }, schema: document.page },
    async (_, reply) => reply.type('text/html; charset=utf-8').send(page),
  );
}

/** `POST /` for very old clients. Added only on the separate port for rembg's clients (`REMBG_PORT`). */
export function addRootRemove(server: Server, rooms: ServerDependencies): void {
  server.post(
    '/',
    { config: { scope: 'render', operation: 'rembg', readsBody: true }, schema: { hide: true } },
    (request, reply) => answer(rooms, request, reply, 'POST'),
  );
}

async function answer(
  rooms: ServerDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  method: 'GET' | 'POST',
): Promise<FastifyReply> {
  const query = readQuery(request.url);
  const cutout = await cutForCall(rooms, request, reply, {
    timeoutMs: rooms.published.dialectDeadlinesMs.rembg,
    async readOrder() {
      const body = hasForm(request) ? await readBody(request, rooms.published) : noBody;
      return readRemoveOrder(method, body, query);
    },
    blameFetch: (error) => refuse(explainFetch(error)),
  });
  return reply
    .header('x-packshot-engine', cutout.engine)
    .type(cutout.contentType)
    .send(toBuffer(cutout.bytes));
}

/** A form, or the photo itself. Other bodies stay unread: any web page may send them without asking. */
const hasForm = (request: FastifyRequest): boolean =>
  request.isMultipart() ||
  isPhotoType(request.sentType) ||
  /^application\/x-www-form-urlencoded/i.test(request.sentType);

function explainFetch(error: PackshotError): string {
  if (error.code === 'source_url_blocked') return urlRefusals.blocked;
  if (error.code === 'file_too_large') return urlRefusals.size;
  return /redirects more than/.test(error.message) ? urlRefusals.redirects : error.message;
}

const page = `<!doctype html>
<html lang="en">
<title>Packshot</title>
<h1>Background removal</h1>
<p>POST /api/remove with a multipart form whose field "file" is the photo, or GET /api/remove?url=… The response is a PNG.</p>
<p>Parameters: model, a, af, ab, ae, om, ppm, bgc, extras.</p>
</html>
`;
