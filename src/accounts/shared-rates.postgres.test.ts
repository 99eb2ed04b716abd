import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { createSharedRates } from './shared-rates.ts';

let opened: TemporaryDatabase;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
});
afterEach(() => opened.close());

// Buckets refill so slowly that they gain no token during a test.
const hourly = 1 / 3_600;

describe('rate limits shared by several processes', () => {
  it("use the service's rate for each caller, whichever process a call reaches", async () => {
    const processes = [1, 2].map(() => createSharedRates(opened.database, { perSecond: hourly, burst: 3 }));
    const states = [];
    for (let i = 0; i < 4; i++) states.push(await processes[i % 2]!.take('a'));
    expect(states.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
    expect(await processes[0]!.take('b')).toMatchObject({ limit: 3, remaining: 2 });
  });

  it("use a key's own rate, if it has one, from the first call after the rate was set", async () => {
    const rates = createSharedRates(opened.database, { perSecond: hourly, burst: 20 });
    const own = { perSecond: hourly, burst: 2 };
    expect(await rates.take('a', own)).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
    expect(await rates.take('a', own)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await rates.take('a', own)).toMatchObject({ allowed: false });
    expect(await rates.take('b')).toMatchObject({ limit: 20, remaining: 19 });
    expect(await rates.take('b', own)).toMatchObject({ limit: 2, remaining: 1 });
  });
});
