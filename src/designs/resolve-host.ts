/**
 * Resolves the host of a caller's URL, without using a thread if the lookup may be slow.
 *
 * `dns.lookup` cannot be canceled and occupies one of the few lookup threads of the process: two names with a silent
 * name server would block the connections to the database, to the bucket and to all webhooks. So names are resolved by
 * direct DNS queries, which cost only a socket and end when the signal aborts. The system's resolver (`/etc/hosts`,
 * search domains) is used only for names that a caller cannot make slow: names on the operator's allowlist, and names
 * without a dot.
 */
import { promises as dns, type LookupAddress } from 'node:dns';

export interface HostLookup {
  /** Whether the operator's allowlist names this host. */
  readonly isListed: boolean;
  readonly signal: AbortSignal;
}

export type LookUpHost = (host: string, options: HostLookup) => Promise<readonly LookupAddress[]>;

const resolverOptions = { timeout: 1_000, tries: 3 };

/**
 * `servers` default to the system's name servers. The returned function rejects if the name has no address, or once the
 * signal aborts; but a running lookup by the system's resolver ignores the signal.
 */
export function createHostResolver(servers?: readonly string[]): LookUpHost {
  return async (host, { isListed, signal }) => {
    signal.throwIfAborted();
    if (isListed || !host.replace(/\.$/, '').includes('.'))
      return dns.lookup(host, { all: true, order: 'verbatim' });
    // One resolver per lookup: it can be canceled separately, and it reads the system's current settings.
    const resolver = new dns.Resolver(resolverOptions);
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      signal.throwIfAborted();
      if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
      return [
        ...addressesOf(v4).map((address) => ({ address, family: 4 })),
        ...addressesOf(v6).map((address) => ({ address, family: 6 })),
      ];
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

const addressesOf = (answer: PromiseSettledResult<string[]>): string[] =>
  answer.status === 'fulfilled' ? answer.value : [];
