import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { createIdempotencyStore, type IdempotencyStore } from './idempotency-store.ts';

let opened: Awaited<ReturnType<typeof openTemporaryDatabase>>;
let now: number;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.UTC(2026, 0, 1);
});
afterEach(() => opened.close());
const open = () => createIdempotencyStore(opened.database, { clock: () => now, longestCallMs: 120_000 });
const claimNew = async (store: IdempotencyStore) => {
  const claim = await store.claim(intention);
  if (claim.state !== 'new') throw new Error(`the claim is ${claim.state}, not new`);
  return claim.claimedAt;
};
const intention = { keyId: 'key_a', path: '/v1/design/suggest', idempotencyKey: 'one' };

describe('an idempotent request', () => {
  it('is claimed once; a duplicate gets the state `running`, and later the stored response', async () => {
    const store = open();
    const claimedAt = await claimNew(store);
    expect(await store.claim(intention)).toEqual({ state: 'running' });
    await store.settle(intention, claimedAt, { digest: 'digest', answer: { id: 'dsg_a' }, ownerId: 'dsg_a' });
    expect(await store.claim(intention)).toEqual({
      state: 'done',
      digest: 'digest',
      answer: { id: 'dsg_a' },
    });
  });

  it('is another request if the idempotency key, the path or the caller differs', async () => {
    const store = open();
    await store.claim(intention);
    for (const other of [{ keyId: 'key_b' }, { path: '/v1/illustrations' }, { idempotencyKey: 'two' }]) {
      expect(await store.claim({ ...intention, ...other })).toMatchObject({ state: 'new' });
    }
  });

  it('is claimed by exactly one of many concurrent calls', async () => {
    const store = open();
    const claims = await Promise.all(Array.from({ length: 10 }, () => store.claim(intention)));
    expect(claims.filter(({ state }) => state === 'new')).toHaveLength(1);
  });

  it('may be retried after a failure', async () => {
    const store = open();
    await store.release(intention, await claimNew(store));
    await claimNew(store);
  });

  it('can be claimed again once its claim is abandoned, but not while the first call may still run', async () => {
    const store = open();
    await store.claim(intention);
    now += 119_999;
    expect(await store.claim(intention)).toEqual({ state: 'running' });
    now += 1;
    await claimNew(store);
  });

  it('is claimed again by exactly one of many concurrent calls once its claim is abandoned', async () => {
    const store = open();
    await store.claim(intention);
    now += 120_000;
    const claims = await Promise.all(Array.from({ length: 10 }, () => store.claim(intention)));
    expect(claims.filter(({ state }) => state === 'new')).toHaveLength(1);
    expect(claims.filter(({ state }) => state === 'running')).toHaveLength(9);
  });

  it('cannot be changed by a call that lost its claim', async () => {
    const store = open();
    const lost = await claimNew(store);
    now += 120_000;
    const claimedAt = await claimNew(store);
    await store.release(intention, lost);
    expect(await store.claim(intention)).toEqual({ state: 'running' });
    await store.settle(intention, lost, { digest: 'digest', answer: 'late', ownerId: 'dsg_a' });
    expect(await store.claim(intention)).toEqual({ state: 'running' });
    await store.settle(intention, claimedAt, { digest: 'digest', answer: 'own', ownerId: 'dsg_a' });
    await store.settle(intention, lost, { digest: 'digest', answer: 'late', ownerId: 'dsg_a' });
    expect(await store.claim(intention)).toMatchObject({ state: 'done', answer: 'own' });
  });

  it('that was running at a crash can be claimed after the next start; stored responses are kept', async () => {
    const store = open();
    const answered = { ...intention, idempotencyKey: 'answered' };
    const claim = await store.claim(answered);
    if (claim.state === 'new')
      await store.settle(answered, claim.claimedAt, { digest: 'digest', answer: 1, ownerId: 'dsg_a' });
    await store.claim(intention);
    await store.sweepAnswers({ atStart: false });
    expect(await store.claim(intention)).toEqual({ state: 'running' });
    await store.sweepAnswers({ atStart: true });
    await claimNew(store);
    expect(await store.claim(answered)).toMatchObject({ state: 'done' });
  });

  it('is deleted after a day', async () => {
    const store = open();
    await store.settle(intention, await claimNew(store), { digest: 'digest', answer: 1, ownerId: 'dsg_a' });
    now += 86_400_000 - 1;
    expect(await store.claim(intention)).toMatchObject({ state: 'done' });
    now += 1;
    await store.settle(intention, await claimNew(store), { digest: 'digest', answer: 1, ownerId: 'dsg_a' });
    now += 86_400_000;
    await store.sweepAnswers({ atStart: false });
    expect(await opened.database.selectFrom('idempotent_answers').selectAll().execute()).toEqual([]);
  });
});

it('the newest responses of each API key are kept, up to a limit that applies to each key separately', async () => {
  const store = createIdempotencyStore(opened.database, {
    clock: () => now,
    longestCallMs: 120_000,
    most: 20,
  });
  const answerOnce = async (keyId: string, idempotencyKey: string) => {
    now += 1;
    const one = { ...intention, keyId, idempotencyKey };
    const claim = await store.claim(one);
    if (claim.state !== 'new') throw new Error(`the claim is ${claim.state}, not new`);
    await store.settle(one, claim.claimedAt, { digest: 'd', answer: {}, ownerId: 'dsg_a' });
  };
  await answerOnce('key_b', 'other');
  for (let i = 1; i < 100; i++) await answerOnce('key_a', `call-${i}`);
  const rows = await opened.database
    .selectFrom('idempotent_answers')
    .select(['key_id', 'idempotency_key'])
    .orderBy('created_at')
    .execute();
  const newest = Array.from({ length: 20 }, (_, i) => ({
    key_id: 'key_a',
    idempotency_key: `call-${80 + i}`,
  }));
  expect(rows).toEqual([{ key_id: 'key_b', idempotency_key: 'other' }, ...newest]);
});
