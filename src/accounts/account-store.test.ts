import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../storage/database.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { type AccountStore, createAccountStore } from './account-store.ts';
import { scopes } from './api-key.ts';
import { listKeyEvents } from './key-events.ts';

let opened: TemporaryDatabase;
let accounts: AccountStore;
let now: number;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.UTC(2026, 0, 1);
  accounts = createAccountStore(opened.database, () => now);
});
afterEach(() => opened.close());

const newKey = { name: 'shop', scopes: ['render'] as const, expiresAt: null };

describe('an API key', () => {
  it('gives access to its account, even after a restart', async () => {
    const { secret, key } = await accounts.createKey({ ...newKey, expiresAt: new Date(now + 1_000) });
    expect(await accounts.findKeyBySecret(secret)).toEqual(key);
    expect(key).toMatchObject({
      name: 'shop',
      scopes: ['render'],
      revokedAt: null,
      createdAt: new Date(now),
    });
    const again = await openDatabase(opened.config);
    expect(await createAccountStore(again.database, () => now).findKeyBySecret(secret)).toEqual(key);
    await again.close();
  });

  it('leaves no usable part of itself in the data folder', async () => {
    const file = await openTemporaryDatabase('sqlite');
    accounts = createAccountStore(file.database, () => now);
    const { secret } = await accounts.createKey(newKey);
    const ours = 'a-key-that-the-operator-chose';
    await accounts.ensureKey(ours, 'bootstrap');
    const files = await readdir(file.dataDir);
    expect(files).toContain('packshot.db-wal');
    for (const name of files) {
      const bytes = await readFile(join(file.dataDir, name));
      for (const text of [secret, secret.slice(13, 21), secret.slice(-8), ours, ours.slice(4, 12)]) {
        expect(bytes.includes(text), `${text} in ${name}`).toBe(false);
      }
    }
    const wal = await readFile(join(file.dataDir, 'packshot.db-wal'));
    expect(wal.includes(secret.slice(0, 13))).toBe(true);
    await file.close();
  });

  it('is found only by its complete text', async () => {
    const { secret } = await accounts.createKey(newKey);
    for (const near of [secret.slice(0, -1), `${secret} `, secret.toUpperCase(), '', '%', "' or 1=1 --"]) {
      expect(await accounts.findKeyBySecret(near), near).toBeUndefined();
    }
  });

  it('chosen by the operator is created once by processes that start at the same time', async () => {
    const ensure = () => accounts.ensureKey('a-key-that-the-operator-chose', 'bootstrap');
    await Promise.all(Array.from({ length: 8 }, ensure));
    expect(await accounts.listKeys()).toHaveLength(1);
  });

  it('belongs to the first account unless it gets another one, or one of its own', async () => {
    const first = await accounts.createKey(newKey);
    const tenant = await accounts.createKey({ ...newKey, newAccount: true });
    const second = await accounts.createKey(newKey);
    const third = await accounts.createKey({ ...newKey, accountId: tenant.key.accountId });
    await accounts.ensureKey('a-key-that-the-operator-chose', 'bootstrap');
    expect(tenant.key.accountId).not.toBe(first.key.accountId);
    expect(second.key.accountId).toBe(first.key.accountId);
    expect(third.key.accountId).toBe(tenant.key.accountId);
    expect((await accounts.listKeys()).at(-1)?.accountId).toBe(first.key.accountId);
    expect(new Set([first.secret, second.secret, third.secret]).size).toBe(3);
  });

  it('for a nonexistent account creates no rows at all', async () => {
    await expect(accounts.createKey({ ...newKey, accountId: 'acc_none' })).rejects.toThrow();
    expect(await accounts.hasKeys()).toBe(false);
    expect(await accounts.listKeys()).toEqual([]);
  });

  it('chosen by the operator exists once, with all scopes, however often `ensureKey` is called', async () => {
    const secret = 'a-key-that-the-operator-chose';
    for (let i = 0; i < 3; i++) await accounts.ensureKey(secret, 'bootstrap');
    expect(await accounts.listKeys()).toHaveLength(1);
    expect((await accounts.findKeyBySecret(secret))?.scopes).toEqual(scopes);
  });

  it('stays revoked, even if `ensureKey` is called for it again', async () => {
    const secret = 'a-key-that-the-operator-chose';
    await accounts.ensureKey(secret, 'bootstrap');
    const { id } = (await accounts.findKeyBySecret(secret))!;
    const revokedAt = new Date(now);
    await accounts.revokeKey(id);
    now += 1_000;
    await accounts.revokeKey(id);
    await accounts.ensureKey(secret, 'bootstrap');
    expect(await accounts.findKeyBySecret(secret)).toMatchObject({ id, revokedAt });
    expect(await accounts.listKeys()).toHaveLength(1);
  });

  it('shares quota and mode with its successor, and each change is recorded in the audit log', async () => {
    const named = createAccountStore(opened.database, () => now, 'ada@desk');
    const { key: old, secret } = await named.createKey({ ...newKey, mode: 'test' });
    now += 5;
    const { key: fresh, secret: next } = await named.createKey({ ...newKey, successorOf: old });
    for (let i = 0; i < 2; i++) await accounts.revokeKey(old.id);
    expect(fresh).toMatchObject({ quotaId: old.id, accountId: old.accountId, mode: 'test' });
    expect([secret, next].every((one) => one.startsWith('psk_test_'))).toBe(true);
    const events = await listKeyEvents(opened.database);
    expect(events.map(({ action, keyId, actor }) => [action, keyId, actor])).toEqual([
      ['created', old.id, 'ada@desk'],
      ['rotated', old.id, 'ada@desk'],
      ['revoked', old.id, 'service'],
    ]);
    expect(JSON.stringify(events)).not.toContain(secret.slice(9, 20));
  });

  it('chosen by the operator is a live key, whatever its text looks like', async () => {
    const secret = 'psk_test_0123456789abcdefghij';
    await accounts.ensureKey(secret, 'bootstrap');
    expect(await accounts.findKeyBySecret(secret)).toMatchObject({ mode: 'live', scopes });
  });

  it('keeps its stored mode, whatever its text looks like', async () => {
    const secret = 'psk_live_0123456789abcdefghij';
    await accounts.ensureKey(secret, 'bootstrap');
    await opened.database.updateTable('api_keys').set({ mode: 'test' }).execute();
    await accounts.ensureKey(secret, 'bootstrap');
    expect(await accounts.findKeyBySecret(secret)).toMatchObject({ mode: 'test' });
  });

  it('may have its own rate, which its successor inherits, and each change is recorded in the audit log', async () => {
    const rate = { perSecond: 0.5, burst: 3 };
    const { key: old } = await accounts.createKey({ ...newKey, rate });
    expect(old.rate).toEqual(rate);
    const { key: fresh } = await accounts.createKey({ ...newKey, successorOf: old });
    expect(fresh.rate).toEqual(rate);
    now += 1;
    await accounts.changeRate(fresh.id, { perSecond: 7, burst: 14 });
    now += 1;
    await accounts.changeRate(old.id, null);
    expect((await accounts.findKey(fresh.id))?.rate).toEqual({ perSecond: 7, burst: 14 });
    expect((await accounts.findKey(old.id))?.rate).toBeNull();
    expect((await listKeyEvents(opened.database)).slice(-2)).toMatchObject([
      { keyId: fresh.id, action: 'rate', details: '7/s, burst 14' },
      { keyId: old.id, action: 'rate', details: "the service's own" },
    ]);
  });

  it('can be made to expire earlier, but never later', async () => {
    const { key } = await accounts.createKey(newKey);
    const at = (ms: number) => new Date(now + ms);
    await accounts.expireKey(key.id, at(1_000));
    expect((await accounts.findKey(key.id))?.expiresAt).toEqual(at(1_000));
    await accounts.expireKey(key.id, at(2_000));
    expect((await accounts.findKey(key.id))?.expiresAt).toEqual(at(1_000));
    await accounts.expireKey(key.id, at(500));
    expect((await accounts.findKey(key.id))?.expiresAt).toEqual(at(500));
  });
});

