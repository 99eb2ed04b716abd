/** `packshot keys`: create, list, rotate and revoke API keys, with or without a running service. */
import { hostname, userInfo } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type AccountStore, type ApiKey, createAccountStore } from '../accounts/account-store.ts';
import { type KeyMode, type Scope, scopes } from '../accounts/api-key.ts';
import { type CreditStore, createCreditStore, fromMilli } from '../accounts/credit-store.ts';
import { listKeyEvents } from '../accounts/key-events.ts';
import { createPresetStore, type PresetStore } from '../accounts/preset-store.ts';
import type { Rate } from '../accounts/token-buckets.ts';
import { PackshotError } from '../errors.ts';
import { formatTable, toDay, toMinute } from './shared/format-table.ts';
import { withRows } from './shared/open-rows.ts';
import { resolveKey } from './shared/resolve-key.ts';

const defaultScopes: readonly Scope[] = ['upload', 'suggest', 'render'];
const dayMs = 86_400_000;
const keyArgument = 'key_… id from `keys list`, or the name if no other key has it';

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Manage API keys.');

  keys
    .command('create')
    .description('Create a key and print it. It is shown only once.')
    .requiredOption('--name <name>', 'what the key is for')
    .option(
      '--scopes <list>',
      `comma-separated: ${scopes.join(', ')} (default: ${defaultScopes.join(', ')})`,
      parseScopes,
    )
    .option('--account <id>', 'account to add the key to (default: a new account)')
    .option('--expires-in-days <days>', 'lifetime of the key (default: unlimited)', parsePositive)
    .option('--credits <number>', 'credits the key can spend (default: unlimited)', parseCredits)
    .addOption(
      new Option(
        '--mode <mode>',
        'test creates a sandbox key: free; full versions are watermarked samples of 1,000 px',
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
        if (
          options.account &&
          !(await accounts.listKeys()).some((key) => key.accountId === options.account)
        ) {
          throw new PackshotError('invalid_field', `There is no account ${options.account}.`);
        }
        const mode: KeyMode = options.test ? 'test' : options.mode;
        if (mode === 'test' && options.credits !== undefined) {
          throw new PackshotError('invalid_field', 'A sandbox key is free: leave out --credits.');
        }
        if (options.burst !== undefined && options.rate === undefined) {
          throw new PackshotError('invalid_field', '--burst needs --rate.');
        }
        const made = await accounts.createKey({
          name: options.name,
          scopes: options.scopes ?? defaultScopes,
          expiresAt: options.expiresInDays ? new Date(Date.now() + options.expiresInDays * dayMs) : null,
          ...(options.account && { accountId: options.account }),
          mode,
          ...(options.rate !== undefined && { rate: toRate(options.rate, options.burst) }),
          ...(options.credits !== undefined && { credits: options.credits }),
        });
        printSecret(made, options.json);
        await warnOfNamesakes(accounts, made.key);
      });
    });

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
        if (options.json) console.log(JSON.stringify(all, null, 2));
        else if (all.length === 0) console.log('No keys yet. `packshot keys create --name shop` makes one.');
        else console.log(formatTable(all.map(toRow)));
      });
    });

  keys
    .command('rotate')
    .description('Replace a key by a new one with the same rights. The old key keeps working for a while.')
    .argument('<key>', keyArgument)
    .option('--overlap-hours <hours>', 'how long the old key keeps working', parsePositiveOrZero, 24)
    .option('--json', 'print JSON')
    .action(async (key, options) => {
      await withAccounts(async (accounts, presets) => {
        const old = await resolveKey(accounts, key);
        const { id } = old;
        if (old.revokedAt)
          throw new PackshotError('invalid_field', `${id} is revoked; create a new key instead.`);
        const { name, scopes: rights, expiresAt } = old;
        const made = await accounts.createKey({ name, scopes: rights, expiresAt, successorOf: old });
        await presets.copyGrants(id, made.key.id);
        await accounts.expireKey(id, new Date(Date.now() + options.overlapHours * 3_600_000));
        printSecret(made, options.json);
      });
    });

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

  addCredits(keys);
  addRate(keys);

  keys
    .command('audit')
    .description(
      'Show the audit log: who created, rotated or revoked which key, or changed its credits or rate.',
    )
    .option('--json', 'print JSON')
    .action(async (options) => {
      await withRows(async (database) => {
        const events = (await listKeyEvents(database)).map(({ at, ...event }) => ({
          at: new Date(at).toISOString(),
          ...event,
        }));
        if (options.json) console.log(JSON.stringify(events, null, 2));
        else if (events.length === 0) console.log('Nothing recorded yet.');
        else
          console.log(
            formatTable(
              events.map(({ at, action, keyId, actor, details }) => ({
                at: toMinute(at),
                action,
                key: keyId,
                by: actor,
                details: details ?? '',
              })),
            ),
          );
      });
    });
}

function addCredits(keys: Command): void {
  keys
    .command('credits')
    .description(
      'Show or change the credits of a key, which it shares with the keys it was rotated from or to.',
    )
    .argument('<key>', keyArgument)
    .option('--add <number>', 'add to the remaining credits', parseCredits)
    .option('--set <number>', 'set the remaining credits', parseCredits)
    .option('--unlimited', 'remove the limit')
    .action(async (named, { add, set, unlimited }) => {
      if ([add, set, unlimited].filter((one) => one !== undefined).length > 1) {
        throw new PackshotError('invalid_field', 'Use only one of --add, --set and --unlimited.');
      }
      await withAccounts(async (accounts, _presets, credits) => {
        const { id, mode } = await resolveKey(accounts, named);
        if (mode === 'test')
          throw new PackshotError('invalid_field', 'A sandbox key is free and has no credits.');
        if (add !== undefined) await credits.changeCredits(id, { add }, actor());
        else if (set !== undefined) await credits.changeCredits(id, { set }, actor());
        else if (unlimited) await credits.changeCredits(id, { set: null }, actor());
        const { remainingMilli, usedMilli } = await credits.readQuota(id);
        const left = remainingMilli === null ? 'no limit' : `${fromMilli(remainingMilli)} credits left`;
        console.log(`${id}: ${left}, ${fromMilli(usedMilli)} used.`);
      });
    });
}

