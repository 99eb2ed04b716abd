import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { createUsageStore } from './usage-store.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 10, 12);
let opened: TemporaryDatabase;
let now: number;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = start;
});
afterEach(() => opened.close());

it('usage counts the engine costs of each day exactly once, even after the rows of single calls were swept', async () => {
  const usage = createUsageStore(opened.database, () => now);
  const call = { key_id: 'key_a', engine: 'fake', cost_usd: 0.25 };
  for (const [id, daysLater] of [
    ['cal_1', 0],
    ['cal_2', 0],
    ['cal_3', 1],
    ['cal_4', 20],
  ] as const)
    await opened.database
      .insertInto('engine_calls')
      .values({ ...call, id, created_at: start + daysLater * dayMs })
      .execute();
  await usage.noteUpload('key_a');
  const before = await usage.listUsage('2026-01-01', '2026-03-01');
  now = start + 40 * dayMs;
  await usage.sweepEngineCalls();
  await usage.sweepEngineCalls();
  expect(await usage.listUsage('2026-01-01', '2026-03-01')).toEqual(before);
  expect(before[0]).toMatchObject({ day: '2026-01-10', uploads: 1, engine_calls: 2, engine_cost_usd: 0.5 });
  expect(await opened.database.selectFrom('engine_calls').select('id').execute()).toEqual([{ id: 'cal_4' }]);
});
