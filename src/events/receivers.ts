/** Decides to which receivers events may be sent: https on public addresses, and hosts on the operator's allowlist. */
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { createAddressGuard } from '../designs/address-guard.ts';
import { createHostResolver, type LookUpHost } from '../designs/resolve-host.ts';

export interface ReceiverRules {
  /** Allowed targets beyond the public internet: host, host:port, IP, IP:port or CIDR. */
  readonly allow: readonly string[];
  /** Defaults to `createHostResolver`. */
  readonly lookup?: LookUpHost;
}

/** `refused`: this URL is never called. `doubtful`: calls would currently fail. Both contain a message for display. */
export type ReceiverVerdict = { readonly refused: string } | { readonly doubtful: string } | undefined;

const longestUrl = 2_048;
const lookupTimeoutMs = 3_000;

/** Throws an Error that names a malformed entry of `allow`. */
export function createReceiverRules({ allow, lookup = createHostResolver() }: ReceiverRules) {
  // Other ports need an entry in the operator's allowlist.
  const guard = createAddressGuard({ allow, ports: [443] });
  const listed = createAddressGuard({ allow, ports: [] });

  /** The addresses to connect to; empty if the host may not be called. Rejects if the host name does not resolve. */
  async function findAddresses(url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const { host, port } = partsOf(url);
    const family = isIP(host);
    const isListed = guard.admitsHost(host, port);
    const addresses = family === 0 ? await lookup(host, { isListed, signal }) : [{ address: host, family }];
    const admitted = isListed || addresses.every(({ address }) => guard.admitsAddress(address, port));
    return admitted ? addresses : [];
  }

  /**
   * Undefined for a URL that may be called. Resolves the host once, with a short timeout, unless the operator's
   * allowlist contains it.
   */
  async function examine(text: string): Promise<ReceiverVerdict> {
    const url = text.length <= longestUrl ? URL.parse(text) : null;
    if (url === null || !['https:', 'http:'].includes(url.protocol))
      return { refused: `The URL needs https:// and at most ${longestUrl} characters.` };
    if (url.username !== '' || url.password !== '' || url.hash !== '')
      return { refused: 'The URL must not have a user name, password or fragment.' };
    const { host, port } = partsOf(url);
    const isListed = listed.admitsHost(host, port) || listed.admitsAddress(host, port);
    if (isListed) return undefined;
    if (url.protocol === 'http:')
      return { refused: 'The URL needs https; http is only for hosts in WEBHOOK_ALLOW.' };
    const inTime = AbortSignal.timeout(lookupTimeoutMs);
    const addresses = await findAddresses(url, inTime).catch(() => undefined);
    if (addresses === undefined)
      return {
        doubtful: `${host} does not resolve from here; events are retried until it does, and dropped after the last retry.`,
      };
    if (addresses.length > 0) return undefined;
    return {
      refused: `Events to ${host}:${port} would not be sent: only port 443 of public addresses is allowed. If this receiver is yours, add it to WEBHOOK_ALLOW, for this command and for the service.`,
    };
  }

  return { findAddresses, examine };
}

function partsOf(url: URL): { host: string; port: number } {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port };
}
