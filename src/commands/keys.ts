/** `packshot keys`: make, list, rotate and revoke API keys, beside a running service or without one. */
import { type Command, InvalidArgumentError } from 'commander';
import { type AccountStore, type ApiKey, createAccountStore } from '../accounts/account-store.ts';
import { type Scope, scopes } from '../accounts/api-key.ts';
import { createPresetStore, type PresetStore } from '../accounts/preset-store.ts';
import { loadConfig } from '../config.ts';
import { PackshotError } from '../errors.ts';
import { openDatabase } from '../storage/database.ts';

const defaultScopes: readonly Scope[] = ['upload', 'suggest', 'render'];
const dayMs = 86_400_000;

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Manage API keys.');

  keys
    .command('create')
    .description('Make a key and print it, once.')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--scopes <list>', `of ${scopes.join(', ')}`, parseScopes, defaultScopes)
    .option('--account <id>', 'give the key to this account; a new account where left out')
    .option('--expires-in-days <days>', 'end of its life; none where left out', parsePositive)
    .option('--json', 'print JSON')
    .action(async (options) => {
      await withAccounts(async (accounts) => {
        if (
          options.account &&
          !(await accounts.listKeys()).some((key) => key.accountId === options.account)
        ) {
          throw new PackshotError('invalid_field', `There is no account ${options.account}.`);
        }
        const made = await accounts.createKey({
          name: options.name,
          scopes: options.scopes,
          expiresAt: options.expiresInDays ? new Date(Date.now() + options.expiresInDays * dayMs) : null,
          ...(options.account && { accountId: options.account }),
        });
        printSecret(made, options.json);
      });
    });

  keys
    .command('list')
    .description('List all keys; the keys themselves are stored nowhere.')
    .option('--json', 'print JSON')
    .action(async (options) => {
      await withAccounts(async (accounts, presets) => {
        const grants = await presets.listGrants();
        const all = (await accounts.listKeys()).map((key) => ({
          ...key,
          presets: grants.filter(({ keyId }) => keyId === key.id).map(({ preset }) => preset),
        }));
        if (options.json) console.log(JSON.stringify(all, null, 2));
        else console.table(all.map(toRow));
      });
    });

  keys
    .command('rotate')
    .description('Make a successor with the same rights; the old key goes on for a while.')
    .argument('<id>', 'the key_… id from `keys list`')
    .option('--overlap-hours <hours>', 'how long the old key still works', parsePositiveOrZero, 24)
    .option('--json', 'print JSON')
    .action(async (id, options) => {
      await withAccounts(async (accounts, presets) => {
        const old = await resolveKey(accounts, id);
        if (old.revokedAt)
          throw new PackshotError('invalid_field', `${id} is revoked; create a new key instead.`);
        const { name, scopes: rights, expiresAt, accountId } = old;
        const made = await accounts.createKey({ name, scopes: rights, expiresAt, accountId });
        await presets.copyGrants(id, made.key.id);
        await accounts.expireKey(id, new Date(Date.now() + options.overlapHours * 3_600_000));
        printSecret(made, options.json);
      });
    });

  keys
    .command('revoke')
    .description('End a key at once.')
    .argument('<id>', 'the key_… id from `keys list`')
    .action(async (id) => {
      await withAccounts(async (accounts) => {
        await resolveKey(accounts, id);
        await accounts.revokeKey(id);
        console.log(`${id} is revoked.`);
      });
    });
}

async function withAccounts(
  work: (accounts: AccountStore, presets: PresetStore) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(loadConfig(process.env).storage.dataDir);
  try {
    await work(createAccountStore(database, Date.now), createPresetStore(database, Date.now));
  } finally {
    await database.destroy();
  }
}

async function resolveKey(accounts: AccountStore, id: string): Promise<ApiKey> {
  const key = await accounts.findKey(id);
  if (!key)
    throw new PackshotError('invalid_field', `There is no key ${id}; \`packshot keys list\` shows them all.`);
  return key;
}

function printSecret({ secret, key }: { secret: string; key: ApiKey }, asJson: boolean): void {
  if (asJson) {
    console.log(JSON.stringify({ key: secret, ...key }, null, 2));
    return;
  }
  console.log(secret);
  console.error(`Shown this once. Id ${key.id}, account ${key.accountId}, scopes ${key.scopes.join(', ')}.`);
}

function toRow(key: ApiKey & { readonly presets: readonly string[] }) {
  const ended = key.expiresAt !== null && key.expiresAt.getTime() <= Date.now();
  return {
    id: key.id,
    account: key.accountId,
    name: key.name,
    key: key.hint,
    scopes: key.scopes.join(' '),
    presets: key.presets.join(' '),
    created: key.createdAt.toISOString(),
    expires: key.expiresAt?.toISOString() ?? 'never',
    state: key.revokedAt ? 'revoked' : ended ? 'expired' : 'active',
  };
}

function parseScopes(text: string): readonly Scope[] {
  const wanted = text.split(/[\s,]+/).filter((scope) => scope !== '');
  for (const scope of wanted) {
    if (!scopes.some((known) => known === scope))
      throw new InvalidArgumentError(`Scopes are ${scopes.join(', ')}.`);
  }
  return wanted as Scope[];
}

function parsePositive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('Needs a number above 0.');
  return value;
}

function parsePositiveOrZero(text: string): number {
  return text.trim() === '0' ? 0 : parsePositive(text);
}
