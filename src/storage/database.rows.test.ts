import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectDatabase, openDatabase, pingDatabase } from './database.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/temporary-database.ts';
import { afterCommit, transact } from './transact.ts';

let opened: TemporaryDatabase;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
});
afterEach(() => opened.close());

const account = (id: string) => ({ id, name: 'a', created_at: 0 });

describe('the database', () => {
  it('is migrated once, and reopens with its rows', async () => {
    await opened.database.insertInto('accounts').values(account('acc_1')).execute();
    const again = await openDatabase(opened.config);
    expect(await again.database.selectFrom('accounts').select('id').execute()).toEqual([{ id: 'acc_1' }]);
    await again.close();
  });

  it('returns milliseconds, counts and sums as numbers', async () => {
    const at = Date.UTC(2026, 0, 1);
    await opened.database
      .insertInto('accounts')
      .values({ ...account('acc_1'), created_at: at })
      .execute();
    const row = await opened.database
      .selectFrom('accounts')
      .select(({ fn }) => [
        fn.max('created_at').as('newest'),
        fn.sum<number>('created_at').as('sum'),
        fn.countAll<number>().as('count'),
      ])
      .executeTakeFirst();
    expect(row).toEqual({ newest: at, sum: at, count: 1 });
  });

  it('stores dollar amounts exactly to the last digit', async () => {
    const call = { id: 'cal_1', key_id: 'key', engine: 'e', cost_usd: 0.1234567890123, created_at: 0 };
    await opened.database.insertInto('engine_calls').values(call).execute();
    expect(await opened.database.selectFrom('engine_calls').selectAll().execute()).toEqual([call]);
  });

  it('rolls back a failed transaction completely', async () => {
    const failing = transact(opened.database, async (transaction) => {
      await transaction.insertInto('accounts').values(account('acc_1')).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await opened.database.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });

  it('runs commit hooks once after a commit, and never after a rollback', async () => {
    const told: string[] = [];
    const isThere = async () =>
      (await opened.database.selectFrom('accounts').select('id').execute()).map(({ id }) => id);
    await transact(opened.database, async (transaction) => {
      await transaction.insertInto('accounts').values(account('acc_1')).execute();
      afterCommit(transaction, () => told.push('committed'));
      expect(told).toEqual([]);
    });
    expect(told).toEqual(['committed']);
    expect(await isThere()).toEqual(['acc_1']);
    const failing = transact(opened.database, async (transaction) => {
      afterCommit(transaction, () => told.push('failed'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(told).toEqual(['committed']);
    afterCommit(opened.database, () => told.push('at once'));
    expect(told).toEqual(['committed', 'at once']);
  });

  it('loses no update in concurrent read-modify-write transactions', async () => {
    await opened.database.insertInto('accounts').values(account('acc_1')).execute();
    const addOne = () =>
      transact(opened.database, async (transaction) => {
        const { created_at: count } = await transaction
          .selectFrom('accounts')
          .select('created_at')
          .executeTakeFirstOrThrow();
        await transaction
          .updateTable('accounts')
          .set({ created_at: count + 1 })
          .execute();
      });
    await Promise.all(Array.from({ length: 20 }, addOne));
    expect(await opened.database.selectFrom('accounts').select('created_at').execute()).toEqual([
      { created_at: 20 },
    ]);
  });

  it('is reported sound by an inspection', async () => {
    expect(await inspectDatabase(opened.config)).toEqual({ pendingMigrations: [], damage: [] });
  });

  it('is not ready once it is closed', async () => {
    const other = await openDatabase(opened.config);
    await other.close();
    expect(await pingDatabase(other.database)).toBe(false);
  });
});
