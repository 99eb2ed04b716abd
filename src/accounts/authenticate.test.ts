import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { type AccountStore, createAccountStore } from './account-store.ts';
import { type Authenticator, authenticateAs, createAuthenticator, requireScope } from './authenticate.ts';

let opened: TemporaryDatabase;
let accounts: AccountStore;
let authenticate: Authenticator;
let now: number;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.UTC(2026, 0, 1);
  accounts = createAccountStore(opened.database, () => now);
  authenticate = createAuthenticator(
    accounts,
    { ratePerSecond: 1, rateBurst: 3, wrongKeysPerMinute: 2, ratePatienceS: 0 },
    () => now,
  );
});
afterEach(() => opened.close());

const make = (expiresAt: Date | null = null) =>
  accounts.createKey({ name: 'shop', scopes: ['render'], expiresAt });
async function codeOf(secret: string | undefined, address = '10.0.0.1') {
  const { outcome } = await authenticate(secret, address);
  return 'caller' in outcome ? 'welcome' : outcome.refusal.code;
}

describe('a port without a key', () => {
  const limits = { ratePerSecond: 1, rateBurst: 3, wrongKeysPerMinute: 2, ratePatienceS: 0 };
  const scopes = ['upload', 'render'] as const;

  it("never uses a customer's key, whatever its name", async () => {
    const { key: theirs } = await accounts.createKey({ name: 'rembg', scopes, expiresAt: null });
    const own = await accounts.ensureKeylessKey({ name: 'rembg', scopes });
    expect(own.id).not.toBe(theirs.id);
    expect((await accounts.ensureKeylessKey({ name: 'rembg', scopes })).id).toBe(own.id);
  });

  it('has a rate, and refuses all calls once its key is revoked', async () => {
    const { id } = await accounts.ensureKeylessKey({ name: 'rembg', scopes });
    const call = authenticateAs(id, accounts, limits, () => now);
    const outcomes = [];
    for (let i = 0; i < 4; i++) outcomes.push((await call(undefined, '10.0.0.1')).outcome);
    expect(outcomes.slice(0, 3)).toMatchObject(Array(3).fill({ caller: { keyId: id } }));
    expect(outcomes[3]).toMatchObject({ refusal: { code: 'rate_limited' } });
    await accounts.revokeKey(id);
    expect((await call(undefined, '10.0.0.1')).outcome).toMatchObject({
      refusal: { code: 'invalid_api_key' },
    });
  });
});

describe('a call', () => {
  it('with a valid key belongs to its account and is counted', async () => {
    const { secret, key } = await make();
    expect(await authenticate(secret, '10.0.0.1')).toMatchObject({
      rate: { remaining: 2, limit: 3 },
      outcome: { caller: { accountId: key.accountId, keyId: key.id, scopes: ['render'] } },
    });
  });

  it('without a key is refused and not counted', async () => {
    for (const none of [undefined, '']) {
      expect(await authenticate(none, '10.0.0.1')).toMatchObject({
        rate: undefined,
        outcome: { refusal: { code: 'missing_api_key' } },
      });
    }
  });

  it('with a revoked key is refused like a call with an unknown key', async () => {
    const { secret, key } = await make();
    await accounts.revokeKey(key.id);
    const revoked = await authenticate(secret, '10.0.0.1');
    expect(revoked.outcome).toEqual((await authenticate('psk_live_none', '10.0.0.1')).outcome);
    expect(await codeOf(secret, '10.0.0.2')).toBe('invalid_api_key');
  });

  it('with an expired key is refused, from the exact millisecond of the expiry on', async () => {
    const { secret } = await make(new Date(now + 10));
    now += 9;
    expect(await codeOf(secret)).toBe('welcome');
    now += 1;
    expect(await codeOf(secret)).toBe('expired_api_key');
  });

  it('beyond the rate is refused; other keys are unaffected', async () => {
    const [first, second] = [await make(), await make()];
    for (let i = 0; i < 3; i++) expect(await codeOf(first.secret)).toBe('welcome');
    const refused = await authenticate(first.secret, '10.0.0.1');
    expect(refused.outcome).toMatchObject({ refusal: { code: 'rate_limited', retryAfterS: 1 } });
    expect(await codeOf(second.secret)).toBe('welcome');
    now += 1_000;
    expect(await codeOf(first.secret)).toBe('welcome');
  });

  it("is limited by its key's own rate, if the key has one", async () => {
    const rate = { perSecond: 0.5, burst: 1 };
    const { secret } = await accounts.createKey({ name: 'slow', scopes: ['render'], expiresAt: null, rate });
    expect(await authenticate(secret, '10.0.0.1')).toMatchObject({
      rate: { limit: 1, remaining: 0, resetS: 2 },
      outcome: { caller: { rate } },
    });
    expect(await codeOf(secret)).toBe('rate_limited');
    now += 2_000;
    expect(await codeOf(secret)).toBe('welcome');
  });

  it('with wrong keys throttles its address, but locks out no valid key', async () => {
    const { secret } = await make();
    const codes = [];
    for (let i = 0; i < 4; i++) codes.push(await codeOf(`guess${i}`));
    expect(codes).toEqual(['invalid_api_key', 'invalid_api_key', 'rate_limited', 'rate_limited']);
    expect(await codeOf(secret)).toBe('welcome');
    expect(await codeOf('guess', '10.0.0.2')).toBe('invalid_api_key');
  });
});

describe('a scope', () => {
  const caller = (scopes: Parameters<typeof requireScope>[0]['scopes']) => ({
    accountId: 'a',
    keyId: 'k',
    scopes,
    sandbox: false,
    rate: { perSecond: 1, burst: 1 },
  });

  it('grants only itself, but admin grants every scope', () => {
    requireScope(caller(['render']), 'render');
    requireScope(caller(['admin']), 'upload');
    for (const lacking of [caller([]), caller(['upload', 'suggest'])]) {
      expect(() => requireScope(lacking, 'render')).toThrow(
        expect.objectContaining({ code: 'scope_denied' }),
      );
    }
  });
});
