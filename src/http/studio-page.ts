/** The Studio page at `/`, its files below `/studio/`, and the offer of the first key to whoever sits at this machine. */
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import type { FastifyRequest } from 'fastify';
import type { Server } from './rooms.ts';

const builtPage = fileURLToPath(new URL('../../web/dist/', import.meta.url));

/** For this page only: it holds what people upload, and loads nothing that is not ours. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Vite's names carry a hash of what is in them. */
const immutable = 'public, max-age=31536000, immutable';

export function isStudioBuilt(): boolean {
  return existsSync(join(builtPage, 'index.html'));
}

/** `firstKey`: the key that this start made, if it did. Without a built page there is nothing at `/`. */
export async function addStudioPage(server: Server, firstKey: string | undefined): Promise<void> {
  if (!isStudioBuilt()) return;
  await server.register(staticFiles, {
    root: builtPage,
    prefix: '/studio/',
    // A route for each file: what else is asked for below /studio/ gets the service's own 404.
    wildcard: false,
    index: false,
    cacheControl: false,
    schemaHide: true,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? immutable : 'no-cache');
      reply.header('content-security-policy', pagePolicy);
    },
  });
  server.get('/', { config: { operation: 'studio' }, schema: { hide: true } }, (_request, reply) =>
    reply.sendFile('index.html'),
  );
  addFirstKey(server, firstKey);
}

/** Long enough to read a terminal and open a browser; a forgotten service offers nothing. */
const firstKeyLifeMs = 3_600_000;

/**
 * POST /studio/first-key answers the key once, so that the first photo needs no copying from a terminal. Against it:
 * - A page of someone else's in this browser (also by DNS rebinding, where that page's own name leads to this
 *   machine): Host and Origin must both be the loopback address itself, and `Sec-Fetch-Site` same-origin, which no
 *   page can set. There are no CORS headers either.
 * - Somebody on the network: the connection must come from loopback, and nothing may say that it was forwarded.
 *   A proxy on this machine that forwards without saying so looks like a local person to us unless the browser's
 *   Origin betrays it; a stranger who forges that header gets through. Hence the hour, the one answer, and
 *   `BOOTSTRAP_API_KEY` for services behind a proxy: with it no first key is made.
 * - Another account of this machine: it can ask before its owner does. Then the page finds no offer, and the owner
 *   should revoke the key that the terminal shows.
 */
function addFirstKey(server: Server, firstKey: string | undefined): void {
  let offer = firstKey;
  const lapsesAt = Date.now() + firstKeyLifeMs;
  server.post(
    '/studio/first-key',
    { config: { operation: 'first-key' }, schema: { hide: true } },
    async (request, reply) => {
      const key = Date.now() < lapsesAt && isFromThisMachine(request) ? offer : undefined;
      reply.header('cache-control', 'no-store');
      // No error: the page always asks, and a browser would log one.
      if (key === undefined) return reply.status(204).send();
      offer = undefined;
      return { key };
    },
  );
}

const forwardingHeaders = [
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'],
  ...['cf-connecting-ip', 'true-client-ip'],
];

function isFromThisMachine({ headers, raw }: FastifyRequest): boolean {
  const host = headers.host ?? '';
  return (
    isLoopbackAddress(raw.socket.remoteAddress ?? '') &&
    isLoopbackHost(host) &&
    headers.origin === `http://${host}` &&
    headers['sec-fetch-site'] === 'same-origin' &&
    !forwardingHeaders.some((name) => name in headers)
  );
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/** With or without a port. */
function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
}
