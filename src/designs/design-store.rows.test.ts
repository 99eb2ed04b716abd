import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SubjectFacts } from '../../packages/cutout/src/subject.ts';
import { createDesignStore } from './design-store.ts';
import {
  type DesignHouse,
  imageFacts,
  lifeMs,
  openDesignHouse,
  retentionMs,
} from './testing/design-house.ts';

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
});
afterEach(() => house.close());

const notFound = { code: 'design_not_found' };
const hourMs = 3_600_000;
const subject: SubjectFacts = {
  boundingBox: { x: 1, y: 2, width: 3, height: 4 },
  coverage: 0.25,
  touchesEdges: ['left'],
  confidence: 0.9,
  issues: [],
};
const product = {
  kind: 'Home & Garden',
  staging: 'upright-squat',
  confidence: 0.85,
  because: 'the file is named after it',
};
const expiryOf = async (id: string) => (await house.designs.findDesign(id))!.expiresAt!.getTime();

describe('stored designs', () => {
  it('are counted by their state', async () => {
    const none = { processing: 0, ready: 0, failed: 0 };
    expect(Object.fromEntries(await house.designs.countByState())).toEqual(none);
    for (const id of ['dsg_a', 'dsg_b', 'dsg_c']) await house.insertDesign(id);
    await house.designs.markReady('dsg_b', { subject, product, cutoutVersion: 'test/1' });
    expect(Object.fromEntries(await house.designs.countByState())).toEqual({
      ...none,
      processing: 2,
      ready: 1,
    });
  });
});

it('counts the unfinished cutouts of an account for which callers may wait', async () => {
  for (const id of ['dsg_a', 'dsg_b', 'dsg_ready']) await house.insertDesign(id, 'acc_own', undefined, 1_000);
  await house.insertDesign('dsg_patient');
  await house.designs.markReady('dsg_ready', { subject, product, cutoutVersion: 'test/1' });
  expect(await house.designs.countAwaited('acc_own')).toBe(2);
  expect(await house.designs.countAwaited('acc_other')).toBe(0);
});

describe('a settled design', () => {
  it('is reported once, within the transaction that settles it', async () => {
    const told: string[] = [];
    const { database, clock } = house;
    const designs = createDesignStore(database, {
      clock: () => clock.now,
      retentionMs,
      async onSettled({ id, state }) {
        if (id === 'dsg_c') throw new Error('no room');
        told.push(`${id} ${state}`);
      },
    });
    for (const id of ['dsg_a', 'dsg_b', 'dsg_c']) await house.insertDesign(id);
    const made = { subject, product, cutoutVersion: 'test/1' };
    expect(await designs.markReady('dsg_a', made)).toBe(true);
    expect(await designs.markReady('dsg_a', made)).toBe(false);
    await designs.markFailed('dsg_a', { code: 'no_subject_found', detail: '' });
    await designs.markFailed('dsg_b', { code: 'no_subject_found', detail: '' });
    await expect(designs.markReady('dsg_c', made)).rejects.toThrow('no room');
    expect(await designs.findDesign('dsg_c')).toMatchObject({ state: 'processing' });
    expect(told).toEqual(['dsg_a ready', 'dsg_b failed']);
  });
});

describe('a stored design', () => {
  it('is returned as it was stored', async () => {
    const design = await house.insertDesign('dsg_a');
    expect(await house.designs.resolveDesign('dsg_a', 'acc_own')).toEqual(design);
    expect(design).toMatchObject({
      state: 'processing',
      image: imageFacts,
      createdAt: new Date(house.clock.now),
    });
  });

  it('is invisible to another account, which gets the same error as for an unknown id', async () => {
    await house.insertDesign('dsg_a');
    const refusals = await Promise.allSettled([
      house.designs.resolveDesign('dsg_a', 'acc_other'),
      house.designs.resolveDesign('dsg_none', 'acc_own'),
    ]);
    expect(
      refusals.map((refusal) => 'reason' in refusal && [refusal.reason.code, refusal.reason.message]),
    ).toEqual(Array(2).fill(['design_not_found', expect.any(String)]));
    expect(new Set(refusals.map((refusal) => 'reason' in refusal && refusal.reason.message)).size).toBe(1);
  });

  it('is settled only once', async () => {
    await house.insertDesign('dsg_a');
    await house.insertDesign('dsg_b');
    expect(await house.designs.markReady('dsg_a', { subject, product, cutoutVersion: 'keyer/1' })).toBe(true);
    expect(
      await house.designs.markReady('dsg_a', {
        subject: { ...subject, coverage: 1 },
        product,
        cutoutVersion: 'keyer/2',
      }),
    ).toBe(false);
    await house.designs.markFailed('dsg_a', { code: 'internal', detail: 'late' });
    expect(await house.designs.findDesign('dsg_a')).toMatchObject({
      state: 'ready',
      subject,
      product,
      cutoutVersion: 'keyer/1',
    });
    await house.designs.markFailed('dsg_b', { code: 'no_subject_found', detail: 'nothing' });
    expect(await house.designs.markReady('dsg_b', { subject, product, cutoutVersion: 'keyer/1' })).toBe(
      false,
    );
    expect(await house.designs.findDesign('dsg_b')).toMatchObject({
      state: 'failed',
      failure: { code: 'no_subject_found', detail: 'nothing' },
    });
  });

  it('is deleted together with its jobs', async () => {
    await house.insertDesign('dsg_a');
    await house.insertDesign('dsg_b');
    await house.designs.removeDesign('dsg_a');
    expect(await house.designs.findDesign('dsg_a')).toBeUndefined();
    expect(await house.database.selectFrom('jobs').select('key').execute()).toEqual([{ key: 'dsg_b' }]);
    expect(await house.designs.markReady('dsg_a', { subject, product, cutoutVersion: 'keyer/1' })).toBe(
      false,
    );
  });
});

