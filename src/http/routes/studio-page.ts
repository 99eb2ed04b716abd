/**
 * Serves the Studio page at `/` and its files below `/studio/`, and offers a browser on this machine an API key, once.
 */
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

/** Cache-Control of the page's files. Vite puts a content hash in their names, so they never change. */
const immutable = 'public, max-age=31536000, immutable';

export function isStudioBuilt(): boolean {
  return existsSync(join(builtPage, 'index.html'));
}

/** Creates a key for the page, in the account of the first key. */
export type MakePageKey = () => Promise<string>;

/**
 * `makeKey` is defined only if the first key was created at this start of the service. If the page is not built,
 * nothing is served at `/`.
 */
export async function addStudioPage(server: Server, makeKey: MakePageKey | undefined): Promise<void> {
  if (!isStudioBuilt()) return;
  await server.register(staticFiles, {
    root: builtPage,
    prefix: '/studio/',
    // Adds one route per file, so that other paths below /studio/ get the service's own 404.
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

/** How long after the start the page is offered a key: long enough to read the terminal and open a browser. */
const firstKeyLifeMs = 3_600_000;

/**
 * Whether a connection from loopback really comes from a caller on this machine: only if the service listens on
 * loopback, and the settings mention no proxy, which would also connect from there.
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
 * POST /studio/first-key returns a key once, so that users need not copy a key from the terminal for their first photo.
 * The key lacks the scope `admin`. Protection against misuse:
 * - A page of another site in this browser, even with DNS rebinding, where the host name of that page resolves to this
 *   machine: Host and Origin must both name a loopback address or `localhost`, and `Sec-Fetch-Site`, which no page can
 *   set, must be same-origin. There are no CORS headers either.
 * - Someone on the network: the settings must not indicate a proxy (`mayOfferKey`), the connection must come from
 *   loopback, and no header may indicate forwarding. Connections that a local program forwards without being mentioned
 *   in the settings (`ssh -R`, `socat`) look like those of a local user, and the users of that program can forge
 *   headers. Hence the time limit, the single use, and the restricted scopes.
 * - Another user of this machine can request the key before the owner does. The owner's page then gets no key, and
 *   `packshot keys list` shows a key named `studio`, which the owner can revoke.
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
      // Not an error status: the page always sends this request, and browsers log every error status.
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