describe('work that a key requested earlier', () => {
  it('is refused once the key is revoked, even if another key has replaced it', async () => {
    const { key } = await accounts.createKey(newKey);
    await expect(accounts.requireStanding(key.id)).resolves.toBeUndefined();
    await accounts.createKey({ ...newKey, successorOf: key });
    await accounts.revokeKey(key.id);
    await expect(accounts.requireStanding(key.id)).rejects.toMatchObject({ code: 'invalid_api_key' });
    await expect(accounts.requireStanding('key_unknown')).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it('is refused once the key has expired, unless its replacement is valid', async () => {
    const { key } = await accounts.createKey({ ...newKey, expiresAt: new Date(now + 1_000) });
    await accounts.createKey({ ...newKey, accountId: key.accountId });
    now += 1_000;
    await expect(accounts.requireStanding(key.id)).rejects.toMatchObject({ code: 'expired_api_key' });
    const { key: successor } = await accounts.createKey({
      ...newKey,
      successorOf: key,
      expiresAt: new Date(now + 1_000),
    });
    await expect(accounts.requireStanding(key.id)).resolves.toBeUndefined();
    now += 1_000;
    await expect(accounts.requireStanding(key.id)).rejects.toMatchObject({ code: 'expired_api_key' });
    const { key: last } = await accounts.createKey({ ...newKey, successorOf: successor });
    await expect(accounts.requireStanding(key.id)).resolves.toBeUndefined();
    await accounts.revokeKey(last.id);
    await expect(accounts.requireStanding(key.id)).rejects.toMatchObject({ code: 'expired_api_key' });
  });
});
