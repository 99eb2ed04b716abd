/** The port that serves clients of rembg without a key, and the key that their calls are attributed to. */
import type { AddressInfo } from 'node:net';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Caller } from '../accounts/authenticate.ts';
import type { Config } from '../config.ts';
import type { ServerDependencies } from '../http/dependencies.ts';
import { createRembgServer, type ServerOptions } from '../http/server.ts';

const keyName = 'rembg';

interface PortParts {
  readonly dependencies: ServerDependencies;
  readonly accounts: AccountStore;
  readonly options: ServerOptions;
}

/** Undefined if not configured. */
export async function openRembgPort({ dialects, accounts: { limits } }: Config, parts: PortParts) {
  const { rembg } = dialects;
  if (!rembg) return undefined;
  const rate = { perSecond: limits.ratePerSecond, burst: limits.rateBurst };
  const server = await createRembgServer(
    parts.dependencies,
    await findCaller(parts.accounts, rate),
    parts.options,
  );
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

/**
 * Finds or creates the key that calls on this port are attributed to. No caller ever sends it, so its secret is
 * discarded: the key exists only to own designs and record usage.
 */
async function findCaller(accounts: AccountStore, rate: Caller['rate']): Promise<Caller> {
  const known = (await accounts.listKeys()).find(({ name, revokedAt }) => name === keyName && !revokedAt);
  const scopes = ['upload', 'render'] as const;
  const { accountId, id } =
    known ?? (await accounts.createKey({ name: keyName, scopes, expiresAt: null })).key;
  return { accountId, keyId: id, scopes, sandbox: false, rate };
}
