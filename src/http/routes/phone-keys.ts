/**
 * POST /studio/phone-link makes a one-time link that lets a phone in, and POST /studio/phone-key redeems it. Without
 * `--lan`, both answer 204.
 */
import { networkInterfaces } from 'node:os';
import { z } from 'zod';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';

export function addPhoneLink(server: Server, { phoneKeys, publicUrl }: ServerDependencies): void {
  server.post(
    '/studio/phone-link',
    { config: { scope: 'upload', operation: 'phone-link' }, schema: { hide: true } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (!phoneKeys) return reply.status(204).send();
      const { token, lapsesAt } = await phoneKeys.makeLinkFor(callerOf(request).keyId);
      return { url: phoneUrl(token, publicUrl, request.socket.localPort ?? 80), lapsesAt };
    },
  );
}

export function addPhoneKey(server: Server, { phoneKeys }: ServerDependencies): void {
  server.post(
    '/studio/phone-key',
    {
      config: { operation: 'phone-key' },
      schema: { hide: true, body: z.strictObject({ token: z.string().max(64) }) },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const key = await phoneKeys?.redeem(request.body.token);
      // Not an error status: browsers log every error status.
      return key === undefined ? reply.status(204).send() : { key };
    },
  );
}

/** The token is in the fragment, which browsers send to no server, and so to no log. */
export function phoneUrl(token: string, publicUrl: string | undefined, port: number): string {
  return `${publicUrl ?? `http://${findLanAddress()}:${port}`}/#/phone/${token}`;
}

/** This machine's address in its local network. */
function findLanAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  return (
    found.find((address) => /^(192\.168|10|172\.(1[6-9]|2\d|3[01]))\./.test(address)) ??
    found[0] ??
    '127.0.0.1'
  );
}
