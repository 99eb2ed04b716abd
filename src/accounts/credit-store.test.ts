import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { createAccountStore } from './account-store.ts';
import { createCreditStore } from './credit-store.ts';

let opened: TemporaryDatabase;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
});
afterEach(() => opened.close());

it('keys that were rotated pay together, whichever of them is asked of, and no other key with them', async () => {
  const accounts = createAccountStore(opened.database, () => 0);
  const credits = createCreditStore(opened.database, () => 0);
  const about = { name: 'shop', scopes: [], expiresAt: null };
  const { key: first } = await accounts.createKey(about);
  const { key: second } = await accounts.createKey({ ...about, successorOf: first });
  const { key: third } = await accounts.createKey({ ...about, successorOf: second });
  await accounts.revokeKey(second.id);
  const { key: other } = await accounts.createKey({ ...about, accountId: first.accountId });
  for (const { id } of [first, second, third]) {
    expect((await credits.listPayers(id)).toSorted()).toEqual([first.id, second.id, third.id].toSorted());
  }
  expect(await credits.listPayers(other.id)).toEqual([other.id]);
});