describe("a design's life", () => {
  it('ends exactly at its expiry, to the millisecond, even if its row still exists', async () => {
    await house.insertDesign('dsg_a');
    house.clock.now += lifeMs - 1;
    expect(await house.designs.listExpired()).toEqual([]);
    house.clock.now += 1;
    expect(await house.designs.listExpired()).toEqual(['dsg_a']);
    await expect(house.designs.resolveDesign('dsg_a', 'acc_own')).rejects.toMatchObject(notFound);
  });

  it('is renewed by use, but the renewal is written at most hourly', async () => {
    await house.insertDesign('dsg_a');
    const first = await expiryOf('dsg_a');
    house.clock.now += hourMs - 1;
    await house.designs.resolveDesign('dsg_a', 'acc_own');
    expect(await expiryOf('dsg_a')).toBe(first);
    house.clock.now += 1;
    const renewed = await house.designs.resolveDesign('dsg_a', 'acc_own');
    expect(renewed.expiresAt!.getTime()).toBe(first + hourMs);
    expect(await expiryOf('dsg_a')).toBe(first + hourMs);
    house.clock.now += hourMs / 2;
    await house.designs.resolveDesign('dsg_a', 'acc_own');
    expect(await expiryOf('dsg_a')).toBe(first + hourMs);
  });

  it('never ends earlier than one retention period after the last use, even if that use was not recorded', async () => {
    await house.insertDesign('dsg_a');
    for (const pauseMs of [hourMs - 1, hourMs - 1, 1, hourMs / 2, 3 * hourMs, 1]) {
      house.clock.now += pauseMs;
      const { expiresAt } = await house.designs.resolveDesign('dsg_a', 'acc_own');
      expect(expiresAt!.getTime()).toBeGreaterThanOrEqual(house.clock.now + retentionMs);
      expect(await expiryOf('dsg_a')).toBe(expiresAt!.getTime());
    }
    house.clock.now += retentionMs;
    await house.designs.resolveDesign('dsg_a', 'acc_own');
  });

  it('is not renewed by jobs or by other accounts', async () => {
    await house.insertDesign('dsg_a');
    const first = await expiryOf('dsg_a');
    house.clock.now += 2 * hourMs;
    await house.designs.findDesign('dsg_a');
    await expect(house.designs.resolveDesign('dsg_a', 'acc_other')).rejects.toMatchObject(notFound);
    expect(await expiryOf('dsg_a')).toBe(first);
  });

  it('keeps its expiry if the renewal cannot be written, and the design is still readable', async () => {
    await house.close();
    // Only SQLite can be made to refuse writes.
    house = await openDesignHouse('sqlite');
    const { expiresAt } = await house.insertDesign('dsg_a');
    house.clock.now += 2 * hourMs;
    await sql`pragma query_only = on`.execute(house.database);
    expect((await house.designs.resolveDesign('dsg_a', 'acc_own')).expiresAt).toEqual(expiresAt);
    await sql`pragma query_only = off`.execute(house.database);
    expect((await house.designs.resolveDesign('dsg_a', 'acc_own')).expiresAt).not.toEqual(expiresAt);
  });

  it('never ends if the retention is unlimited; designs uploaded earlier lose their expiry at the next use', async () => {
    await house.insertDesign('dsg_a');
    const keeping = createDesignStore(house.database, { clock: () => house.clock.now, retentionMs: null });
    const origin = { fileName: undefined, kindHint: undefined };
    const fresh = keeping.newDesign({ id: 'dsg_b', accountId: 'acc_own', image: imageFacts, origin });
    expect(fresh.expiresAt).toBeNull();
    house.clock.now += hourMs;
    expect((await keeping.resolveDesign('dsg_a', 'acc_own')).expiresAt).toBeNull();
    house.clock.now += 100 * retentionMs;
    expect(await keeping.listExpired()).toEqual([]);
  });
});
