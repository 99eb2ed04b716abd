import { cp, type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
  it('commits to a write-ahead log without syncing it, and checks foreign keys', async () => {
    const read = async (name: string) =>
      Object.values((await sql.raw(`pragma ${name}`).execute(opened.database)).rows[0] as object)[0];
    expect(await read('journal_mode')).toBe('wal');
    // 1 stands for NORMAL: https://sqlite.org/pragma.html#pragma_synchronous
    expect(await read('synchronous')).toBe(1);
    expect(await read('foreign_keys')).toBe(1);
  });

  it('resolves a write once its log is synced, serves reads meanwhile, and shares a sync between waiting writes', async () => {
    const file = await open(join(opened.dataDir, 'packshot.db'));
    const handles = Object.getPrototypeOf(file) as FileHandle;
    await file.close();
    const disk = Promise.withResolvers<void>();
    const datasync = vi.spyOn(handles, 'datasync').mockImplementation(() => disk.promise);
    const written: string[] = [];
    const write = async (id: string) => {
      await opened.database.insertInto('accounts').values(account(id)).execute();
      written.push(id);
    };
    const writing = ['acc_1', 'acc_2', 'acc_3'].map(write);
    const read = await opened.database.selectFrom('accounts').select('id').execute();
    expect(read).toHaveLength(3);
    expect(written).toEqual([]);
    disk.resolve();
    await Promise.all(writing);
    expect(written).toEqual(['acc_1', 'acc_2', 'acc_3']);
    expect(datasync).toHaveBeenCalledTimes(2);
    datasync.mockRestore();
  });

  it('throws storage_unavailable if the log cannot be synced, and recovers', async () => {
    const file = await open(join(opened.dataDir, 'packshot.db'));
    const handles = Object.getPrototypeOf(file) as FileHandle;
    await file.close();
    const broken = Object.assign(new Error('the disk is gone'), { code: 'EIO' });
    const datasync = vi.spyOn(handles, 'datasync').mockRejectedValueOnce(broken);
    const write = (id: string) => opened.database.insertInto('accounts').values(account(id)).execute();
    await expect(write('acc_1')).rejects.toMatchObject({ code: 'storage_unavailable' });
    await write('acc_2');
    datasync.mockRestore();
  });

  it('blocks other writers between the reads and the writes of a transaction', async () => {
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

  it('throws storage_full when no page is left, and recovers once there is room', async () => {
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

  it('throws storage_full from inside a transaction, which is then rolled back', async () => {
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

  it('throws storage_unavailable without write permission, and still reads', async () => {
    await sql`pragma query_only = on`.execute(opened.database);
    await expect(
      opened.database.insertInto('accounts').values(account('acc_1')).execute(),
    ).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await pingDatabase(opened.database)).toBe(true);
  });

  it('does not change errors that are no storage faults', async () => {
    await opened.database.insertInto('accounts').values(account('acc_1')).execute();
    await expect(
      opened.database.insertInto('accounts').values(account('acc_1')).execute(),
    ).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  });

  it('throws storage_unavailable for a file that is not an SQLite database', async () => {
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

  it('reopens after it was killed halfway through a migration, and completes the migration', async () => {
    const killed = await mkdtemp(join(tmpdir(), 'packshot-killed-'));
    const addShelves = (database: Kysely<unknown>) => sql`create table shelves (id text)`.execute(database);
    await migrateDatabase(opened.database, {
      ...migrations,
      '9999-shelves': {
        async up(database) {
          await addShelves(database);
          // A copy of the files before the commit has the same content as the files after a kill.
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
