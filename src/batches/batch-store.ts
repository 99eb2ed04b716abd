/** The rows of batches and their items. Only `resolveBatch` checks the account; call it first to serve a caller. */
import { PackshotError } from 'packshot-errors';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { deleteRows, findRow, hasRow, insertRow, listIds, updateRows } from '../storage/rows.ts';
import type { BatchItemRow, BatchRow } from '../storage/schema.ts';
import { transact } from '../storage/transact.ts';
import type {
  Batch,
  BatchItem,
  BatchPhoto,
  ItemCounts,
  ItemFailure,
  ItemRecipe,
  ItemResult,
} from './batch.ts';

/** Where an item's photo comes from, or why the item will fail. */
export type ItemPhoto =
  | { readonly url: string }
  | { readonly designId: string }
  | { readonly photo: BatchPhoto }
  | { readonly failure: ItemFailure };

export type NewItem = Pick<BatchItem, 'fileName' | 'recipe'> & ItemPhoto;

/** An item that still has to be processed, with its batch. */
export interface OpenItem extends BatchItem {
  readonly batch: Batch;
  /** The URL of the photo, until the photo has become a design. */
  readonly url: string | undefined;
  readonly photo: BatchPhoto | undefined;
}

/** An item that uses a design, with the id of its batch. */
export type ItemOfDesign = Pick<BatchItem, 'position' | 'recipe'> & { readonly batchId: string };

export type ItemEnd =
  | { readonly state: 'done'; readonly result: ItemResult }
  | { readonly state: 'failed'; readonly failure: ItemFailure };

/**
 * Called when an item is done or has failed, and when a batch is completed, in the transaction that records it. Not
 * called when a batch is canceled.
 */
export interface BatchListener {
  onItem(item: OpenItem, end: ItemEnd, transaction: DatabaseOrTransaction): Promise<void>;
  onCompleted(batch: Batch, counts: ItemCounts, transaction: DatabaseOrTransaction): Promise<void>;
}

const noPhoto = { url: null, photo: null, photo_name: null } as const;

