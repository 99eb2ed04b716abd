import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { createIdempotencyStore } from './idempotency-store.ts';

let opened: Awaited<ReturnType<typeof openTemporaryDatabase>>;
let now: number;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.UTC(2026, 0, 1);
});
afterEach(() => opened.close());
const open = () => createIdempotencyStore(opened.database, () => now);
const intention = { keyId: 'key_a', path: '/v1/design/suggest', idempotencyKey: 'one' };

describe('an intention', () => {
  it('is claimed once; its twin hears that it runs, and later what came of it', async () => {
    const store = open();
    expect(await store.claim(intention)).toEqual({ state: 'new' });
    expect(await store.claim(intention)).toEqual({ state: 'running' });
    await store.settle(intention, 'digest', { id: 'dsg_a' });
    expect(await store.claim(intention)).toEqual({
      state: 'done',
      digest: 'digest',
      answer: { id: 'dsg_a' },
    });
  });

  it('is another one for another key, path or caller', async () => {
    const store = open();
    await store.claim(intention);
    for (const other of [{ keyId: 'key_b' }, { path: '/v1/illustrations' }, { idempotencyKey: 'two' }]) {
      expect(await store.claim({ ...intention, ...other })).toEqual({ state: 'new' });
    }
  });

  it('is claimed by one of many who come at once', async () => {
    const store = open();
    const claims = await Promise.all(Array.from({ length: 10 }, () => store.claim(intention)));
    expect(claims.filter(({ state }) => state === 'new')).toHaveLength(1);
  });

  it('may be tried again after it failed', async () => {
    const store = open();
    await store.claim(intention);
    await store.release(intention);
    expect(await store.claim(intention)).toEqual({ state: 'new' });
  });

  it('is taken over from a process that died with it, but not sooner', async () => {
    const store = open();
    await store.claim(intention);
    now += 119_000;
    expect(await store.claim(intention)).toEqual({ state: 'running' });
    now += 2_000;
    expect(await store.claim(intention)).toEqual({ state: 'new' });
  });

  it('is forgotten after a day', async () => {
    const store = open();
    await store.claim(intention);
    await store.settle(intention, 'digest', 1);
    now += 86_400_000 - 1;
    expect(await store.claim(intention)).toMatchObject({ state: 'done' });
    now += 1;
    expect(await store.claim(intention)).toEqual({ state: 'new' });
    await store.settle(intention, 'digest', 1);
    now += 86_400_000;
    await store.sweepAnswers();
    expect(await opened.database.selectFrom('idempotent_answers').selectAll().execute()).toEqual([]);
  });
});
