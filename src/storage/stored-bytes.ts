/**
 * Bytes stored per account. Each row that owns blobs has a counter as a column, so the counter is exported, expires and
 * is deleted together with the row.
 *
 * An upload writes its size in the transaction that inserts its row. The sizes of later puts (cutouts, scenes, results)
 * are added up in memory and written each second. If a process is killed, the last second is lost, and if a blob is
 * replaced or evicted, nothing is subtracted. The hourly sweep lists all blobs anyway, and corrects the counters.
 */
import { sql } from 'kysely';
import type { BlobStore } from './blob-store.ts';
import type { Database } from './database.ts';
import { updateRows } from './rows.ts';

/** Tables whose rows own blobs; a blob's key begins with the name of the table. */
const owners = ['designs', 'backdrops', 'batches'] as const;
type OwnerTable = (typeof owners)[number];

const flushEveryMs = 1_000;
/** Maximum milliseconds between an owner's first blob and the insertion of its row. */
const rowWithinMs = 300_000;

export type StoredBytes = ReturnType<typeof createStoredBytes>;

export function createStoredBytes(database: Database, onError: (error: unknown) => void) {
  /** The keys are the owners' prefixes, such as `designs/dsg_…`. */
  const pending = new Map<string, { readonly bytes: number; readonly since: number }>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function add(owner: string, bytes: number, since = performance.now()): void {
    if (!isOwner(owner)) return;
    const earlier = pending.get(owner);
    pending.set(owner, { bytes: bytes + (earlier?.bytes ?? 0), since: earlier?.since ?? since });
    if (!closed) timer ??= setTimeout(() => void flush().catch(onError), flushEveryMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const written = [...pending];
    pending.clear();
    for (const [owner, { bytes, since }] of written) {
      const { table, id } = split(owner);
      const { numUpdatedRows } = await database
        .updateTable(table)
        .set({ stored_bytes: sql<number>`stored_bytes + ${bytes}` })
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      // Photos of a batch are stored before its row, so try again later. A deleted owner never gets a row, so give up
      // after `rowWithinMs`.
      if (numUpdatedRows === 0n && performance.now() - since < rowWithinMs) add(owner, bytes, since);
    }
  }

  async function sum(accountId?: string): Promise<number> {
    const sums = owners.map(async (table) => {
      const { bytes } = await database
        .selectFrom(table)
        .select(({ fn }) => fn.sum<number | null>('stored_bytes').as('bytes'))
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
        .executeTakeFirstOrThrow();
      return Number(bytes ?? 0);
    });
    return (await Promise.all([...sums, ...sumRows(database, accountId)])).reduce(
      (all, bytes) => all + bytes,
      0,
    );
  }

  return {
    add: (owner: string, bytes: number): void => add(owner, bytes),
    flush,
    sumOf: (accountId: string): Promise<number> => sum(accountId),
    sumAll: (): Promise<number> => sum(),

    /** Writes the pending counts and stops the timer. */
    async close(): Promise<void> {
      closed = true;
      await flush();
    },

    /** The given store; puts through this object are counted, except uploads, whose rows already count them. */
    watch: (blobs: BlobStore): BlobStore => ({
      ...blobs,
      async put(key, bytes) {
        await blobs.put(key, bytes);
        if (!isUpload(key)) add(ownerOf(key), bytes.byteLength);
      },
    }),
  };
}

/** Writes into each owner's row how many bytes a sweep has counted for it; `counted` has the owners' IDs as keys. */
export async function correctStoredBytes(
  database: Database,
  prefix: string,
  counted: ReadonlyMap<string, number>,
): Promise<void> {
  const table = owners.find((owner) => owner === prefix);
  if (!table) return;
  const briefs = table === 'designs' ? await sumIllustrationRows(database) : undefined;
  const rows = await database.selectFrom(table).select(['id', 'stored_bytes']).execute();
  for (const { id, stored_bytes: noted } of rows) {
    const bytes = counted.get(id);
    // The owner was created after the listing of the blobs.
    if (bytes === undefined) continue;
    const right = bytes + (briefs?.get(id) ?? 0);
    if (Number(noted) === right) continue;
    await updateRows(database, table, { stored_bytes: right }, { id });
  }
}

/** Bytes counted for the row of an illustration: one per character of its plan and its brief. */
export const illustrationRowBytes = sql<number>`length(plan) + coalesce(length(brief), 0)`;

/** Bytes of rows that belong to no owner of blobs: looks, and stored answers of repeated calls. */
function sumRows(database: Database, accountId: string | undefined): Promise<number>[] {
  const looks = database
    .selectFrom('looks')
    .select(sql<number | null>`sum(length(content))`.as('bytes'))
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!));
  const answers = database
    .selectFrom('idempotent_answers')
    .select(sql<number | null>`sum(length(answer))`.as('bytes'))
    .$if(accountId !== undefined, (query) =>
      query.where('key_id', 'in', (keys) =>
        keys.selectFrom('api_keys').select('id').where('account_id', '=', accountId!),
      ),
    );
  return [looks, answers].map(async (query) => Number((await query.executeTakeFirstOrThrow()).bytes ?? 0));
}

async function sumIllustrationRows(database: Database): Promise<Map<string, number>> {
  const rows = await database
    .selectFrom('illustrations')
    .select(['design_id', sql<number>`sum(${illustrationRowBytes})`.as('bytes')])
    .groupBy('design_id')
    .execute();
  return new Map(rows.map(({ design_id, bytes }) => [design_id, Number(bytes)]));
}

const ownerOf = (key: string): string => key.split('/', 2).join('/');
const isUpload = (key: string): boolean => key.endsWith('/source');
const isOwner = (owner: string): boolean => owners.some((table) => owner.startsWith(`${table}/`));

function split(owner: string): { readonly table: OwnerTable; readonly id: string } {
  const [table, id] = owner.split('/') as [OwnerTable, string];
  return { table, id };
}
