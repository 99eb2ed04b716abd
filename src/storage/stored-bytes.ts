/**
 * Bytes stored per account. Each row that owns blobs has a counter, which is moved and deleted, and expires, with the
 * row.
 *
 * An upload writes its size in the transaction that inserts its row. The sizes of later puts (cutouts, plates,
 * results) are added up here and written each second. A killed process loses the last second, and replaced or evicted
 * blobs are not subtracted. The hourly sweep lists all blobs anyway, and corrects the counters.
 */
import { sql } from 'kysely';
import type { BlobStore } from './blob-store.ts';
import type { Database } from './database.ts';

/** Tables whose rows own blobs; the first segment of a blob's key is the table's name. */
const owners = ['designs', 'backdrops', 'batches'] as const;
type OwnerTable = (typeof owners)[number];

const flushEveryMs = 1_000;
/** An owner's row is inserted within this time of its first blob. */
const rowWithinMs = 300_000;

export type StoredBytes = ReturnType<typeof createStoredBytes>;

export function createStoredBytes(database: Database, onError: (error: unknown) => void) {
  /** Keyed by the owner's prefix, such as `designs/dsg_…`. */
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
      // after a while.
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
    return (await Promise.all(sums)).reduce((all, bytes) => all + bytes, 0);
  }

  return {
    add: (owner: string, bytes: number): void => add(owner, bytes),
    flush,
    sumOf: (accountId: string): Promise<number> => sum(accountId),
    sumAll: (): Promise<number> => sum(),

    /** Flushes pending counts and stops the timer. */
    async close(): Promise<void> {
      closed = true;
      await flush();
    },

    /** The given store, with counting of all puts through it, except uploads, which their rows already count. */
    watch: (blobs: BlobStore): BlobStore => ({
      ...blobs,
      async put(key, bytes) {
        await blobs.put(key, bytes);
        if (!isUpload(key)) add(ownerOf(key), bytes.byteLength);
      },
    }),
  };
}

/** Writes the bytes that a sweep counted below the prefix, by owner id. */
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
    // The owner was created after the blobs were listed.
    if (bytes === undefined) continue;
    const right = bytes + (briefs?.get(id) ?? 0);
    if (Number(noted) === right) continue;
    await database.updateTable(table).set({ stored_bytes: right }).where('id', '=', id).execute();
  }
}

/** Bytes of an illustration's row. */
export const illustrationRowBytes = sql<number>`length(plan) + coalesce(length(brief), 0)`;

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
