import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccountStore } from '../accounts/account-store.ts';
import { createIdempotencyStore } from '../accounts/idempotency-store.ts';
import { createDesignEraser } from '../designs/erase-designs.ts';
import { type DesignHouse, imageFacts, openDesignHouse } from '../designs/testing/design-house.ts';
import { createAccountShare } from './account-share.ts';
import { correctStoredBytes, createStoredBytes, type StoredBytes } from './stored-bytes.ts';

let house: DesignHouse;
let stored: StoredBytes;
const errors: unknown[] = [];
beforeEach(async () => {
  house = await openDesignHouse();
  stored = createStoredBytes(house.database, (error) => errors.push(error));
});
afterEach(async () => {
  await stored.close();
  await house.close();
  expect(errors.splice(0)).toEqual([]);
});

const openEraser = () =>
  createDesignEraser({
    ...house,
    clock: () => house.clock.now,
    onErased: () => undefined,
    onCounted: (prefix, bytes) => correctStoredBytes(house.database, prefix, bytes),
    onError: (error) => errors.push(error),
  });
const openShare = (limitBytes: number | undefined, freeBytes?: number) =>
  createAccountShare({
    database: house.database,
    storedBytes: stored,
    limitBytes,
    measureFreeBytes: async () => freeBytes,
  });

describe('the stored bytes of an account', () => {
  it('include uploads at once, and derived blobs after they are flushed', async () => {
    await house.insertDesign('dsg_a');
    await house.insertDesign('dsg_b', 'acc_other');
    expect(await stored.sumOf('acc_own')).toBe(imageFacts.bytes);
    const blobs = stored.watch(house.blobs);
    await blobs.put('designs/dsg_a/cutout.png', Buffer.alloc(1_000));
    await blobs.put('designs/dsg_a/illustrations/ill_a/clean-preview-r1', Buffer.alloc(200));
    // The upload's own bytes are already counted in its row.
    await blobs.put('designs/dsg_a/source', Buffer.alloc(6));
    await blobs.put('calls/rpc_a', Buffer.alloc(50));
    await stored.flush();
    expect(await stored.sumOf('acc_own')).toBe(imageFacts.bytes + 1_200);
    expect(await stored.sumOf('acc_other')).toBe(imageFacts.bytes);
    expect(await stored.sumAll()).toBe(2 * imageFacts.bytes + 1_200);
    expect(await stored.sumOf('acc_unknown')).toBe(0);
  });

  it('include looks, and answers kept for repeated calls', async () => {
    const look = { id: 'Look_a', account_id: 'acc_own', title: 'Sage', created_at: 0 };
    await house.database
      .insertInto('looks')
      .values({ ...look, content: 'x'.repeat(300) })
      .execute();
    const accounts = createAccountStore(house.database, () => 0);
    const { key } = await accounts.createKey({
      name: 'shop',
      accountId: 'acc_own',
      scopes: ['upload'],
      expiresAt: null,
    });
    const answers = createIdempotencyStore(house.database, { clock: () => 0, longestCallMs: 1 });
    const intention = { keyId: key.id, path: '/v1/looks', idempotencyKey: 'once' };
    const claim = await answers.claim(intention);
    if (claim.state !== 'new') throw new Error('the answers are not empty');
    const answer = 'y'.repeat(48);
    await answers.settle(intention, claim.claimedAt, { digest: 'd', answer, ownerId: 'Look_a' });
    expect(await stored.sumOf('acc_own')).toBe(350);
    expect(await stored.sumOf('acc_other')).toBe(0);
    expect(await stored.sumAll()).toBe(350);
  });

  it('are counted later if their row is inserted later', async () => {
    stored.add('designs/dsg_late', 500);
    await stored.flush();
    await house.insertDesign('dsg_late');
    await stored.flush();
    await stored.flush();
    expect(await stored.sumOf('acc_own')).toBe(imageFacts.bytes + 500);
  });

  it('are released with the design', async () => {
    await house.insertDesign('dsg_a');
    stored.add('designs/dsg_a', 1_000);
    await openEraser().eraseDesign('dsg_a', 'acc_own');
    await stored.flush();
    expect(await stored.sumOf('acc_own')).toBe(0);
  });

  it('are corrected by a sweep, whatever was lost or evicted in the meantime', async () => {
    await house.insertDesign('dsg_a');
    await house.insertDesign('dsg_b');
    await house.blobs.put('designs/dsg_a/cutout.png', Buffer.alloc(1_000));
    await house.database
      .insertInto('illustrations')
      .values({
        id: 'ill_a',
        design_id: 'dsg_a',
        account_id: 'acc_own',
        plan: '{"seed":1}',
        brief: '{}',
        created_at: 0,
        used_at: null,
      })
      .execute();
    stored.add('designs/dsg_b', 5_000);
    await stored.flush();
    await openEraser().sweepDesigns();
    const rows = await house.database
      .selectFrom('designs')
      .select(['id', 'stored_bytes'])
      .orderBy('id')
      .execute();
    const source = Buffer.from('source').length;
    expect(rows.map(({ id, stored_bytes }) => [id, Number(stored_bytes)])).toEqual([
      ['dsg_a', source + 1_000 + '{"seed":1}{}'.length],
      ['dsg_b', source],
    ]);
  });
});

