import { sql } from 'kysely';
import { randomBase62 } from '../ids.ts';
import type { DatabaseOrTransaction } from '../storage/database.ts';
import type { Row } from './live-rows.ts';
import type { TravellingName } from './travelling-tables.ts';

/** Keeps existing rows. Returns the number of rows inserted. All `rows` must have the same columns. */
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

/** Removes NUL from text such as a file name: SQLite accepts NUL, and PostgreSQL does not. */
const toValue = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '') : (value ?? null);

/** The longest lifetime of a URI that the secret may have signed: the URI of a caller's own backdrop. */
const verifiesForMs = 10 * 365 * 86_400_000;

/** If a secret of the same name exists here, it keeps signing, and the imported secret only verifies. */
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
    verifies_until: clock() + verifiesForMs,
  }));
  return added + (await insertRows(transaction, 'secrets', retired));
}
