/** The rows and jobs of a service, read from one snapshot. */
import { sql } from 'kysely';
import { PackshotError } from 'packshot-errors';
import { rankOf } from '../jobs/fair-turns.ts';
import type { Database } from '../storage/database.ts';
import { listExecuted, migrations } from '../storage/migrate.ts';
import { pageRows } from './line-files.ts';
import { type TravellingName, travellingTables } from './travelling-tables.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Yields the rows in pages, sorted by primary key in the database's own sort order. */
export async function* readRows(snapshot: Database, table: TravellingName): AsyncGenerator<readonly Row[]> {
  const { key, only = sql<boolean>`1 = 1` } = travellingTables[table];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let after: Row | undefined;
  for (;;) {
    const rest = after ? sql`(${columns}) > (${sql.join(key.map((column) => after![column]))})` : sql`1 = 1`;
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${only} and ${rest} order by ${columns} limit ${sql.lit(pageRows)}
    `.execute(snapshot);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1);
  }
}

/** Names of the applied migrations. Throws `invalid_field` if any is from a newer release. */
export async function readShape(database: Database): Promise<string[]> {
  const shape = await listExecuted(database);
  if (shape.every((name) => name in migrations)) return shape;
  throw new PackshotError('invalid_field', 'A newer release has migrated this database; use that release.');
}

/** Identifies a service by its first account, which is never deleted. */
export async function resolveServiceName(snapshot: Database): Promise<string> {
  const row = await snapshot
    .selectFrom('accounts')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!row)
    throw new PackshotError('invalid_field', 'There is nothing to export: these stores have no account yet.');
  return row.id;
}

/** Returns those of `ids` that have no row. */
export async function listUnknown(
  snapshot: Database,
  table: TravellingName,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id in (${sql.join(ids)})
  `.execute(snapshot);
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

export interface WaitingJob {
  readonly name: string;
  readonly key: string;
  /** Earliest start, in Unix milliseconds. */
  readonly runAt: number;
  readonly rank: number;
  /** Null if the job has no account; missing in archives of releases that did not record accounts. */
  readonly accountId?: string | null;
}

/**
 * Attempt counts are not exported, so the importing service counts from zero. Jobs with an input are not exported,
 * either: they are calls whose callers are waiting at the old service for the result.
 */
export async function* readJobs(snapshot: Database): AsyncGenerator<readonly WaitingJob[]> {
  for (let after = ''; ; ) {
    const rows = await snapshot
      .selectFrom('jobs')
      .select(['id', 'name', 'key', 'run_at', 'rank', 'account_id'])
      .where('id', '>', after)
      .where('input', 'is', null)
      .orderBy('id')
      .limit(pageRows)
      .execute();
    if (rows.length > 0)
      yield rows.map(({ name, key, run_at, rank, account_id: accountId }) => {
        return { name, key, runAt: run_at, rank: rankOf(rank), accountId };
      });
    if (rows.length < pageRows) return;
    after = rows.at(-1)!.id;
  }
}
