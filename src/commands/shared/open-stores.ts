/** Opens the stores of a service for administrative commands, with or without a running service. */
import { hostname, userInfo } from 'node:os';
import { type AccountStore, createAccountStore } from '../../accounts/account-store.ts';
import type { ApiKey } from '../../accounts/api-key.ts';
import { type CreditStore, createCreditStore } from '../../accounts/credit-store.ts';
import { createPresetStore, type PresetStore } from '../../accounts/preset-store.ts';
import { ConfigError } from '../../config/setting.ts';
import { type Config, loadConfig } from '../../config.ts';
import { openQueue } from '../../jobs/open-queue.ts';
import type { Queue } from '../../jobs/queue.ts';
import { hasDatabase, type OpenDatabase, withDatabase } from '../../storage/database.ts';
import { invalid } from './refuse.ts';

/**
 * Runs `work` with the configured database. Throws `ConfigError` if there is no database yet. In most such cases, the
 * command was run in the wrong folder, and a new database created there would belong to no service.
 */
export async function withRows(
  work: (rows: OpenDatabase, config: Config) => Promise<void>,
  options?: Parameters<typeof withDatabase>[2],
): Promise<void> {
  const config = loadConfig(process.env);
  const { database, dataDir } = config.storage;
  if (!hasDatabase(database))
    throw new ConfigError(
      `There is no Packshot data in ${dataDir}. Set DATA_DIR to the data folder of the service, or create a new database with \`packshot migrate\`.`,
    );
  await withDatabase(database, (rows) => work(rows, config), options);
}

/** Runs `work` with the configured queue. Enqueued jobs are run by the service. */
export async function withQueue<T>(
  { database: config }: Config['storage'],
  { database, notices }: OpenDatabase,
  work: (queue: Queue) => Promise<T>,
): Promise<T> {
  const sharedUrl = config.kind === 'postgres' ? config.url : undefined;
  const queue = openQueue({ database, notices, clock: Date.now, sharedUrl, onError: console.error });
  try {
    return await work(queue);
  } finally {
    await queue.close({ graceMs: 0 });
  }
}

/** Runs `work` with the stores of keys, presets and credits; the audit log names the user who runs the command. */
export async function withAccounts(
  work: (accounts: AccountStore, presets: PresetStore, credits: CreditStore) => Promise<void>,
): Promise<void> {
  await withRows(({ database }) =>
    work(
      createAccountStore(database, Date.now, actor()),
      createPresetStore(database, Date.now),
      createCreditStore(database, Date.now),
    ),
  );
}

/** `user@host` for the audit log; under sudo, with the user who ran sudo. */
export function actor(): string {
  return `${process.env.SUDO_USER ?? findUserName()}@${hostname()}`;
}

function findUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // In containers, the user may have no name.
    return `user ${process.getuid?.()}`;
  }
}

/** Finds a key by id or name, but a revoked key only by id. Throws `invalid_field` unless exactly one key matches. */
export async function resolveKey(accounts: AccountStore, idOrName: string): Promise<ApiKey> {
  const byId = await accounts.findKey(idOrName);
  if (byId) return byId;
  const [key, ...others] = (await accounts.listKeys()).filter(
    ({ name, revokedAt }) => name === idOrName && !revokedAt,
  );
  if (!key) throw invalid(`There is no key ${idOrName}; \`packshot keys list\` shows all of them.`);
  if (others.length === 0) return key;
  const ids = [key, ...others].map(({ id }) => id).join(', ');
  throw invalid(`Several keys are named ${idOrName}. Use an id: ${ids}.`);
}

/** Throws `invalid_field` if there is no such account. */
export async function requireAccount(accounts: AccountStore, id: string): Promise<void> {
  if (!(await accounts.listKeys()).some(({ accountId }) => accountId === id))
    throw invalid(`There is no account ${id}.`);
}
