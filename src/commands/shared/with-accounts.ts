/** Opens the stores of keys and presets; the audit log names the user who runs the command. */
import { hostname, userInfo } from 'node:os';
import { type AccountStore, createAccountStore } from '../../accounts/account-store.ts';
import { type CreditStore, createCreditStore } from '../../accounts/credit-store.ts';
import { createPresetStore, type PresetStore } from '../../accounts/preset-store.ts';
import { withRows } from './open-rows.ts';

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

/** User name for the audit log; under sudo, the user who ran sudo. */
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