describe("an account's share", () => {
  const refused = { code: 'storage_full', status: 507, retryable: false, retryAfterS: 3_600 };

  it('refuses the account that has used it up, and no other account', async () => {
    const share = openShare(1_000);
    await house.insertDesign('dsg_a');
    await share.admit('acc_own');
    stored.add('designs/dsg_a', 1_000);
    // `share` still caches the sum from before these bytes were added, so open new shares, which measure at once.
    await expect(openShare(1_000).admit('acc_own')).rejects.toMatchObject(refused);
    await expect(openShare(1_000).admit('acc_own')).rejects.toThrow(
      /stores 0\.0 MB.*limit is 0\.0 MB.*Delete/,
    );
    await share.admit('acc_other');
  });

  it('waits at least as long as a sum took before it sums up the bytes of a full account again', async () => {
    let nowMs = 10_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    let sums = 0;
    const sumOf = async () => {
      sums++;
      nowMs += 200;
      return 1_000;
    };
    const storedBytes = { flush: async () => undefined, sumOf, sumAll: async () => 1_000 };
    const share = createAccountShare({
      database: house.database,
      storedBytes,
      limitBytes: 1_000,
      measureFreeBytes: async () => undefined,
    });
    try {
      for (let call = 0; call < 5; call++)
        await expect(share.admit('acc_own')).rejects.toMatchObject({ code: 'storage_full' });
      expect(sums).toBe(1);
      nowMs += 200;
      await expect(share.admit('acc_own')).rejects.toMatchObject({ code: 'storage_full' });
      expect(sums).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });

  it('admits uploads again once the account has deleted something', async () => {
    const share = openShare(1_000);
    await house.insertDesign('dsg_a');
    stored.add('designs/dsg_a', 1_000);
    await expect(share.admit('acc_own')).rejects.toMatchObject(refused);
    await openEraser().eraseDesign('dsg_a', 'acc_own');
    await expect.poll(() => share.admit('acc_own').then(() => true)).toBe(true);
  });

  it('is unlimited if it is set to 0, and by default without a local disk or for a single account', async () => {
    await house.insertDesign('dsg_a');
    stored.add('designs/dsg_a', 10_000);
    await openShare(0).admit('acc_own');
    await openShare(undefined).admit('acc_own');
    await house.database.deleteFrom('accounts').where('id', '=', 'acc_other').execute();
    await openShare(undefined, 1_000).admit('acc_own');
  });

  it('defaults to half of the stored and free bytes', async () => {
    await house.insertDesign('dsg_a');
    await house.insertDesign('dsg_b', 'acc_other');
    stored.add('designs/dsg_a', 10_000);
    await openShare(undefined, 11_000).admit('acc_own');
    await expect(openShare(undefined, 9_000).admit('acc_own')).rejects.toMatchObject(refused);
    await openShare(undefined, 9_000).admit('acc_other');
  });
});
