import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DesignHouse, openDesignHouse } from '../../designs/testing/design-house.ts';
import type { SettledPainting } from './painting.ts';
import { createPaintingStore } from './painting-store.ts';

let house: DesignHouse;
let reports: SettledPainting[];
beforeEach(async () => {
  house = await openDesignHouse();
  reports = [];
  await house.insertDesign('dsg_a');
  const illustration = { design_id: 'dsg_a', account_id: 'acc_own', plan: '{}', brief: null, created_at: 0 };
  for (const id of ['ill_1', 'ill_2'])
    await house.database
      .insertInto('illustrations')
      .values({ ...illustration, id })
      .execute();
});
afterEach(() => house.close());

async function openStore(onSettled: (painting: SettledPainting) => Promise<void>) {
  const paintings = createPaintingStore(house.database, () => 0, onSettled);
  const request = { keyId: 'key_1', engine: 'fake', engineVersion: 'fake/1' };
  const requests = ['ill_1', 'ill_2'].map((illustrationId) => ({ illustrationId, ...request }));
  await paintings.requestPaintings(requests, async () => undefined);
  return paintings;
}
const made = { mode: 'scaffold-edit', model: 'm', seed: 1, place: null } as const;

describe('requested paintings', () => {
  const ask = async (keyId: string, from: number, count: number) => {
    const paintings = createPaintingStore(
      house.database,
      () => 0,
      async (painting) => void reports.push(painting),
    );
    const ids = Array.from({ length: count }, (_, index) => `ill_${keyId}_${from + index}`);
    const row = { design_id: 'dsg_a', account_id: 'acc_own', plan: '{}', brief: null, created_at: 0 };
    await house.database
      .insertInto('illustrations')
      .values(ids.map((id) => ({ ...row, id })))
      .execute();
    const enqueued: string[] = [];
    await paintings.requestPaintings(
      ids.map((illustrationId) => ({ illustrationId, keyId, engine: 'fake', engineVersion: 'fake/1' })),
      async (id) => void enqueued.push(id),
    );
    return { paintings, ids, enqueued };
  };

  it('fail if 32 paintings of the same key are already waiting; the failures are recorded and reported', async () => {
    const { paintings, ids, enqueued } = await ask('key_1', 0, 33);
    expect(enqueued).toEqual(ids.slice(0, 32));
    expect(await paintings.findPainting(ids[32]!)).toMatchObject({
      state: 'failed',
      failure: 'too many pictures are waiting for the engine',
    });
    expect(reports).toMatchObject([{ illustrationId: ids[32], state: 'failed' }]);
    expect((await ask('key_2', 0, 1)).enqueued).toHaveLength(1);
  });

  it('respect the limit under concurrent requests', async () => {
    await ask('key_1', 0, 30);
    await Promise.all([30, 31, 32, 33, 34, 35].map((from) => ask('key_1', from, 1)));
    const waiting = house.database.selectFrom('paintings').selectAll().where('state', '=', 'waiting');
    expect(await waiting.execute()).toHaveLength(32);
  });

  it('fail if 256 paintings are waiting in total', async () => {
    for (let key = 1; key <= 8; key++) expect((await ask(`key_${key}`, 0, 32)).enqueued).toHaveLength(32);
    expect((await ask('key_9', 0, 1)).enqueued).toEqual([]);
  });
});

describe('the budget of a key', () => {
  const call = { keyId: 'key_1', engine: 'fake', priceUsd: 0.05, budgetUsd: 0.1 };

  it('is not exceeded by calls under way at the same time', async () => {
    const paintings = createPaintingStore(house.database, () => 0);
    const calls = await Promise.all(Array.from({ length: 5 }, () => paintings.reserveCall(call)));
    expect(calls.filter((id) => id?.startsWith('cal_'))).toHaveLength(2);
    expect(await paintings.sumCosts('key_1')).toBeCloseTo(0.1);
    expect(await paintings.reserveCall({ ...call, keyId: 'key_2' })).toMatch(/^cal_/);
  });

  it('gets back what a call did not cost, and pays what it cost more', async () => {
    const paintings = createPaintingStore(house.database, () => 0);
    const [free, dear] = [await paintings.reserveCall(call), await paintings.reserveCall(call)];
    await paintings.settleCall(free!, 0);
    await paintings.settleCall(dear!, 0.08);
    expect(await paintings.sumCosts('key_1')).toBeCloseTo(0.08);
  });

  it('reserves the mean price of earlier calls if the price is unknown', async () => {
    const paintings = createPaintingStore(house.database, () => 0);
    const unknown = { ...call, priceUsd: null };
    await paintings.settleCall((await paintings.reserveCall(unknown))!, 0.1);
    await paintings.reserveCall({ ...unknown, keyId: 'key_2' });
    expect(await paintings.sumCosts('key_2')).toBeCloseTo(0.1);
  });
});

describe('a settled painting', () => {
  it('is reported once, with its owner, and is no longer waiting', async () => {
    const paintings = await openStore(async (painting) => void reports.push(painting));
    expect(await paintings.listWaiting('dsg_a')).toHaveLength(2);
    await paintings.markDone('ill_1', made);
    await paintings.markFailed('ill_1', 'too late', null);
    await paintings.markFailed('ill_2', 'the engine refused', null);
    const owner = { designId: 'dsg_a', accountId: 'acc_own' };
    expect(reports).toEqual([
      { illustrationId: 'ill_1', ...owner, state: 'done' },
      { illustrationId: 'ill_2', ...owner, state: 'failed' },
    ]);
    expect(await paintings.listWaiting('dsg_a')).toEqual([]);
  });

  it('is recorded as settled only if its report succeeds', async () => {
    const paintings = await openStore(async () => {
      throw new Error('no room for the event');
    });
    await expect(paintings.markDone('ill_1', made)).rejects.toThrow('no room');
    expect(await paintings.findPainting('ill_1')).toMatchObject({ state: 'waiting' });
  });
});
