/** `packshot keys`: creates, lists, rotates and revokes API keys, with or without a running service. */
import { type Command, Option } from 'commander';
import { type KeyMode, scopes } from '../accounts/api-key.ts';
import { listKeyEvents } from '../accounts/key-events.ts';
import { addCredits, addRate, toRate } from './keys/key-allowance.ts';
import {
  defaultScopes,
  keyArgument,
  parseBurst,
  parseCredits,
  parsePositive,
  parseRate,
  parseScopes,
} from './keys/key-options.ts';
import { printKey, printKeys, warnOfNamesakes } from './keys/print-keys.ts';
import { printRows, toMinute } from './shared/format-table.ts';
import { requireAccount, resolveKey, withAccounts, withRows } from './shared/open-stores.ts';
import { parseNumber } from './shared/parse-options.ts';
import { invalid } from './shared/refuse.ts';

const dayMs = 86_400_000;

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Manage API keys.');
  for (const add of [addCreate, addList, addRotate, addRevoke, addCredits, addRate, addAudit]) add(keys);
}

function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('Create a key and print it. It is shown only once.')
    .requiredOption('--name <name>', 'purpose of the key')
    .option(
      '--scopes <list>',
      `comma-separated: ${scopes.join(', ')} (default: ${defaultScopes.join(', ')})`,
      parseScopes,
    )
    .option('--account <id>', 'account to add the key to (default: the first account)')
    .option('--new-account', 'give the key an account of its own, which sees nothing of the others')
    .option('--expires-in-days <days>', 'lifetime of the key (default: unlimited)', parsePositive)
    .option('--credits <number>', 'credits the key can spend (default: unlimited)', parseCredits)
    .addOption(
      new Option(
        '--mode <mode>',
        '`test` creates a sandbox key, which is free; its full versions are at most 1,000 px and carry a SAMPLE watermark',
      )
        .choices(['live', 'test'])
        .default('live'),
    )
    .option('--test', 'the same as --mode test')
    .option('--rate <number>', "calls per second (default: the service's rate)", parseRate)
    .option('--burst <number>', 'calls at once (default: twice the rate)', parseBurst)
    .option('--json', 'print JSON')
    .action(async (options) => {
      await withAccounts(async (accounts) => {
        if (options.account && options.newAccount) throw invalid('Use either --account or --new-account.');
        if (options.account) await requireAccount(accounts, options.account);
        const mode: KeyMode = options.test ? 'test' : options.mode;
        if (mode === 'test' && options.credits !== undefined) {
          throw invalid('A sandbox key is free: leave out --credits.');
        }
        if (options.burst !== undefined && options.rate === undefined) {
          throw invalid('--burst needs --rate.');
        }
        const made = await accounts.createKey({
          name: options.name,
          scopes: options.scopes ?? defaultScopes,
          expiresAt: options.expiresInDays ? new Date(Date.now() + options.expiresInDays * dayMs) : null,
          ...(options.account && { accountId: options.account }),
          newAccount: options.newAccount ?? false,
          mode,
          ...(options.rate !== undefined && { rate: toRate(options.rate, options.burst) }),
          ...(options.credits !== undefined && { credits: options.credits }),
        });
        printKey(made, options.json);
        await warnOfNamesakes(accounts, made.key);
      });
    });
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description('List all keys, without their secrets, which are not stored.')
    .option('--json', 'print JSON')
    .action(async (options) => {
      await withAccounts(async (accounts, presets) => {
        const grants = await presets.listGrants();
        const all = (await accounts.listKeys()).map((key) => ({
          ...key,
          presets: grants.filter(({ keyId }) => keyId === key.id).map(({ preset }) => preset),
        }));
        printKeys(all, options.json);
      });
    });
}

function addRotate(keys: Command): void {
  keys
    .command('rotate')
    .description(
      'Replace a key with a new one that has the same rights. The old key keeps working for a while.',
    )
    .argument('<key>', keyArgument)
    .option('--overlap-hours <hours>', 'how long the old key keeps working', parseNumber(0), 24)
    .option('--json', 'print JSON')
    .action(async (key, options) => {
      await withAccounts(async (accounts, presets) => {
        const old = await resolveKey(accounts, key);
        const { id } = old;
        if (old.revokedAt) throw invalid(`${id} is revoked; create a new key instead.`);
        const { name, scopes: rights, expiresAt } = old;
        const made = await accounts.createKey({ name, scopes: rights, expiresAt, successorOf: old });
        await presets.copyGrants(id, made.key.id);
        await accounts.expireKey(id, new Date(Date.now() + options.overlapHours * 3_600_000));
        printKey(made, options.json);
      });
    });
}

function addRevoke(keys: Command): void {
  keys
    .command('revoke')
    .description('Revoke a key immediately.')
    .argument('<key>', keyArgument)
    .action(async (key) => {
      await withAccounts(async (accounts) => {
        const { id } = await resolveKey(accounts, key);
        await accounts.revokeKey(id);
        console.log(`${id} is revoked.`);
      });
    });
}

function addAudit(keys: Command): void {
  keys
    .command('audit')
    .description(
      'Show the audit log: who created, rotated or revoked which key, or changed its credits or rate.',
    )
    .option('--json', 'print JSON')
    .action(async (options) => {
      await withRows(async ({ database }) => {
        const events = (await listKeyEvents(database)).map(({ at, ...event }) => ({
          at: new Date(at).toISOString(),
          ...event,
        }));
        printRows(events, {
          json: options.json,
          none: 'Nothing recorded yet.',
          toRow: ({ at, action, keyId, actor, details }) => ({
            at: toMinute(at),
            action,
            key: keyId,
            by: actor,
            details: details ?? '',
          }),
        });
      });
    });
}
