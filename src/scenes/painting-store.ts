/**
 * The rows of paintings: what an illustration engine is to make of a scene, or has made.
 *
 *     asked for ──> waiting ──picture kept──> done
 *                      │
 *                      └──refused, altered the product, too dear──> failed
 *
 * Both ends are final: whoever looked at a scene once finds it again as it was.
 */
import { newId } from '../ids.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import type { PaintingRow } from '../storage/schema.ts';
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

interface PaintingBase {
  readonly illustrationId: string;
  /** Who asked, and pays. */
  readonly keyId: string;
  readonly engine: string;
  readonly engineVersion: string;
}

export type Painting = PaintingBase &
  (
    | { readonly state: 'waiting' }
    | { readonly state: 'done'; readonly made: MadePainting }
    | { readonly state: 'failed'; readonly failure: string }
  );

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
  return {
    /** Those that are new, in their order; what was asked for once is not asked for again. */
    async requestPaintings(
      requests: readonly PaintingBase[],
      enqueue: (illustrationId: string, transaction: DatabaseOrTransaction) => Promise<void>,
    ): Promise<void> {
      await database.transaction().execute(async (transaction) => {
        for (const request of requests) {
          const { numInsertedOrUpdatedRows } = await transaction
            .insertInto('paintings')
            .values({
              illustration_id: request.illustrationId,
              key_id: request.keyId,
              state: 'waiting',
              engine: request.engine,
              engine_version: request.engineVersion,
              made: null,
              failure: null,
              created_at: clock(),
            })
            .onConflict((conflict) => conflict.column('illustration_id').doNothing())
            .executeTakeFirst();
          if (numInsertedOrUpdatedRows === 1n) await enqueue(request.illustrationId, transaction);
        }
      });
    },

    /** Of one design. */
    async countWaiting(designId: string): Promise<number> {
      const { count } = await database
        .selectFrom('paintings')
        .innerJoin('illustrations', 'illustrations.id', 'paintings.illustration_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('illustrations.design_id', '=', designId)
        .where('paintings.state', '=', 'waiting')
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async findPainting(illustrationId: string): Promise<Painting | undefined> {
      const row = await database
        .selectFrom('paintings')
        .selectAll()
        .where('illustration_id', '=', illustrationId)
        .executeTakeFirst();
      return row && toPainting(row);
    },

    async markDone(illustrationId: string, made: MadePainting): Promise<void> {
      await settle(illustrationId, { state: 'done', made: JSON.stringify(made) });
    },

    /** `failure`: why, for the operator and the caller alike; no secret, no address. */
    async markFailed(illustrationId: string, failure: string): Promise<void> {
      await settle(illustrationId, { state: 'failed', failure });
    },

    async noteCall(call: {
      readonly keyId: string;
      readonly engine: string;
      readonly costUsd: number;
    }): Promise<void> {
      await database
        .insertInto('engine_calls')
        .values({
          id: newId('job'),
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

  async function settle(
    illustrationId: string,
    values: Partial<PaintingRow> & Pick<SettledPainting, 'state'>,
  ): Promise<void> {
    await database.transaction().execute(async (transaction) => {
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
    });
  }
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
      return { ...base, state: row.state };
    case 'done':
      return { ...base, state: row.state, made: JSON.parse(row.made!) };
    case 'failed':
      return { ...base, state: row.state, failure: row.failure! };
  }
}
