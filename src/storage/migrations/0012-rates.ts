/** Token buckets of rate limits for several processes. Unlogged, because they refill in seconds. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  const kept = database.getExecutor().adapter instanceof PostgresAdapter ? sql`unlogged` : sql``;
  await sql`create ${kept} table rates (
    caller text primary key,
    tokens double precision not null,
    allowed integer not null,
    updated_at bigint not null
  )`.execute(database);
}
