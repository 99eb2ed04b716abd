import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { listPendingMigrations, migrateDatabase, migrations } from './migrate.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/temporary-database.ts';

let opened: TemporaryDatabase;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
});
afterEach(async () => {
  // These tests change the schema, so no other test may reuse the database. On PostgreSQL, `close` keeps it for reuse
  // unless it has been destroyed.
  await opened.database.destroy();
  await opened.close();
});

const addShelves = (database: Kysely<unknown>) => sql`create table shelves (id text)`.execute(database);
const labelKeys = (database: Kysely<unknown>) =>
  sql`alter table api_keys add column label text`.execute(database);

/** A migration of two statements, and a callback that runs between them. */
const shelvesAndLabels = (between: () => Promise<void>): Record<string, Migration> => ({
  ...migrations,
  '9999-shelves-and-labels': {
    async up(database) {
      await addShelves(database);
      await between();
      await labelKeys(database);
    },
  },
});
const sound = shelvesAndLabels(async () => undefined);

async function expectMigrated(database: Database): Promise<void> {
  await migrateDatabase(database, sound);
  await sql`select id from shelves`.execute(database);
  await sql`select label from api_keys`.execute(database);
}

describe('a migration', () => {
  it('that fails halfway leaves nothing behind, and completes at the next start', async () => {
    const broken = shelvesAndLabels(async () => {
      throw new Error('halfway');
    });
    await expect(migrateDatabase(opened.database, broken)).rejects.toThrow('halfway');
    await expect(sql`select id from shelves`.execute(opened.database)).rejects.toThrow(
      /no such table|does not exist/,
    );
    await expectMigrated(opened.database);
  });

  it('runs only once', async () => {
    await expectMigrated(opened.database);
    await expectMigrated(opened.database);
  });

  it('of a newer release does not stop an older release, which keeps it and reports its name', async () => {
    await migrateDatabase(opened.database, sound);
    const heard: unknown[] = [];
    const older = await openDatabase(opened.config, { onError: (error) => heard.push(error) });
    await older.database.insertInto('accounts').values({ id: 'acc_1', name: 'a', created_at: 0 }).execute();
    await older.close();
    expect(heard).toEqual([
      expect.objectContaining({ message: expect.stringContaining('9999-shelves-and-labels') }),
    ]);
  });

  it('never changes a database from before the first release; the error says how to move the data', async () => {
    const [release] = Object.keys(migrations);
    await sql`update kysely_migration set name = '0001-initial' where name = ${release}`.execute(
      opened.database,
    );
    for (const work of [migrateDatabase, listPendingMigrations])
      await expect(work(opened.database)).rejects.toThrow('packshot export FOLDER');
    const { rows } = await sql`select name from kysely_migration`.execute(opened.database);
    expect(rows).toContainEqual({ name: '0001-initial' });
    expect(rows).not.toContainEqual({ name: release });
  });

  it('is refused if a later migration has already been applied', async () => {
    await migrateDatabase(opened.database, sound);
    const inserted = { ...migrations, '9998-too-late': sound['9999-shelves-and-labels']! };
    await expect(migrateDatabase(opened.database, inserted)).rejects.toThrow('9998-too-late');
  });
});
