/**
 * Adds the drop-in interfaces (of remove.bg, Photoroom, rembg and withoutBG), which need a key; and rembg's interface without a
 * key, for a separate port.
 */
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { refuseEncodedBodies } from '../json-body.ts';
import { corsHeaders, type Dialect } from './dialect.ts';
import { photoroom, photoroomImage } from './photoroom.ts';
import { addRootRemove, rembg } from './rembg.ts';
import { removebg } from './removebg.ts';
import { withoutbg } from './withoutbg.ts';

export const dialects: readonly Dialect[] = [removebg, photoroom, photoroomImage, rembg, withoutbg];

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': '*, authorization',
  'access-control-max-age': '86400',
} as const;

export async function addDialects(
  server: Server,
  rooms: ServerDependencies,
  checkKey: onRequestAsyncHookHandler,
): Promise<void> {
  await server.register(async (keyed) => {
    answerOtherSites(
      keyed as Server,
      dialects.flatMap(({ paths }) => paths),
    );
    keyed.addHook('onRequest', acceptBearer);
    keyed.addHook('onRequest', checkKey);
    keyed.addHook('onRequest', refuseEncodedBodies);
    for (const dialect of dialects)
      await keyed.register(async (scope) => dialect.addRoutes(scope as Server, rooms));
  });
}

/** rembg's interface on a port without a key: `checkKey` finds the key that the calls are attributed to. */
export async function addKeylessRembg(
  server: Server,
  rooms: ServerDependencies,
  checkKey: onRequestAsyncHookHandler,
): Promise<void> {
  answerOtherSites(server, ['/', ...rembg.paths]);
  server.addHook('onRequest', checkKey);
  server.addHook('onRequest', refuseEncodedBodies);
  rembg.addRoutes(server, rooms);
  addRootRemove(server, rooms);
}

/** Adds CORS headers, and responds to CORS preflight requests, which carry no key. */
function answerOtherSites(server: Server, paths: readonly string[]): void {
  server.addHook('onRequest', async (_, reply) => {
    reply.headers(corsHeaders);
  });
  for (const url of paths) {
    server.options(
      url,
      { config: { operation: 'preflight', holdsPlace: false }, schema: { hide: true } },
      async (_, reply) => reply.status(204).headers(preflight).send(),
    );
  }
}

/** Accepts a key sent as a bearer token, as clients of remove.bg may do. */
async function acceptBearer({ headers }: FastifyRequest, _reply: FastifyReply): Promise<void> {
  const [, token] = /^bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '') ?? [];
  if (!headers['x-api-key'] && token) headers['x-api-key'] = token;
}