function addRate(keys: Command): void {
  keys
    .command('rate')
    .description('Show or change the rate limit of a key. A running service applies it immediately.')
    .argument('<key>', keyArgument)
    .argument('[per-second]', 'calls per second, sustained', parseRate)
    .option('--burst <number>', 'calls at once (default: twice the rate)', parseBurst)
    .option('--default', "use the service's rate again")
    .action(async (named, perSecond: number | undefined, options) => {
      if (options.default && (perSecond !== undefined || options.burst !== undefined)) {
        throw new PackshotError('invalid_field', 'Use either a rate or --default.');
      }
      if (options.burst !== undefined && perSecond === undefined) {
        throw new PackshotError(
          'invalid_field',
          '--burst needs a rate: `packshot keys rate KEY 5 --burst 10`.',
        );
      }
      await withAccounts(async (accounts) => {
        const key = await resolveKey(accounts, named);
        let { rate } = key;
        if (perSecond !== undefined) rate = toRate(perSecond, options.burst);
        else if (options.default) rate = null;
        if (rate !== key.rate) await accounts.changeRate(key.id, rate);
        console.log(
          `${key.id}: ${rate ? describeRate(rate) : "the service's own rate (RATE_PER_SECOND, RATE_BURST)"}.`,
        );
      });
    });
}

/** In the proportion of the service's own default. */
const toRate = (perSecond: number, burst = Math.ceil(perSecond * 2)): Rate => ({ perSecond, burst });

const describeRate = ({ perSecond, burst }: Rate): string => `${perSecond} calls a second, burst ${burst}`;

async function withAccounts(
  work: (accounts: AccountStore, presets: PresetStore, credits: CreditStore) => Promise<void>,
): Promise<void> {
  await withRows((database) =>
    work(
      createAccountStore(database, Date.now, actor()),
      createPresetStore(database, Date.now),
      createCreditStore(database, Date.now),
    ),
  );
}

/** User name for the audit log; behind sudo, the user who called it. */
function actor(): string {
  return `${process.env.SUDO_USER ?? findUserName()}@${hostname()}`;
}

function findUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers run as users that have no name.
    return `user ${process.getuid?.()}`;
  }
}

async function warnOfNamesakes(accounts: AccountStore, { id, name }: ApiKey): Promise<void> {
  const others = (await accounts.listKeys()).filter(
    (key) => key.name === name && key.id !== id && !key.revokedAt,
  );
  if (others.length === 0) return;
  console.error(
    `Note: ${others.map((key) => key.id).join(', ')} has the name "${name}" too, so commands will need the id.`,
  );
}

function printSecret({ secret, key }: { secret: string; key: ApiKey }, asJson: boolean): void {
  if (asJson) {
    console.log(JSON.stringify({ key: secret, ...key }, null, 2));
    return;
  }
  console.log(secret);
  console.error(`Shown only once. Id ${key.id}, account ${key.accountId}, scopes ${key.scopes.join(', ')}.`);
}

function toRow(key: ApiKey & { readonly presets: readonly string[] }) {
  const ended = key.expiresAt !== null && key.expiresAt.getTime() <= Date.now();
  return {
    id: key.id,
    name: key.name,
    key: key.hint,
    account: key.accountId,
    scopes: describeScopes(key.scopes),
    rate: key.rate ? `${key.rate.perSecond}/s` : '',
    presets: key.presets.join(', '),
    expires: key.expiresAt ? toDay(key.expiresAt) : 'never',
    state: key.revokedAt ? 'revoked' : ended ? 'expired' : key.mode === 'test' ? 'sandbox' : 'active',
  };
}

/** Short enough for one line a key; --json lists them. */
function describeScopes(held: readonly Scope[]): string {
  if (held.length === scopes.length) return 'all';
  return held.join(' ') === defaultScopes.join(' ') ? 'default' : held.join(' ');
}

function parseScopes(text: string): readonly Scope[] {
  const wanted = text.split(/[\s,]+/).filter((scope) => scope !== '');
  for (const scope of wanted) {
    if (!scopes.some((known) => known === scope))
      throw new InvalidArgumentError(`Scopes are ${scopes.join(', ')}.`);
  }
  return wanted as Scope[];
}

/** They are counted in thousandths. */
function parseCredits(text: string): number {
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('Dependencies a number from 0 to 999999999, with at most three decimals.');
  return Number(text);
}

function parseRate(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value < 0.1 || value > 100_000)
    throw new InvalidArgumentError('Dependencies a number from 0.1 to 100000.');
  return value;
}

function parseBurst(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text) || Number(text) > 100_000)
    throw new InvalidArgumentError('Dependencies a whole number from 1 to 100000.');
  return Number(text);
}

function parsePositive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('Dependencies a number above 0.');
  return value;
}

function parsePositiveOrZero(text: string): number {
  return text.trim() === '0' ? 0 : parsePositive(text);
}
