/**
 * The rows of paintings: what an illustration engine is to make of a scene, or has made.
 *
 *     asked for ──> waiting ──picture kept──> done
 *        ▲             │
 *        │             └──refused, altered the product, too dear, too many wait──> failed
 *        └──asked for anew, where the reason was a passing one──────────────────────┘
 *
 * While it waits, the row says how far it is: how often the engine was asked, and the answer that is to be looked at.
 */
import { newId } from '../../ids.ts';
import type { Database, DatabaseOrTransaction } from '../../storage/database.ts';
import type { PaintingRow } from '../../storage/schema.ts';
import { transact } from '../../storage/transact.ts';
import type { IllustrationMode } from './illustration-engine.ts';

/** Part of a picture, as shares of its width and height from the top left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface MadePainting {
  readonly mode: IllustrationMode;
  readonly model: string;
  readonly seed: number | undefined;
  /** Where the product goes; null where the picture is an empty set that the product has yet to be set on. */
  readonly place: Place | null;
}

/** What the engine said of a picture; its bytes are a blob. */
export type PaintingAnswer = Omit<MadePainting, 'place'>;

interface PaintingBase {
  readonly illustrationId: string;
  /** Who asked, and pays. */
  readonly keyId: string;
  readonly engine: string;
  readonly engineVersion: string;
}

export type Painting = PaintingBase &
  (
    | {
        readonly state: 'waiting';
        /** How often the engine was asked. */
        readonly asks: number;
        /** Yet to be looked at; undefined where the engine is to be asked. */
        readonly answer: PaintingAnswer | undefined;
        /** What was wrong with the last answer; undefined where there was none. */
        readonly flaw: string | undefined;
      }
    | { readonly state: 'done'; readonly made: MadePainting }
    | { readonly state: 'failed'; readonly failure: string }
  );

/** Of one key, and in all: beyond them scenes are left to the studio, since nobody would wait for the last. */
const MOST_WAITING = { ofKey: 32, inAll: 256 };
/** Before that nothing that failed is tried again. */
const SHORTEST_RETRY_MS = 60_000;

export type PaintingStore = ReturnType<typeof createPaintingStore>;

/** A painting that is over, and whose it is. */
export interface SettledPainting {
  readonly illustrationId: string;
  readonly designId: string;
  readonly accountId: string;
  readonly state: 'done' | 'failed';
}

export function createPaintingStore(
  database: Database,
  clock: () => number,
  /** Hears of each painting that is over, within the transaction that writes it down. */
  onSettled?: (painting: SettledPainting, transaction: DatabaseOrTransaction) => Promise<void>,
) {
  const updateWaiting = (illustrationId: string) =>
    database
      .updateTable('paintings')
      .where('illustration_id', '=', illustrationId)
      .where('state', '=', 'waiting');

  return {
    /** Those that are new, and those that may be tried again, in their order; where too many wait they fail at once. */
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

    /** Illustrations of one design whose paintings are not settled. */
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
      const row = await database
        .selectFrom('paintings')
        .selectAll()
        .where('illustration_id', '=', illustrationId)
        .executeTakeFirst();
      return row && toPainting(row);
    },

    /** Before the engine is asked: what a dying process leaves open counts as well. */
    async noteAsk(illustrationId: string): Promise<void> {
      await updateWaiting(illustrationId)
        .set(({ eb }) => ({ asks: eb('asks', '+', 1) }))
        .execute();
    },

    /** Once its bytes are kept. */
    async noteAnswer(illustrationId: string, answer: PaintingAnswer): Promise<void> {
      await updateWaiting(illustrationId)
        .set({ answer: JSON.stringify(answer) })
        .execute();
    },

    /** The answer is not good enough; `flaw` as in `markFailed`. */
    async noteFlaw(illustrationId: string, flaw: string): Promise<void> {
      await updateWaiting(illustrationId).set({ answer: null, failure: flaw }).execute();
    },

    async markDone(illustrationId: string, made: MadePainting): Promise<void> {
      const values = { state: 'done', made: JSON.stringify(made), answer: null, failure: null } as const;
      await transact(database, (transaction) => settle(illustrationId, values, transaction));
    },

    /**
     * `failure`: why, for the operator and the caller alike; no secret, no address. `retryAfterMs`: when whoever asks
     * for it may have it tried again, a minute at least; null where that would be in vain.
     */
    async markFailed(illustrationId: string, failure: string, retryAfterMs: number | null): Promise<void> {
      await transact(database, (transaction) => fail(illustrationId, failure, retryAfterMs, transaction));
    },

    async noteCall(call: {
      readonly keyId: string;
      readonly engine: string;
      readonly costUsd: number;
    }): Promise<void> {
      await database
        .insertInto('engine_calls')
        .values({
          id: newId('cal'),
          key_id: call.keyId,
          engine: call.engine,
          cost_usd: call.costUsd,
          created_at: clock(),
        })
        .execute();
    },

    /** US dollars that a key's pictures have cost in the last 30 days. */
    async sumCosts(keyId: string): Promise<number> {
      const row = await database
        .selectFrom('engine_calls')
        .select(({ fn }) => fn.sum<number | null>('cost_usd').as('spent'))
        .where('key_id', '=', keyId)
        .where('created_at', '>', clock() - 30 * 86_400_000)
        .executeTakeFirst();
      return Number(row?.spent ?? 0);
    },
  };

  function fail(
    illustrationId: string,
    failure: string,
    retryAfterMs: number | null,
    transaction: DatabaseOrTransaction,
  ): Promise<void> {
    const retry_at = retryAfterMs === null ? null : clock() + Math.max(SHORTEST_RETRY_MS, retryAfterMs);
    return settle(illustrationId, { state: 'failed', answer: null, failure, retry_at }, transaction);
  }

  async function settle(
    illustrationId: string,
    values: Partial<PaintingRow> & Pick<SettledPainting, 'state'>,
    transaction: DatabaseOrTransaction,
  ): Promise<void> {
    const { numUpdatedRows } = await transaction
      .updateTable('paintings')
      .set(values)
      .where('illustration_id', '=', illustrationId)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n || !onSettled) return;
    const { design_id, account_id } = await transaction
      .selectFrom('illustrations')
      .select(['design_id', 'account_id'])
      .where('id', '=', illustrationId)
      .executeTakeFirstOrThrow();
    await onSettled(
      { illustrationId, designId: design_id, accountId: account_id, state: values.state },
      transaction,
    );
  }
}

/** Whether it waits now and did not before. */
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

/** With what waits already, the last one included. */
async function hasRoom(keyId: string, transaction: DatabaseOrTransaction): Promise<boolean> {
  const { ofKey, inAll } = await transaction
    .selectFrom('paintings')
    .select(({ fn }) => [
      fn.countAll<number>().as('inAll'),
      fn.countAll<number>().filterWhere('key_id', '=', keyId).as('ofKey'),
    ])
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return Number(ofKey) <= MOST_WAITING.ofKey && Number(inAll) <= MOST_WAITING.inAll;
}

function toPainting(row: PaintingRow): Painting {
  const base: PaintingBase = {
    illustrationId: row.illustration_id,
    keyId: row.key_id,
    engine: row.engine,
    engineVersion: row.engine_version,
  };
  switch (row.state) {
    case 'waiting':
      return {
        ...base,
        state: row.state,
        asks: row.asks,
        answer: row.answer === null ? undefined : JSON.parse(row.answer),
        flaw: row.failure ?? undefined,
      };
    case 'done':
      return { ...base, state: row.state, made: JSON.parse(row.made!) };
    case 'failed':
      return { ...base, state: row.state, failure: row.failure! };
  }
}
