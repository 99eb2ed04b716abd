import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DesignHouse, openDesignHouse } from '../designs/testing/design-house.ts';
import { createPaintingStore, type SettledPainting } from './painting-store.ts';

let house: DesignHouse;
let told: SettledPainting[];
beforeEach(async () => {
  house = await openDesignHouse();
  told = [];
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

describe('a painting that is over', () => {
  it('is told of once, with whose it is, and no longer waited for', async () => {
    const paintings = await openStore(async (painting) => void told.push(painting));
    expect(await paintings.countWaiting('dsg_a')).toBe(2);
    await paintings.markDone('ill_1', made);
    await paintings.markFailed('ill_1', 'too late');
    await paintings.markFailed('ill_2', 'the engine refused');
    const owner = { designId: 'dsg_a', accountId: 'acc_own' };
    expect(told).toEqual([
      { illustrationId: 'ill_1', ...owner, state: 'done' },
      { illustrationId: 'ill_2', ...owner, state: 'failed' },
    ]);
    expect(await paintings.countWaiting('dsg_a')).toBe(0);
  });

  it('is over only where it can be told of', async () => {
    const paintings = await openStore(async () => {
      throw new Error('no room for the event');
    });
    await expect(paintings.markDone('ill_1', made)).rejects.toThrow('no room');
    expect(await paintings.findPainting('ill_1')).toMatchObject({ state: 'waiting' });
  });
});
