import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { type AccountStore, createAccountStore, type NewKey } from './account-store.ts';
import { createCreditStore } from './credit-store.ts';
import { createPhoneKeys, type PhoneKeys } from './phone-keys.ts';

let opened: TemporaryDatabase;
let accounts: AccountStore;
let phones: PhoneKeys;
let now: number;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.UTC(2026, 0, 1);
  const clock = () => now;
  accounts = createAccountStore(opened.database, clock);
  phones = createPhoneKeys({ accounts, credits: createCreditStore(opened.database, clock), clock });
});
afterEach(() => opened.close());

const scopes = ['upload', 'suggest', 'render'] as const;
const makeKey = async (more: Partial<NewKey> = {}) =>
  (await accounts.createKey({ name: 'shop', scopes, expiresAt: null, ...more })).key;

it('a link gives one key of the same account, which may do what the page needs and ends when its maker does', async () => {
  const expiresAt = new Date(now + 86_400_000);
  const maker = await makeKey({ expiresAt, scopes: ['admin'] });
  const { token } = await phones.makeLinkFor(maker.id);
  const secret = (await phones.redeem(token))!;
  const { accountId } = maker;
  expect(await accounts.findKeyBySecret(secret)).toMatchObject({
    accountId,
    name: 'phone',
    scopes,
    expiresAt,
  });
  expect(await phones.redeem(token)).toBeUndefined();
});

it('a link ends with the key that made it', async () => {
  const [revoked, expiring] = [await makeKey(), await makeKey({ expiresAt: new Date(now + 60_000) })];
  const links = await Promise.all([revoked, expiring].map(({ id }) => phones.makeLinkFor(id)));
  await accounts.revokeKey(revoked.id);
  now += 60_000;
  for (const { token } of links) expect(await phones.redeem(token)).toBeUndefined();
});

it('a link lapses after ten minutes, and with the twentieth after it', async () => {
  await makeKey();
  const { token, lapsesAt } = phones.makeFirstLink();
  expect(lapsesAt.getTime()).toBe(now + 600_000);
  now += 600_000;
  expect(await phones.redeem(token)).toBeUndefined();
  const tokens = Array.from({ length: 21 }, () => phones.makeFirstLink().token);
  expect(await phones.redeem(tokens[0]!)).toBeUndefined();
  expect(await phones.redeem(tokens[1]!)).toMatch(/^psk_live_/);
  expect(await phones.redeem('')).toBeUndefined();
});

it.each([
  ['fewer scopes', { scopes: ['upload'] as const }],
  ['a limit of credits', { credits: 5 }],
  ['a rate of its own', { rate: { perSecond: 1, burst: 2 } }],
  ['a sandbox', { mode: 'test' as const }],
])('a key with %s makes no link, as its phone would have no such limit', async (_, more) => {
  const { id } = await makeKey(more);
  await expect(phones.makeLinkFor(id)).rejects.toMatchObject({ code: 'scope_denied' });
});
