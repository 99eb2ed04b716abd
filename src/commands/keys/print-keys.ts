import type { AccountStore } from '../../accounts/account-store.ts';
import { type ApiKey, type Scope, scopes } from '../../accounts/api-key.ts';
import { printRows, printSecret, toDay } from '../shared/format-table.ts';
import { defaultScopes } from './key-options.ts';

export async function warnOfNamesakes(accounts: AccountStore, { id, name }: ApiKey): Promise<void> {
  const others = (await accounts.listKeys()).filter(
    (key) => key.name === name && key.id !== id && !key.revokedAt,
  );
  if (others.length === 0) return;
  console.error(
    `Note: the name "${name}" is also used by ${others.map((key) => key.id).join(', ')}, so commands will need the id.`,
  );
}

export function printKey({ secret, key }: { secret: string; key: ApiKey }, asJson: boolean): void {
  const facts = `Id ${key.id}, account ${key.accountId}, scopes ${key.scopes.join(', ')}.`;
  printSecret(secret, facts, asJson && { key: secret, ...key });
}

type ListedKey = ApiKey & { readonly presets: readonly string[] };

export function printKeys(keys: readonly ListedKey[], json: boolean): void {
  printRows(keys, { json, none: 'No keys yet. `packshot keys create --name shop` makes one.', toRow });
}

function toRow(key: ListedKey) {
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

/** Abbreviates the scopes, so that each key fits on one line; --json lists all scopes. */
function describeScopes(held: readonly Scope[]): string {
  if (held.length === scopes.length) return 'all';
  return held.join(' ') === defaultScopes.join(' ') ? 'default' : held.join(' ');
}
