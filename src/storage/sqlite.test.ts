import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, pingDatabase } from './database.ts';
import { migrateDatabase, migrations } from './migrate.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/temporary-database.ts';

let opened: TemporaryDatabase;
beforeEach(async () => {
  opened = await openTemporaryDatabase('sqlite');
});
afterEach(() => opened.close());

const account = (id: string, name = 'a') => ({ id, name, created_at: 0 });

describe('SQLite', () => {
  it('syncs every commit to disk and checks references', async () => {
    const read = async (name: string) =>
      Object.values((await sql.raw(`pragma ${name}`).execute(opened.database)).rows[0] as object)[0];
    expect(await read('journal_mode')).toBe('wal');
    // 2 is FULL: https://sqlite.org/pragma.html#pragma_synchronous
    expect(await read('synchronous')).toBe(2);
    expect(await read('foreign_keys')).toBe(1);
  });

  it('lets nobody write between what a transaction reads and what it writes', async () => {
    const { database: other, close } = await openDatabase(opened.config);
    await sql`pragma busy_timeout = 0`.execute(other);
    await opened.database.transaction().execute(async (transaction) => {
      await transaction.selectFrom('accounts').selectAll().execute();
      await expect(other.insertInto('accounts').values(account('acc_2')).execute()).rejects.toThrow();
      await transaction.insertInto('accounts').values(account('acc_1')).execute();
    });
    await other.insertInto('accounts').values(account('acc_2')).execute();
    await close();
  });

  it('says storage_full when no page is left, and goes on where there is room again', async () => {
    await sql`pragma max_page_count = 1`.execute(opened.database);
    const write = (id: string) =>
      opened.database
        .insertInto('accounts')
        .values(account(id, 'x'.repeat(100_000)))
        .execute();
    await expect(write('acc_1')).rejects.toMatchObject({ code: 'storage_full' });
    await sql`pragma max_page_count = 100000`.execute(opened.database);
    await write('acc_2');
  });

  it('says storage_full from within a transaction, which then leaves nothing', async () => {
    const writing = opened.database.transaction().execute(async (transaction) => {
      await transaction.insertInto('accounts').values(account('acc_1')).execute();
      await sql`pragma max_page_count = 1`.execute(transaction);
      await transaction
        .insertInto('accounts')
        .values(account('acc_2', 'x'.repeat(100_000)))
        .execute();
    });
    await expect(writing).rejects.toMatchObject({ code: 'storage_full' });
    expect(await opened.database.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });

  it('says storage_unavailable where it may not write, and still reads', async () => {
    await sql`pragma query_only = on`.execute(opened.database);
    await expect(
      opened.database.insertInto('accounts').values(account('acc_1')).execute(),
    ).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await pingDatabase(opened.database)).toBe(true);
  });

  it('leaves errors that are nobody’s storage as they are', async () => {
    await opened.database.insertInto('accounts').values(account('acc_1')).execute();
    await expect(
      opened.database.insertInto('accounts').values(account('acc_1')).execute(),
    ).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  });

  it('says storage_unavailable for a file that is none of its own', async () => {
    await writeFile(join(opened.dataDir, 'service.lock'), '');
    const folder = join(opened.dataDir, 'service.lock');
    await expect(openDatabase({ kind: 'sqlite', dataDir: folder })).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    const torn = await openTemporaryDatabase('sqlite');
    await torn.database.destroy();
    await writeFile(join(torn.dataDir, 'packshot.db'), 'this is no database, and never was one'.repeat(300));
    await expect(openDatabase(torn.config)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await torn.close();
  });

  it('that is killed halfway through a migration opens again, and is migrated then', async () => {
    const killed = await mkdtemp(join(tmpdir(), 'packshot-killed-'));
    const addShelves = (database: Kysely<unknown>) => sql`create table shelves (id text)`.execute(database);
    await migrateDatabase(opened.database, {
      ...migrations,
      '9999-shelves': {
        async up(database) {
          await addShelves(database);
          // What a kill before the commit leaves are the files as they lie there then.
          await cp(opened.dataDir, killed, { recursive: true });
        },
      },
    });
    const again = await openDatabase({ kind: 'sqlite', dataDir: killed });
    await migrateDatabase(again.database, {
      ...migrations,
      '9999-shelves': { up: async (database) => void (await addShelves(database)) },
    });
    expect((await sql`select id from shelves`.execute(again.database)).rows).toEqual([]);
    await again.close();
    await rm(killed, { recursive: true, force: true });
  });
});
