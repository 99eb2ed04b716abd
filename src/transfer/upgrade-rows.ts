/** Migrates the rows of an archive from an older release, in the same way as a database of that release. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Migration } from 'kysely/migration';
import { guard } from '../storage/files.ts';
import { isPrerelease, migrateDatabase, migrations } from '../storage/migrate.ts';
import { openSqlite } from '../storage/sqlite.ts';
import { isOfToday, type Manifest, rowsFile } from './archive.ts';
import { removeFolder } from './copy-blobs.ts';
import { insertRows } from './insert-rows.ts';
import { readLines, writeLines } from './line-files.ts';
import { type Row, readRows } from './live-rows.ts';
import { travellingNames } from './travelling-tables.ts';

/** Calls `work` with a folder of migrated rows. Its files lie within the archive, which only the owner may read. */
export async function withUpgradedRows<T>(
  folder: string,
  manifest: Manifest,
  work: (rowsFolder: string) => Promise<T>,
): Promise<T> {
  if (isOfToday(manifest)) return work(folder);
  const temporary = join(folder, 'upgrade');
  try {
    // Delete what an interrupted run may have left.
    await removeFolder(temporary);
    await upgrade(folder, manifest, temporary);
    return await work(temporary);
  } finally {
    await removeFolder(temporary);
  }
}

async function upgrade(folder: string, { shape, files }: Manifest, temporary: string): Promise<void> {
  const database = openSqlite(temporary);
  try {
    await migrateDatabase(database, listMigrationsOf(shape));
    await database.transaction().execute(async (transaction) => {
      for (const table of travellingNames.filter((name) => files[rowsFile(name)] !== undefined)) {
        for await (const page of readLines<Row>(join(folder, rowsFile(table))))
          await insertRows(transaction, table, page);
      }
    });
    await migrateDatabase(database);
    await guard(() => mkdir(join(temporary, 'rows'), { mode: 0o700 }));
    for (const table of travellingNames)
      await writeLines(join(temporary, rowsFile(table)), readRows(database, table));
  } finally {
    await database.destroy();
  }
}

/** The migrations that create the tables that the archive's rows fit. */
function listMigrationsOf(shape: readonly string[]): Record<string, Migration> {
  // Exports from before the first release have all columns of `0001-schema`, except some that are nullable or
  // have a default.
  const names = isPrerelease(shape) ? ['0001-schema'] : shape;
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
}
