/** The port that serves clients of rembg without a key, and the key that their calls are attributed to. */
import type { AddressInfo } from 'node:net';
import type { AccountStore } from '../accounts/account-store.ts';
import { authenticateAs } from '../accounts/authenticate.ts';
import type { RateLimiter } from '../accounts/token-buckets.ts';
import type { Config } from '../config.ts';
import type { ServerDependencies } from '../http/dependencies.ts';
import { createRembgServer, type ServerOptions } from '../http/server.ts';

const keyName = 'rembg';

interface PortParts {
  readonly dependencies: ServerDependencies;
  readonly accounts: AccountStore;
  readonly clock: () => number;
  readonly sharedRates: RateLimiter | undefined;
  readonly options: ServerOptions;
}

/** Undefined if not configured. */
export async function openRembgPort({ dialects, accounts: { limits } }: Config, parts: PortParts) {
  const { rembg } = dialects;
  if (!rembg) return undefined;
  const { accounts, clock, sharedRates } = parts;
  const { id } = await accounts.ensureKeylessKey({ name: keyName, scopes: ['upload', 'render'] });
  const authenticate = authenticateAs(id, accounts, limits, clock, sharedRates);
  const server = await createRembgServer({ ...parts.dependencies, authenticate }, parts.options);
  return {
    listen: () => server.listen(rembg),
    url(): string | undefined {
      const address = server.server.address() as AddressInfo | null;
      if (!address) return undefined;
      const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      return `http://${host}:${address.port}`;
    },
    close: () => server.close(),
  };
}
