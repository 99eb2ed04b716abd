/**
 * POST /studio/phone-link makes a one-time link that lets a phone in, and POST /studio/phone-key redeems it. Without
 * `--lan`, both answer 204; so does the first if no phone could reach the service.
 */
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { z } from 'zod';
import { isLoopback } from '../../loopback.ts';
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
      const { localAddress = '', localPort: port = 80 } = request.socket;
      // Where this caller reached the service, a phone may reach it as well.
      const address = localAddress.replace(/^::ffff:/, '');
      const listening = isLoopback(address) ? (server.server.address() as AddressInfo) : { address, port };
      const [url] = phoneUrls(token, publicUrl, listening);
      return url === undefined ? reply.status(204).send() : { url, lapsesAt };
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

/**
 * The link at each address at which another machine may reach the service, the likeliest first; none if only this machine
 * can. `listening`: an address of this machine on which the service listens, or `0.0.0.0` or `::` for all of them.
 * The token is in the fragment, which browsers send to no server, and so to no log.
 */
export function phoneUrls(
  token: string,
  publicUrl: string | undefined,
  { address, port }: Pick<AddressInfo, 'address' | 'port'>,
  interfaces = networkInterfaces(),
): string[] {
  const isPublic = publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname);
  const hosts = isLoopback(address)
    ? []
    : ['0.0.0.0', '::'].includes(address)
      ? findLanAddresses(interfaces)
      : [address];
  const bases = hosts.map((host) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  return (isPublic ? [publicUrl] : bases).map((base) => `${base}/#/phone/${token}`);
}

/** This machine's addresses, those of local networks first. */
function findLanAddresses(interfaces: ReturnType<typeof networkInterfaces>): string[] {
  const isPrivate = (address: string) => /^(192\.168|10|172\.(1[6-9]|2\d|3[01]))\./.test(address);
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
    .sort((a, b) => Number(isPrivate(b)) - Number(isPrivate(a)));
}
