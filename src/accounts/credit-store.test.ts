import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { createAccountStore } from './account-store.ts';
import { createCreditStore } from './credit-store.ts';

let opened: TemporaryDatabase;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
});
afterEach(() => opened.close());

it('for each key, the payers are all keys of its rotation, and no other key of its account', async () => {
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

describe('with concurrent calls', () => {
  const callers = Array.from({ length: 8 }, (_, index) => index);
  const open = async (balance: number) => {
    const accounts = createAccountStore(opened.database, () => 0);
    const { key } = await accounts.createKey({ name: 'shop', scopes: [], expiresAt: null, credits: balance });
    const credits = createCreditStore(opened.database, () => 0);
    const sale = { keyId: key.id, quotaId: key.quotaId, costMilli: 1_000, size: 'generated' } as const;
    return { accounts, credits, key, sale };
  };

  it('only one call gets the last credit', async () => {
    const { credits, key } = await open(1);
    const answers = await Promise.all(callers.map((n) => credits.hold(key.quotaId, `"${n}"`, 1_000)));
    expect(answers.toSorted()).toEqual(['held', ...callers.slice(1).map(() => 'insufficient')]);
    expect(await credits.readQuota(key.id)).toMatchObject({ remainingMilli: 0 });
  });

  it('calls for the same picture share one hold, which is refunded once', async () => {
    const { credits, key } = await open(1);
    const answers = await Promise.all(callers.map(() => credits.hold(key.quotaId, '"one"', 1_000)));
    expect(answers).toEqual(callers.map(() => 'held'));
    expect(await credits.readQuota(key.id)).toMatchObject({ remainingMilli: 0 });
    await Promise.all(callers.map(() => credits.release(key.quotaId, '"one"')));
    expect(await credits.readQuota(key.id)).toMatchObject({ remainingMilli: 1_000 });
    expect(await opened.database.selectFrom('charges').selectAll().execute()).toEqual([]);
  });

  it('only one pays for a picture that all of them drew, and each call is counted', async () => {
    const { credits, key, sale } = await open(1);
    await Promise.all(callers.map(() => credits.hold(key.quotaId, '"one"', 1_000)));
    const settled = await Promise.all(callers.map(() => credits.settle({ ...sale, etag: '"one"' })));
    expect(settled.reduce((sum, { chargedMilli }) => sum + chargedMilli, 0)).toBe(1_000);
    expect(await credits.readQuota(key.id)).toMatchObject({ remainingMilli: 0, usedMilli: 1_000 });
    expect(await opened.database.selectFrom('usage_days').selectAll().execute()).toMatchObject([
      { full_versions: callers.length, credits_milli: 1_000 },
    ]);
  });

  it('each addition by the operator is applied while other calls reserve credits', async () => {
    const { credits, key } = await open(10);
    await Promise.all([
      ...callers.map(() => credits.changeCredits(key.id, { add: 1 }, 'ada@desk')),
      ...callers.map((n) => credits.hold(key.quotaId, `"${n}"`, 1_000)),
    ]);
    expect(await credits.readQuota(key.id)).toMatchObject({ remainingMilli: 10_000 });
  });

  it('concurrent rotations of one key leave one quota', async () => {
    const { accounts, credits, key } = await open(1);
    const about = { name: 'shop', scopes: [], expiresAt: null, successorOf: key };
    const made = await Promise.all(callers.map(() => accounts.createKey(about)));
    expect(new Set(made.map((one) => one.key.quotaId))).toEqual(new Set([key.quotaId]));
    expect(await opened.database.selectFrom('quotas').selectAll().execute()).toHaveLength(1);
    expect(await credits.listPayers(key.id)).toHaveLength(1 + callers.length);
  });
});
