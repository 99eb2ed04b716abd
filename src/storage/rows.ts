/** Rows of one table, chosen by the values of their columns: the statements that need no builder of their own. */
import type {
  Expression,
  ExpressionBuilder,
  Insertable,
  Kysely,
  Selectable,
  SqlBool,
  Updateable,
} from 'kysely';
import type { DatabaseOrTransaction } from './database.ts';
import type { Schema } from './schema.ts';

type Table = keyof Schema;
type Row<T extends Table> = Selectable<Schema[T]>;
/** Values of columns, or any other condition. A row is chosen if it fulfills all conditions. */
type Where<T extends Table> =
  | { readonly [Column in keyof Row<T>]?: Row<T>[Column] }
  | ((row: ExpressionBuilder<Schema, T>) => Expression<SqlBool>);

// biome-ignore lint/suspicious/noExplicitAny: Kysely's types do not follow a table that is a parameter.
type AnySchema = Record<string, any>;
const open = (rows: DatabaseOrTransaction) => rows as unknown as Kysely<AnySchema>;

/** A value that is missing at run time would choose every row. */
function withValues<T extends object>(columns: T): T {
  for (const [name, value] of Object.entries(columns))
    if (value === undefined) throw new TypeError(`No value for the column ${name}.`);
  return columns;
}

const fits =
  <T extends Table>(where: readonly Where<T>[]) =>
  (row: ExpressionBuilder<AnySchema, string>) => {
    const typed = row as unknown as ExpressionBuilder<Schema, T>;
    return row.and(
      where.map((one) => (typeof one === 'function' ? one(typed) : row.and({ ...withValues(one) }))),
    );
  };

const choose = <T extends Table>(rows: DatabaseOrTransaction, table: string, where: readonly Where<T>[]) =>
  open(rows).selectFrom(table).where(fits(where));

export async function findRow<T extends Table>(
  rows: DatabaseOrTransaction,
  table: T,
  ...where: readonly Where<T>[]
): Promise<Row<T> | undefined> {
  return (await choose(rows, table, where).selectAll().executeTakeFirst()) as Row<T> | undefined;
}

export async function hasRow<T extends Table>(
  rows: DatabaseOrTransaction,
  table: T,
  ...where: readonly Where<T>[]
): Promise<boolean> {
  const found = choose(rows, table, where).select(({ lit }) => lit(1).as('found'));
  return (await found.limit(1).executeTakeFirst()) !== undefined;
}

export async function countRows<T extends Table>(
  rows: DatabaseOrTransaction,
  table: T,
  ...where: readonly Where<T>[]
): Promise<number> {
  const counted = choose(rows, table, where).select(({ fn }) => fn.countAll().as('count'));
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

/** Values of the column `id`. */
export async function listIds<T extends Table>(
  rows: DatabaseOrTransaction,
  table: T,
  ...where: readonly Where<T>[]
): Promise<string[]> {
  return (await choose(rows, table, where).select('id').execute()).map(({ id }) => id);
}

export async function insertRow<T extends Table>(
  rows: DatabaseOrTransaction,
  table: T,
  values: Insertable<Schema[T]>,
): Promise<void> {
  await open(rows)
    .insertInto(table as string)
    .values(values)
    .execute();
}

/** Returns the number of rows that were chosen. */
export async function updateRows<T extends Table>(
  rows: DatabaseOrTransaction,
  table: T,
  values: Updateable<Schema[T]>,
  ...where: readonly Where<T>[]
): Promise<number> {
  const update = open(rows)
    .updateTable(table as string)
    .set({ ...values })
    .where(fits(where));
  return Number((await update.executeTakeFirstOrThrow()).numUpdatedRows);
}

/** Returns the number of rows that were chosen. */
export async function deleteRows<T extends Table>(
  rows: DatabaseOrTransaction,
  table: T,
  ...where: readonly Where<T>[]
): Promise<number> {
  const deletion = open(rows)
    .deleteFrom(table as string)
    .where(fits(where));
  return Number((await deletion.executeTakeFirstOrThrow()).numDeletedRows);
}
