import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { transact } from '../storage/transact.ts';
import { createBatchStore } from './batch-store.ts';

let opened: TemporaryDatabase;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
});
afterEach(() => opened.close());

it('a batch whose last items end at the same time is completed once, with one event', async () => {
  const { database } = opened;
  const batches = createBatchStore(database, {
    clock: () => 0,
    retentionMs: null,
    listener: {
      onItem: async () => undefined,
      async onCompleted({ accountId }, counts, transaction) {
        const payload = JSON.stringify(counts);
        await transaction
          .insertInto('events')
          .values({ id: 'msg_1', account_id: accountId, type: 'batch.completed', payload, created_at: 0 })
          .execute();
      },
    },
  });
  const recipe = { recipeId: 'Solid1_1_0035', variant: '1:1', format: 'jpeg' } as const;
  const items = Array.from({ length: 8 }, (_, n) => ({
    fileName: `${n}.jpeg`,
    recipe,
    designId: `dsg_${n}`,
  }));
  const about = { id: 'bat_1', accountId: 'acc_1', keyId: 'key_1', sandbox: false, events: [] };
  await transact(database, (transaction) => batches.insertBatch(about, items, transaction));
  await batches.noteBegun('bat_1');
  const open = await Promise.all(items.map((_, position) => batches.findOpenItem('bat_1', position)));
  const failure = { code: 'internal', detail: 'no' } as const;
  const settled = await Promise.all(
    // Settle each item twice: the second call finds the item already settled.
    [...open, ...open].map((item) => batches.settleItem(item!, { state: 'failed', failure })),
  );
  expect(settled.filter(Boolean)).toHaveLength(items.length);
  expect(await batches.resolveBatch('bat_1', 'acc_1')).toMatchObject({ state: 'completed' });
  const told = await database.selectFrom('events').select('payload').execute();
  expect(told.map(({ payload }) => JSON.parse(payload))).toMatchObject([{ total: 8, failed: 8, waiting: 0 }]);
});
