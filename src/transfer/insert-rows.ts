/** Writes rows that came from elsewhere. */
import { sql } from 'kysely';
import { randomBase62 } from '../ids.ts';
import type { DatabaseOrTransaction } from '../storage/database.ts';
import type { Row } from './live-rows.ts';
import type { TravellingName } from './travelling-tables.ts';

/** What is there already stays as it is. Answers how many were not. The rows of a page have the same columns. */
export async function insertRows(
  transaction: DatabaseOrTransaction,
  table: TravellingName,
  rows: readonly Row[],
): Promise<number> {
  const [first] = rows;
  if (!first) return 0;
  const columns = Object.keys(first);
  const values = rows.map((row) => sql`(${sql.join(columns.map((name) => toValue(row[name])))})`);
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    values ${sql.join(values)} on conflict do nothing
  `.execute(transaction);
  return Number(numAffectedRows);
}

/** SQLite keeps a NUL in a text, such as a file's name, and PostgreSQL takes none. */
const toValue = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '') : (value ?? null);

/** As long as the longest life of a URI that may have been signed with it: that of a caller's own backdrop. */
const believedMs = 10 * 365 * 86_400_000;

/** Where a secret of the same name is here, that one goes on signing, and the one that comes is believed beside it. */
export async function insertSecrets(
  transaction: DatabaseOrTransaction,
  rows: readonly Row[],
  clock: () => number,
): Promise<number> {
  const added = await insertRows(transaction, 'secrets', rows);
  const here = await transaction.selectFrom('secrets').select('value').execute();
  const lost = rows.filter(({ value }) => !here.some((row) => row.value === value));
  const retired = lost.map((row) => ({
    ...row,
    name: `${row.name}/old_${randomBase62(22)}`,
    verifies_until: clock() + believedMs,
  }));
  return added + (await insertRows(transaction, 'secrets', retired));
}
