/** Secrets of the service's own making, such as the one that signs URIs. */
import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/** The secret of this name, made at its first use. 256 random bits, hex. */
export async function ensureSecret(database: Database, name: string, clock: () => number): Promise<string> {
  await database
    .insertInto('secrets')
    .values({ name, value: randomBytes(32).toString('hex'), created_at: clock() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await database
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return row.value;
}
