/** The Studio page at `/`, its files below `/studio/`, and the offer of a first key to a browser on this machine. */
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../loopback.ts';
import type { Server } from '../dependencies.ts';
import { pagePolicy } from '../page-policy.ts';

const builtPage = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** Vite's names carry a hash of what is in them. */
const immutable = 'public, max-age=31536000, immutable';

export function isStudioBuilt(): boolean {
  return existsSync(join(builtPage, 'index.html'));
}

/** Makes a key for the page, in the account of the first key. */
export type MakePageKey = () => Promise<string>;

/** `makeKey` is there where this start made the first key. Without a built page there is nothing at `/`. */
export async function addStudioPage(server: Server, makeKey: MakePageKey | undefined): Promise<void> {
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
      reply.header('content-security-policy', pagePolicy());
    },
  });
  server.get('/', { config: { operation: 'studio' }, schema: { hide: true } }, (_request, reply) =>
    reply.sendFile('index.html'),
  );
  addFirstKey(server, makeKey);
}

/** Long enough to read a terminal and open a browser; a forgotten service offers nothing. */
const firstKeyLifeMs = 3_600_000;

/**
 * Whether the settings leave it at callers on this machine: where one of them says that a proxy is in front, a connection
 * from loopback is the proxy's.
 */
export function mayOfferKey(server: {
  readonly host: string;
  readonly trustedProxies: number;
  readonly publicUrl: string | undefined;
}): boolean {
  const { host, trustedProxies, publicUrl } = server;
  return (
    isLoopback(host) &&
    trustedProxies === 0 &&
    (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
  );
}

/**
 * POST /studio/first-key answers a key once, so that the first photo needs no copying from a terminal. The key has no
 * scope `admin`. Against misuse:
 * - A page of another site in this browser (also by DNS rebinding, where that page's own name leads to this machine): Host
 *   and Origin must both be the loopback address itself, and `Sec-Fetch-Site` same-origin, which no page can set. There are
 *   no CORS headers either.
 * - Someone on the network: the settings must not speak of a proxy (`mayOfferKey`), the connection must come from loopback,
 *   and no header may say that it was forwarded. A program on this machine that forwards bytes without the settings saying
 *   so (`ssh -R`, `socat`) looks like a local person, and whoever uses it can write the headers. Hence the hour, the one
 *   answer, and the scopes.
 * - Another user of this machine: they can ask before the owner does. The page then finds no offer, and `packshot keys list`
 *   shows a key named `studio` to revoke.
 */
function addFirstKey(server: Server, makeKey: MakePageKey | undefined): void {
  let offer = makeKey;
  const lapsesAt = Date.now() + firstKeyLifeMs;
  server.post(
    '/studio/first-key',
    { config: { operation: 'first-key' }, schema: { hide: true } },
    async (request, reply) => {
      const make = Date.now() < lapsesAt && isFromThisMachine(request) ? offer : undefined;
      reply.header('cache-control', 'no-store');
      // No error: the page always asks, and a browser would log one.
      if (make === undefined) return reply.status(204).send();
      offer = undefined;
      return { key: await make() };
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
    isLoopback(host.replace(/:\d+$/, '')) &&
    headers.origin === `http://${host}` &&
    headers['sec-fetch-site'] === 'same-origin' &&
    !forwardingHeaders.some((name) => name in headers)
  );
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
