/** The rows of paintings; `painting.ts` describes their states. */
import { newId } from '../../ids.ts';
import type { Database, DatabaseOrTransaction } from '../../storage/database.ts';
import { countRows, findRow, insertRow, updateRows } from '../../storage/rows.ts';
import type { PaintingRow } from '../../storage/schema.ts';
import { transact } from '../../storage/transact.ts';
import {
  type MadePainting,
  type Painting,
  type PaintingAnswer,
  type PaintingBase,
  type SettledPainting,
  toPainting,
} from './painting.ts';

/** Maximum waiting paintings. Beyond that, the wait would be too long, and the built-in renderer draws the scene. */
const MAX_WAITING = { ofKey: 32, inAll: 256 };
/** Minimum delay before a failed painting is retried, in milliseconds. */
const MIN_RETRY_MS = 60_000;

interface ReservedCall {
  readonly keyId: string;
  readonly engine: string;
  /** US dollars; null if unknown. */
  readonly priceUsd: number | null;
  /** Maximum US dollars that the key may spend in 30 days; null for no limit. */
  readonly budgetUsd: number | null;
}

export type PaintingStore = ReturnType<typeof createPaintingStore>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createPaintingStore(
  database: Database,
  clock: () => number,
  /** Called for each settled painting, in the transaction that records the result. */
  onSettled?: (painting: SettledPainting, transaction: DatabaseOrTransaction) => Promise<void>,
) {
  const updateWaiting = (illustrationId: string, values: Partial<PaintingRow>) =>
    updateRows(database, 'paintings', values, { illustration_id: illustrationId, state: 'waiting' });

  return {
    /** Enqueues, in order, paintings that are new or may be retried. If too many wait, a painting fails at once. */
    async requestPaintings(
      requests: readonly PaintingBase[],
      enqueue: (illustrationId: string, transaction: DatabaseOrTransaction) => Promise<void>,
    ): Promise<void> {
      await transact(database, async (transaction) => {
        for (const request of requests) {
          if (!(await openRow(request, clock(), transaction))) continue;
          const { illustrationId } = request;
          if (await hasRoom(request.keyId, transaction)) await enqueue(illustrationId, transaction);
          else await fail(illustrationId, 'too many pictures are waiting for the engine', 0, transaction);
        }
      });
    },

    /** Returns the IDs of the design's illustrations whose paintings are not settled. */
    async listWaiting(designId: string): Promise<string[]> {
      const rows = await database
        .selectFrom('paintings')
        .innerJoin('illustrations', 'illustrations.id', 'paintings.illustration_id')
        .select('illustrations.id')
        .where('illustrations.design_id', '=', designId)
        .where('paintings.state', '=', 'waiting')
        .execute();
      return rows.map(({ id }) => id);
    },

    async findPainting(illustrationId: string): Promise<Painting | undefined> {
      const row = await findRow(database, 'paintings', { illustration_id: illustrationId });
      return row && toPainting(row);
    },

    /** Called before each engine call, so that a call interrupted by a crash counts too. */
    async noteAsk(illustrationId: string): Promise<void> {
      await database
        .updateTable('paintings')
        .set(({ eb }) => ({ asks: eb('asks', '+', 1) }))
        .where((painting) => painting.and({ illustration_id: illustrationId, state: 'waiting' }))
        .execute();
    },

    /** Called once the bytes of the response are stored. */
    async noteAnswer(illustrationId: string, answer: PaintingAnswer): Promise<void> {
      await updateWaiting(illustrationId, { answer: JSON.stringify(answer) });
    },

    /** Records that the response was rejected. `flaw`: the reason, without secrets and URLs. */
    async noteFlaw(illustrationId: string, flaw: string): Promise<void> {
      await updateWaiting(illustrationId, { answer: null, failure: flaw });
    },

    async markDone(illustrationId: string, made: MadePainting): Promise<void> {
      const values = { state: 'done', made: JSON.stringify(made), answer: null, failure: null } as const;
      await transact(database, (transaction) => settle(illustrationId, values, transaction));
    },

    /**
     * `failure`: the reason. Operators and callers see it, so it must not contain secrets or URLs. `retryAfterMs`:
     * delay before a new request may retry the painting, raised to a minute if it is shorter; null if a retry cannot
     * succeed.
     */
    async markFailed(illustrationId: string, failure: string, retryAfterMs: number | null): Promise<void> {
      await transact(database, (transaction) => fail(illustrationId, failure, retryAfterMs, transaction));
    },

    /**
     * Records a call before it is made, with the price that is expected. Undefined if the key's budget is spent, also
     * by calls that are under way. An expected price that is unknown is the mean of the engine's earlier calls.
     */
    async reserveCall({ keyId, engine, priceUsd, budgetUsd }: ReservedCall): Promise<string | undefined> {
      return transact(database, async (transaction) => {
        if (budgetUsd !== null && (await sumCosts(keyId, transaction)) >= budgetUsd) return undefined;
        const id = newId('cal');
        const cost_usd = priceUsd ?? (await findMeanCost(engine, transaction));
        const row = { id, key_id: keyId, engine, cost_usd, created_at: clock() };
        await insertRow(transaction, 'engine_calls', row);
        return id;
      });
    },

    /** Replaces the expected price of a call by its cost; 0 if it cost nothing. */
    async settleCall(id: string, costUsd: number): Promise<void> {
      await updateRows(database, 'engine_calls', { cost_usd: costUsd }, { id });
    },

    sumCosts,
  };

  /** Returns the cost of the pictures of a key and its predecessors in the last 30 days, in US dollars. */
  async function sumCosts(keyId: string, rows: DatabaseOrTransaction = database): Promise<number> {
    const quota = rows.selectFrom('api_keys').select('quota_id').where('id', '=', keyId);
    const sharing = rows.selectFrom('api_keys').select('id').where('quota_id', 'in', quota);
    const row = await rows
      .selectFrom('engine_calls')
      .select(({ fn }) => fn.sum<number | null>('cost_usd').as('spent'))
      .where(({ or, eb }) => or([eb('key_id', '=', keyId), eb('key_id', 'in', sharing)]))
      .where('created_at', '>', clock() - 30 * 86_400_000)
      .executeTakeFirst();
    return Number(row?.spent ?? 0);
  }

  function fail(
    illustrationId: string,
    failure: string,
    retryAfterMs: number | null,
    transaction: DatabaseOrTransaction,
  ): Promise<void> {
    const retry_at = retryAfterMs === null ? null : clock() + Math.max(MIN_RETRY_MS, retryAfterMs);
    return settle(illustrationId, { state: 'failed', answer: null, failure, retry_at }, transaction);
  }

  async function settle(
    illustrationId: string,
    values: Partial<PaintingRow> & Pick<SettledPainting, 'state'>,
    transaction: DatabaseOrTransaction,
  ): Promise<void> {
    const waiting = { illustration_id: illustrationId, state: 'waiting' } as const;
    if (!(await updateRows(transaction, 'paintings', values, waiting)) || !onSettled) return;
    const { design_id, account_id } = (await findRow(transaction, 'illustrations', { id: illustrationId }))!;
    await onSettled(
      { illustrationId, designId: design_id, accountId: account_id, state: values.state },
      transaction,
    );
  }
}

