import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { createAccountStore } from './account-store.ts';
import { type ClaimPicture, createRenderCharger, type Purchase } from './charge-render.ts';
import { type CreditStore, createCreditStore } from './credit-store.ts';
import { createUsageStore } from './usage-store.ts';

let opened: TemporaryDatabase;
let credits: CreditStore;
let charge: ReturnType<typeof createRenderCharger>;
let errors: unknown[];
let now: number;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.UTC(2026, 0, 1, 23, 30);
  errors = [];
  credits = createCreditStore(opened.database, () => now);
  charge = createRenderCharger({ credits, onError: (error) => errors.push(error) });
});
afterEach(() => opened.close());

async function newKey(amount?: number): Promise<string> {
  const accounts = createAccountStore(opened.database, () => now);
  const { key } = await accounts.createKey({
    name: 'shop',
    scopes: ['render'],
    expiresAt: null,
    ...(amount !== undefined && { credits: amount }),
  });
  return key.id;
}

const buy = (keyId: string, parts: Partial<Purchase> = {}): Purchase => ({
  keyId,
  sandbox: false,
  size: 'preview',
  mayBeKnown: false,
  ...parts,
});
const draw = (etag: string) => async (claim: ClaimPicture) => {
  await claim(etag);
  return etag;
};
const failing = (etag: string) => async (claim: ClaimPicture) => {
  await claim(etag);
  throw new PackshotError('deadline_exceeded', 'late');
};
const left = async (keyId: string) => (await credits.readQuota(keyId)).remainingMilli;

describe('a picture', () => {
  it('costs its price the first time, and nothing for the next hour', async () => {
    const key = await newKey(2);
    expect(await charge(buy(key, { size: 'generated' }), draw('a'))).toEqual({
      result: 'a',
      receipt: { charged: 1, remaining: 1 },
    });
    now += 3_599_999;
    expect((await charge(buy(key), draw('a'))).receipt).toEqual({ charged: 0, remaining: 1 });
    now += 2;
    expect((await charge(buy(key), draw('a'))).receipt).toEqual({ charged: 0.25, remaining: 0.75 });
  });

  it('that was free when its drawing started stays free, even if the hour ends during the drawing', async () => {
    const key = await newKey(1);
    await charge(buy(key), draw('a'));
    now += 3_599_999;
    const slow = async (claim: ClaimPicture) => {
      await claim('a');
      now += 10;
    };
    expect((await charge(buy(key), slow)).receipt).toEqual({ charged: 0, remaining: 0.75 });
    expect((await credits.readQuota(key)).usedMilli).toBe(250);
  });

  it('costs nothing if the caller already has it, or if drawing it fails or times out', async () => {
    const key = await newKey(1);
    expect((await charge(buy(key), async () => 'known')).receipt).toEqual({ charged: 0, remaining: 1 });
    await expect(charge(buy(key), failing('a'))).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(await left(key)).toBe(1000);
    // The failure left no charge behind, which would have made the next attempt free.
    expect((await charge(buy(key), draw('a'))).receipt).toEqual({ charged: 0.25, remaining: 0.75 });
  });

  it('that costs more than the balance is refused before any work, unless it may be free', async () => {
    const key = await newKey(0.25);
    let worked = 0;
    const work = async (claim: ClaimPicture) => {
      worked++;
      return draw('b')(claim);
    };
    const refused = { code: 'insufficient_credits', status: 402 };
    await expect(charge(buy(key, { size: 'generated' }), work)).rejects.toMatchObject(refused);
    expect(worked).toBe(0);
    await expect(charge(buy(key, { size: 'generated', mayBeKnown: true }), work)).rejects.toMatchObject(
      refused,
    );
    expect(worked).toBe(1);
    await charge(buy(key), draw('a'));
    expect((await charge(buy(key), draw('a'))).receipt).toEqual({ charged: 0, remaining: 0 });
    await expect(charge(buy(key), work)).rejects.toMatchObject(refused);
  });

  it('is counted for its key and its day, even if it is free', async () => {
    const [limited, open] = [await newKey(9), await newKey()];
    for (const etag of ['a', 'a', 'b']) await charge(buy(limited), draw(etag));
    await charge(buy(open, { sandbox: true, size: 'generated' }), draw('a'));
    now += 3_600_000;
    await charge(buy(open), draw('a'));
    const usage = await createUsageStore(opened.database, () => now).listUsage('2026-01-01', '2026-01-02');
    const facts = usage.map((row) => [
      row.day,
      row.key_id,
      row.previews,
      row.full_versions,
      row.credits_milli,
    ]);
    expect(facts.toSorted()).toEqual(
      [
        ['2026-01-01', limited, 3, 0, 500],
        ['2026-01-01', open, 0, 1, 0],
        ['2026-01-02', open, 1, 0, 250],
      ].toSorted(),
    );
  });

  it('for an unlimited key is returned even if nothing can be stored', async () => {
    const [open, limited] = [await newKey(), await newKey(1)];
    await opened.database.schema.alterTable('usage_days').renameTo('elsewhere').execute();
    expect((await charge(buy(open), draw('a'))).receipt).toEqual({ charged: 0, remaining: null });
    expect(errors).toHaveLength(1);
    await expect(charge(buy(limited), draw('a'))).rejects.toThrow();
    await opened.database.schema.alterTable('elsewhere').renameTo('usage_days').execute();
    await credits.sweepCharges({ atStart: true });
    expect(await left(limited)).toBe(1000);
  });
});

