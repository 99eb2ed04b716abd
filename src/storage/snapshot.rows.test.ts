import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { openDatabase } from './database.ts';
import { readSnapshot } from './snapshot.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/temporary-database.ts';

let opened: TemporaryDatabase;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
});
afterEach(() => opened.close());

const insert = (database: Database, id: string) =>
  database.insertInto('accounts').values({ id, name: 'a', created_at: 0 }).execute();
const listIds = async (database: Database) =>
  (await database.selectFrom('accounts').select('id').execute()).map(({ id }) => id);

it('a snapshot stays consistent while another process writes, and does not block the writer', async () => {
  const { database, config } = opened;
  await insert(database, 'acc_1');
  const writer = await openDatabase(config);
  try {
    await readSnapshot({ kind: config.kind, database }, async (snapshot) => {
      expect(await listIds(snapshot)).toEqual(['acc_1']);
      await insert(writer.database, 'acc_2');
      expect(await listIds(snapshot)).toEqual(['acc_1']);
    });
    expect(await listIds(database)).toEqual(['acc_1', 'acc_2']);
  } finally {
    await writer.close();
  }
});

it('a snapshot whose reader fails leaves a usable connection', async () => {
  const { database, config } = opened;
  const failing = readSnapshot({ kind: config.kind, database }, () => Promise.reject(new Error('no more')));
  await expect(failing).rejects.toThrow('no more');
  await database.transaction().execute((transaction) => insert(transaction, 'acc_1'));
  expect(await listIds(database)).toEqual(['acc_1']);
});