async function findMeanCost(engine: string, rows: DatabaseOrTransaction): Promise<number> {
  const row = await rows
    .selectFrom('engine_calls')
    .select(({ fn }) => fn.avg<number | null>('cost_usd').as('mean'))
    .where('engine', '=', engine)
    .executeTakeFirst();
  return Number(row?.mean ?? 0);
}

/** Inserts the row, or reopens a failed one whose retry is due. Returns false if it did neither. */
async function openRow(
  request: PaintingBase,
  now: number,
  transaction: DatabaseOrTransaction,
): Promise<boolean> {
  const fresh = {
    key_id: request.keyId,
    state: 'waiting',
    engine: request.engine,
    engine_version: request.engineVersion,
    asks: 0,
    answer: null,
    made: null,
    failure: null,
    retry_at: null,
    created_at: now,
  } as const;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('paintings')
    .values({ illustration_id: request.illustrationId, ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('illustration_id')
        .doUpdateSet(fresh)
        .where('paintings.state', '=', 'failed')
        .where('paintings.retry_at', '<=', now),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Whether the key and the service are within their limits. Counts all waiting rows, including the new row. */
async function hasRoom(keyId: string, transaction: DatabaseOrTransaction): Promise<boolean> {
  const inAll = await countRows(transaction, 'paintings', { state: 'waiting' });
  const ofKey = await countRows(transaction, 'paintings', { state: 'waiting', key_id: keyId });
  return ofKey <= MAX_WAITING.ofKey && inAll <= MAX_WAITING.inAll;
}
