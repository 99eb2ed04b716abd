import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { migrateDatabase, migrations } from './migrate.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/temporary-database.ts';

let opened: TemporaryDatabase;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
});
afterEach(async () => {
  // What these tests make is no part of the schema, and such a database is not used again.
  await sql`drop table accounts`.execute(opened.database).catch(() => undefined);
  await opened.close();
});

const addShelves = (database: Kysely<unknown>) => sql`create table shelves (id text)`.execute(database);
const labelKeys = (database: Kysely<unknown>) =>
  sql`alter table api_keys add column label text`.execute(database);

/** Of two statements, with whatever happens between them. */
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
  it('that fails halfway leaves nothing, and is made whole at the next start', async () => {
    const broken = shelvesAndLabels(async () => {
      throw new Error('halfway');
    });
    await expect(migrateDatabase(opened.database, broken)).rejects.toThrow('halfway');
    await expect(sql`select id from shelves`.execute(opened.database)).rejects.toThrow(
      /no such table|does not exist/,
    );
    await expectMigrated(opened.database);
  });

  it('is made once', async () => {
    await expectMigrated(opened.database);
    await expectMigrated(opened.database);
  });

  it('of a newer release is left alone by an older one, which goes on and says its name', async () => {
    await migrateDatabase(opened.database, sound);
    const heard: unknown[] = [];
    const older = await openDatabase(opened.config, { onError: (error) => heard.push(error) });
    await older.database.insertInto('accounts').values({ id: 'acc_1', name: 'a', created_at: 0 }).execute();
    await older.close();
    expect(heard).toEqual([
      expect.objectContaining({ message: expect.stringContaining('9999-shelves-and-labels') }),
    ]);
  });

  it('is refused where a newer one was made before it', async () => {
    await migrateDatabase(opened.database, sound);
    const inserted = {
      ...migrations,
      '9998-too-late': sound['9999-shelves-and-labels']!,
    };
    await expect(migrateDatabase(opened.database, inserted)).rejects.toThrow('9998-too-late');
  });
});
