/** The schema of the first release. */
import { readFile } from 'node:fs/promises';
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  const tables = await readFile(new URL('./0001-schema.sql', import.meta.url), 'utf8');
  for (const statement of tables.trim().split(';\n')) await sql.raw(statement).execute(database);
  // Unlogged: a crash of PostgreSQL empties the table. That does no harm, because token buckets refill within seconds.
  const kind = database.getExecutor().adapter instanceof PostgresAdapter ? sql`unlogged` : sql``;
  await sql`create ${kind} table rates (
    caller text primary key,
    tokens double precision not null,
    allowed integer not null,
    updated_at bigint not null
  )`.execute(database);
}