describe('reserved credits', () => {
  it('are unavailable to other pictures, and are refunded when the last holder fails', async () => {
    const key = await newKey(0.25);
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const claimed = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = [first, second].map(({ promise }, index) =>
      charge(buy(key), async (claim) => {
        await claim('a');
        claimed[index]!.resolve();
        await promise;
      }),
    );
    const outcomes = Promise.allSettled(held);
    await Promise.all(claimed.map(({ promise }) => promise));
    await expect(charge(buy(key, { mayBeKnown: true }), draw('b'))).rejects.toMatchObject({ status: 402 });
    first.reject(new Error('one failed'));
    await held[0]!.catch(() => undefined);
    expect(await left(key)).toBe(0);
    second.reject(new Error('the other failed'));
    await outcomes;
    expect(await left(key)).toBe(250);
  });

  it('are refunded by a sweep only once no running call can hold them', async () => {
    const key = await newKey(1);
    const { id } = await credits.readQuota(key);
    await credits.hold(id, 'a', 250);
    await credits.sweepCharges({ atStart: false });
    expect(await left(key)).toBe(750);
    now += 900_000;
    await credits.sweepCharges({ atStart: false });
    expect(await left(key)).toBe(1000);
  });
});

it('charging never overspends, loses credits, or charges a picture twice, in any order of events', async () => {
  const call = fc.record({
    etag: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    fails: fc.boolean(),
    pauses: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { maxLength: 24 }),
      fc.integer({ min: 0, max: 6 }),
      async (calls, quarters) => {
        const key = await newKey(quarters / 4);
        const paid = new Map<string, number>();
        const ends = await Promise.allSettled(
          calls.map(async ({ etag, fails, pauses }) => {
            const { receipt } = await charge(buy(key), async (claim) => {
              await claim(`${key} ${etag}`);
              for (let i = 0; i < pauses; i++) await new Promise(setImmediate);
              if (fails) throw new Error('failed');
            });
            if (receipt.charged > 0) paid.set(etag, (paid.get(etag) ?? 0) + 1);
          }),
        );
        const { remainingMilli, usedMilli } = await credits.readQuota(key);
        expect([...paid.values()].every((times) => times === 1)).toBe(true);
        expect(usedMilli).toBe(250 * paid.size);
        expect(remainingMilli).toBe(250 * quarters - usedMilli);
        const drawn = new Set(
          calls.filter((_, i) => ends[i]!.status === 'fulfilled').map(({ etag }) => etag),
        );
        expect([...drawn].sort()).toEqual([...paid.keys()].sort());
        // Five quarters of a credit pay for all five pictures, so no call is refused.
        if (quarters >= 5) {
          const refused = ends.filter(
            (end) => end.status === 'rejected' && end.reason instanceof PackshotError,
          );
          expect(refused).toEqual([]);
        }
      },
    ),
    { numRuns: 30, seed: 7 },
  );
});
