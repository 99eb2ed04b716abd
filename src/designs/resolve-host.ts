/**
 * The addresses of a host that a caller named, without a thread.
 *
 * `dns.lookup` cannot be cancelled and keeps one of the few threads that the whole process has for look-ups: two names
 * with a silent name server would hold up the database, the bucket and all webhooks. So names are asked for by DNS
 * directly, which costs a socket and ends with its signal. The system's own ways (`/etc/hosts`, search domains) are kept
 * for names that no stranger can make slow: those on the operator's list, and those without a dot.
 */
import { promises as dns, type LookupAddress } from 'node:dns';

export interface HostLookup {
  /** Whether the operator's list names this host. */
  readonly isListed: boolean;
  readonly signal: AbortSignal;
}

export type LookUpHost = (host: string, options: HostLookup) => Promise<readonly LookupAddress[]>;

const resolverOptions = { timeout: 1_000, tries: 3 };

/** `servers` are those of the system where left out. The function rejects where the name has no address, or once the signal aborts. */
export function createHostResolver(servers?: readonly string[]): LookUpHost {
  return async (host, { isListed, signal }) => {
    signal.throwIfAborted();
    if (isListed || !host.replace(/\.$/, '').includes('.'))
      return dns.lookup(host, { all: true, order: 'verbatim' });
    // One for each name: it can be cancelled alone, and reads the system's settings as they are now.
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