export type BatchStore = ReturnType<typeof createBatchStore>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createBatchStore(
  database: Database,
  options: {
    readonly clock: () => number;
    readonly retentionMs: number | null;
    readonly listener: BatchListener;
  },
) {
  const { clock, retentionMs, listener } = options;
  const expiryFrom = (now: number) => (retentionMs === null ? null : now + retentionMs);

  async function completeIfOver(id: string, transaction: DatabaseOrTransaction): Promise<void> {
    if (await hasRow(transaction, 'batch_items', { batch_id: id, state: 'waiting' })) return;
    const now = clock();
    const row = await transaction
      .updateTable('batches')
      .set({ state: 'completed', ended_at: now, expires_at: expiryFrom(now) })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .returningAll()
      .executeTakeFirst();
    if (row) await listener.onCompleted(toBatch(row), await countItems(id, transaction), transaction);
  }

  async function countItems(id: string, transaction: DatabaseOrTransaction): Promise<ItemCounts> {
    const rows = await transaction
      .selectFrom('batch_items')
      .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
      .where('batch_id', '=', id)
      .groupBy('state')
      .execute();
    const counts = { total: 0, waiting: 0, done: 0, failed: 0, cancelled: 0 };
    for (const { state, count } of rows) {
      counts[state] = Number(count);
      counts.total += Number(count);
    }
    return counts;
  }

  return {
    async insertBatch(
      values: Pick<Batch, 'id' | 'accountId' | 'keyId' | 'sandbox' | 'events'>,
      items: readonly NewItem[],
      transaction: DatabaseOrTransaction,
    ): Promise<Batch> {
      const now = clock();
      const row: BatchRow = {
        id: values.id,
        account_id: values.accountId,
        key_id: values.keyId,
        sandbox: values.sandbox ? 1 : 0,
        state: 'queued',
        events: JSON.stringify(values.events),
        created_at: now,
        ended_at: null,
        expires_at: expiryFrom(now),
        stored_bytes: 0,
      };
      await insertRow(transaction, 'batches', row);
      const rows = items.map(
        (item, position): BatchItemRow => ({
          batch_id: row.id,
          position,
          state: 'waiting',
          file_name: item.fileName,
          recipe: JSON.stringify(item.recipe satisfies ItemRecipe),
          url: 'url' in item ? item.url : null,
          photo: 'photo' in item ? item.photo.number : null,
          photo_name: 'photo' in item ? item.photo.fileName : null,
          design_id: 'designId' in item ? item.designId : null,
          result: null,
          failure: 'failure' in item ? JSON.stringify(item.failure) : null,
        }),
      );
      await transaction.insertInto('batch_items').values(rows).execute();
      return toBatch(row);
    },

    /** Throws the same `batch_not_found` for unknown, deleted and expired ids, and for another account's batches. */
    async resolveBatch(id: string, accountId: string): Promise<Batch> {
      const row = await findRow(database, 'batches', { id, account_id: accountId });
      if (row && (row.expires_at === null || Number(row.expires_at) > clock())) return toBatch(row);
      throw new PackshotError(
        'batch_not_found',
        'There is no batch with this id; it may have expired or been deleted.',
      );
    },

    countItems: (id: string): Promise<ItemCounts> => countItems(id, database),

    /** Returns the first `limit` items after position `after`, in order of position. */
    async listItems(
      id: string,
      { after, limit }: { readonly after: number; readonly limit: number },
    ): Promise<BatchItem[]> {
      const rows = await database
        .selectFrom('batch_items')
        .selectAll()
        .where('batch_id', '=', id)
        .where('position', '>', after)
        .orderBy('position')
        .limit(limit)
        .execute();
      return rows.map(toItem);
    },

    /** Returns undefined if the item has ended, or if its batch is gone. */
    async findOpenItem(batchId: string, position: number): Promise<OpenItem | undefined> {
      const [item, batch] = await Promise.all([
        findRow(database, 'batch_items', { batch_id: batchId, position, state: 'waiting' }),
        findRow(database, 'batches', { id: batchId }),
      ]);
      if (!item || !batch) return undefined;
      const { url, photo, photo_name } = item;
      return {
        ...toItem(item),
        url: url ?? undefined,
        photo: photo === null ? undefined : { number: photo, fileName: photo_name ?? '' },
        batch: toBatch(batch),
      };
    },

    async noteBegun(id: string): Promise<void> {
      await updateRows(database, 'batches', { state: 'running' }, { id, state: 'queued' });
    },

    /** Records the design of the item and of all items with the same uploaded photo; clears their photo or URL. */
    async noteDesign({ batch, position, photo }: OpenItem, designId: string): Promise<void> {
      const items = { batch_id: batch.id, ...(photo ? { photo: photo.number } : { position }) };
      await updateRows(database, 'batch_items', { ...noPhoto, design_id: designId }, items);
    },

    /** Whether an item that has not ended still uses this uploaded file. */
    needsPhoto: (id: string, number: number): Promise<boolean> =>
      hasRow(database, 'batch_items', { batch_id: id, photo: number }),

    /** Records the end of an item. Returns whether the item was still waiting. */
    async settleItem(item: OpenItem, end: ItemEnd): Promise<boolean> {
      return transact(database, async (transaction) => {
        const values = {
          ...noPhoto,
          state: end.state,
          result: end.state === 'done' ? JSON.stringify(end.result) : null,
          failure: end.state === 'failed' ? JSON.stringify(end.failure) : null,
        };
        const waiting = { batch_id: item.batch.id, position: item.position, state: 'waiting' } as const;
        if (!(await updateRows(transaction, 'batch_items', values, waiting))) return false;
        await listener.onItem(item, end, transaction);
        await completeIfOver(item.batch.id, transaction);
        return true;
      });
    },

    /** Cancels all waiting items. The result of an item that is running will be discarded. */
    async cancelBatch(id: string): Promise<void> {
      await transact(database, async (transaction) => {
        const values = { ...noPhoto, state: 'cancelled', failure: null } as const;
        await updateRows(transaction, 'batch_items', values, { batch_id: id, state: 'waiting' });
        await updateRows(transaction, 'batches', { state: 'cancelled', ended_at: clock() }, { id });
      });
    },

    /** Also deletes the stored idempotent responses that name the batch. */
    async removeBatch(id: string): Promise<void> {
      await transact(database, async (transaction) => {
        await deleteRows(transaction, 'batches', { id });
        await deleteRows(transaction, 'idempotent_answers', { owner_id: id });
      });
    },

    /** The items that use the design, except canceled ones. */
    async listItemsOf(designId: string): Promise<ItemOfDesign[]> {
      const rows = await database
        .selectFrom('batch_items')
        .selectAll()
        .where('design_id', '=', designId)
        .where('state', '!=', 'cancelled')
        .execute();
      return rows.map((row) => ({ ...toItem(row), batchId: row.batch_id }));
    },

    isDone: (id: string, position: number): Promise<boolean> =>
      hasRow(database, 'batch_items', { batch_id: id, position, state: 'done' }),

    /**
     * Cancels the item, even if it has ended, and drops all that its caller wrote about the photo. Returns whether all items of the batch are
     * canceled or dropped.
     */
    async dropItem({ batchId, position, recipe }: ItemOfDesign): Promise<boolean> {
      const { recipeId, variant, format } = recipe;
      const values = {
        ...noPhoto,
        state: 'cancelled' as const,
        file_name: `deleted-${position + 1}`,
        recipe: JSON.stringify({ recipeId, variant, format } satisfies ItemRecipe),
        design_id: null,
        result: null,
        failure: null,
      };
      return transact(database, async (transaction) => {
        await updateRows(transaction, 'batch_items', values, { batch_id: batchId, position });
        const isLeft = await hasRow(transaction, 'batch_items', { batch_id: batchId }, (item) =>
          item('state', '!=', 'cancelled'),
        );
        if (isLeft) await completeIfOver(batchId, transaction);
        return !isLeft;
      });
    },

    hasResults: (id: string): Promise<boolean> =>
      hasRow(database, 'batches', { id }, (row) => row('state', '!=', 'cancelled')),

    listExpired: (): Promise<string[]> =>
      listIds(database, 'batches', (row) => row('expires_at', '<=', clock())),
  };
}

function toBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    sandbox: row.sandbox === 1,
    state: row.state,
    events: JSON.parse(row.events),
    createdAt: new Date(Number(row.created_at)),
    endedAt: row.ended_at === null ? null : new Date(Number(row.ended_at)),
    expiresAt: row.expires_at === null ? null : new Date(Number(row.expires_at)),
  };
}

function toItem(row: BatchItemRow): BatchItem {
  return {
    position: row.position,
    state: row.state,
    fileName: row.file_name,
    recipe: JSON.parse(row.recipe),
    designId: row.design_id ?? undefined,
    result: row.result === null ? undefined : JSON.parse(row.result),
    failure: row.failure === null ? undefined : JSON.parse(row.failure),
  };
}
