/** POST /mcp: tools for agents, over the Model Context Protocol. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';
import { createFairSemaphore } from '../../fair-semaphore.ts';
import { isLoopback } from '../../loopback.ts';
import { callerOf } from '../api-key.ts';
import { baseOf } from '../base-url.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { cut } from '../echo.ts';
import { refuseEncodedBodies } from '../json-body.ts';
import { noteFailure } from '../problem.ts';

/**
 * Larger than the JSON limit of other calls, so that photos can be sent as base64. Even larger photos must be sent by
 * URL.
 */
const MAX_BODY_BYTES = 16 * 2 ** 20;
/** The arguments of the tools that contain pictures. */
const PICTURES = ['base64', 'mask'] as const;
/** Maximum concurrent calls, whose bodies are in memory: in total, and per account. */
const PLACES = { places: 8, maxPerAccount: 4 } as const;
/** JSON-RPC code of a server error. The HTTP status is more specific. */
const SERVER_ERROR = -32_000;

/**
 * Register it in a Fastify scope of its own: there, all errors become JSON-RPC errors with the right HTTP status, even
 * those that occur before the MCP server takes over. The key may be sent as `Authorization: Bearer`, as MCP clients do.
 */
export function addMcp(
  server: Server,
  rooms: Pick<ServerDependencies, 'publicUrl' | 'published'>,
  checkKey: KeyCheck,
): void {
  const places = createFairSemaphore(PLACES);
  server.addHook('onRequest', createOriginCheck(rooms.publicUrl));
  server.addHook('onRequest', takeBearerKey);
  server.addHook('onRequest', checkKey);
  server.addHook('onRequest', refuseEncodedBodies);
  server.addHook('onRequest', async (request, reply) => {
    const { accountId: account } = callerOf(request);
    const leave = await places.enter({ account, signal: disconnectSignal(reply) });
    reply.raw.once('close', leave);
    if (reply.raw.destroyed) leave();
  });
  server.setErrorHandler((thrown: FastifyError, request, reply) => {
    const { status, message, code } = noteFailure(thrown, request, reply);
    const error = { code: SERVER_ERROR, message, data: { code } };
    return reply
      .code(status)
      .type('application/json')
      .send(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  });
  server.post(
    '/mcp',
    {
      bodyLimit: MAX_BODY_BYTES,
      // A tool's API calls count toward the key's limit of concurrent calls (MAX_IN_FLIGHT). If MCP calls counted too,
      // they could fill the limit, and their tools would wait forever. `places` above is a separate limit.
      config: {
        operation: 'mcp',
        holdsPlace: false,
        json: { mostBytes: rooms.published.requests.jsonBytes, uncounted: PICTURES },
      },
      schema: { hide: true },
    },
    async (request, reply) => {
      const { answerMcp } = await import('../../mcp/serve-http.ts');
      const baseUrl = baseOf(request, rooms.publicUrl);
      const answer = await answerMcp({
        request: new Request(new URL('/mcp', baseUrl), {
          method: 'POST',
          headers: pickHeaders(request),
          signal: disconnectSignal(reply),
        }),
        body: request.body,
        apiKey: String(request.headers['x-api-key']),
        baseUrl,
        timeoutMs: 2 * Math.max(...Object.values(rooms.published.deadlineMs)),
        fetch: (input, init) => callApi(server, request, new Request(input, init)),
      });
      reply.code(answer.status).headers(Object.fromEntries(answer.headers));
      return reply.send(answer.body === null ? null : Readable.fromWeb(answer.body as ReadableStream));
    },
  );
}

type KeyCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Web pages may call only if they come from the service itself: from PUBLIC_URL or, if that is not set, from a loopback
 * address. A matching Host header alone proves nothing, because the host name of a foreign page may resolve to this
 * machine (DNS rebinding; see the security warning in the MCP specification of transports).
 */
function createOriginCheck(publicUrl: string | undefined) {
  return async ({ headers: { origin }, host }: FastifyRequest): Promise<void> => {
    if (origin === undefined) return;
    const from = URL.parse(origin);
    const isOwn = publicUrl
      ? from?.origin === new URL(publicUrl).origin
      : from?.host === host && isLoopback(from.hostname);
    if (!isOwn)
      throw new PackshotError('origin_refused', `Pages of ${cut(origin)} may not call this service.`);
  };
}

async function takeBearerKey({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('www-authenticate', 'Bearer');
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (bearer !== undefined) headers['x-api-key'] ??= bearer;
}

/** Picks the headers that the MCP protocol reads. */
function pickHeaders({ headers }: FastifyRequest): Headers {
  const picked = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(headers)) {
    if ((name === 'accept' || name.startsWith('mcp-')) && typeof value === 'string') picked.set(name, value);
  }
  return picked;
}

/** Calls the API as an external client would: with the same checks, limits, charges and log lines. */
async function callApi(server: Server, outer: FastifyRequest, call: Request): Promise<Response> {
  const { pathname, search } = new URL(call.url);
  const { host, 'x-forwarded-for': forwardedFor, 'x-forwarded-proto': forwardedProto } = outer.headers;
  const answer = await server.inject({
    method: call.method as 'GET',
    url: pathname + search,
    headers: {
      ...Object.fromEntries(call.headers),
      ...(host !== undefined && { host }),
      ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
      ...(forwardedProto !== undefined && { 'x-forwarded-proto': forwardedProto }),
    },
    remoteAddress: outer.socket.remoteAddress ?? '',
    payload: Buffer.from(await call.arrayBuffer()),
    signal: call.signal,
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined) headers.set(name, String(value));
  const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304;
  return new Response(hasBody ? new Uint8Array(answer.rawPayload) : null, {
    status: answer.statusCode,
    headers,
  });
}
