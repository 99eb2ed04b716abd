import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
afterEach(() => opened.close());

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
    await expect(sql`select id from shelves`.execute(opened.database)).rejects.toThrow('no such table');
    await expectMigrated(opened.database);
  });

  it('that is killed halfway leaves a database that opens, and is made whole then', async () => {
    const killed = await mkdtemp(join(tmpdir(), 'packshot-killed-'));
    // What a kill between two statements leaves are the files as they lie there then.
    const copying = shelvesAndLabels(() => cp(opened.dataDir, killed, { recursive: true }));
    await migrateDatabase(opened.database, copying);
    const again = await openDatabase(killed);
    try {
      await expectMigrated(again);
    } finally {
      await again.destroy();
      await rm(killed, { recursive: true, force: true });
    }
  });

  it('is made once', async () => {
    await expectMigrated(opened.database);
    await expectMigrated(opened.database);
  });
});
