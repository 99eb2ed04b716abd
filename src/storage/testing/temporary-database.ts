/** For tests: a migrated database in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../database.ts';

export interface TemporaryDatabase {
  readonly database: Database;
  readonly dataDir: string;
  /** Closes the database and erases the folder. */
  close(): Promise<void>;
}

export async function openTemporaryDatabase(): Promise<TemporaryDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-unit-'));
  const database = await openDatabase(dataDir);
  return {
    database,
    dataDir,
    async close() {
      await database.destroy();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
