/** The Studio page at `/`, its files below `/studio/`, and a first key for a browser on this machine. */
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

/** Vite's file names contain a content hash. */
const immutable = 'public, max-age=31536000, immutable';

export function isStudioBuilt(): boolean {
  return existsSync(join(builtPage, 'index.html'));
}

/** Makes a key for the page, in the account of the first key. */
export type MakePageKey = () => Promise<string>;

/** `makeKey` is defined if this start created the first key. If the page is not built, `/` does not exist. */
export async function addStudioPage(server: Server, makeKey: MakePageKey | undefined): Promise<void> {
  if (!isStudioBuilt()) return;
  await server.register(staticFiles, {
    root: builtPage,
    prefix: '/studio/',
    // One route per file: other paths below /studio/ get the service's own 404.
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

/** How long the offer is valid: long enough to read the terminal and open a browser. */
const firstKeyLifeMs = 3_600_000;

/**
 * Whether the settings restrict the service to callers on this machine: behind a configured proxy, connections from
 * loopback come from the proxy.
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
 * POST /studio/first-key returns a key once, so that no key has to be copied from the terminal for the first photo. The
 * key lacks the scope `admin`. Protection against misuse:
 * - A page of another site in this browser, including DNS rebinding, where the page's own host name resolves to this
 *   machine: Host and Origin must both be the loopback address itself, and `Sec-Fetch-Site` must be same-origin, which
 *   no page can set. There are no CORS headers either.
 * - Someone on the network: the settings must not indicate a proxy (`mayOfferKey`), the connection must come from
 *   loopback, and no header may indicate forwarding. A local program that forwards connections without a matching
 *   setting (`ssh -R`, `socat`) looks like a local user, and its users can forge headers. Hence the time limit, the
 *   single use, and the restricted scopes.
 * - Another user of this machine: they can request the key before the owner does. The page then gets none, and
 *   `packshot keys list` shows a key named `studio` to revoke.
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
      // Not an error response: the page always sends this request, and a browser would log each error.
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
