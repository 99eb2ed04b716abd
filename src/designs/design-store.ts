/** The rows of designs. Every query that serves a caller checks the account. */
import type { SubjectFacts } from 'packshot-cutout/service';
import { PackshotError } from 'packshot-errors';
import type { ProductFacts } from 'packshot-sets';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { createLifetime } from '../storage/lifetime.ts';
import { countRows, deleteRows, findRow, insertRow, listIds, updateRows } from '../storage/rows.ts';
import type { DesignRow } from '../storage/schema.ts';
import { transact } from '../storage/transact.ts';
import type {
  CutoutHistory,
  CutoutRevision,
  Design,
  FailedDesign,
  MadeCutout,
  ProcessingDesign,
  ReadyDesign,
} from './design.ts';

type Alongside = (transaction: DatabaseOrTransaction) => Promise<void>;

export type DesignStore = ReturnType<typeof createDesignStore>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createDesignStore(
  database: Database,
  options: {
    readonly clock: () => number;
    readonly retentionMs: number | null;
    /** Called for each design that becomes ready or failed, within the transaction that records it. */
    readonly onSettled?: (
      design: ReadyDesign | FailedDesign,
      transaction: DatabaseOrTransaction,
    ) => Promise<void>;
  },
) {
  const { touchEveryMs, expiryFrom } = createLifetime(options.retentionMs);

  /** Records the outcome if the row is still in `processing`. Returns whether it was. */
  async function settle(id: string, values: Partial<DesignRow>, alongside?: Alongside): Promise<boolean> {
    return transact(database, async (transaction) => {
      const row = await transaction
        .updateTable('designs')
        .set(values)
        .where('id', '=', id)
        .where('state', '=', 'processing')
        .returningAll()
        .executeTakeFirst();
      const design = row && toDesign(row);
      if (!design || design.state === 'processing') return false;
      await options.onSettled?.(design, transaction);
      await alongside?.(transaction);
      return true;
    });
  }

  /**
   * Replaces the cutout if it still has the version `given.version` and, with `isProvisional`, is still provisional.
   * The new cutout counts as final. Returns whether it was replaced.
   */
  async function setCutout(
    given: { readonly id: string; readonly version: string; readonly isProvisional?: boolean },
    values: Partial<DesignRow>,
    alongside: Alongside,
  ): Promise<boolean> {
    return transact(database, async (transaction) => {
      const isReplaced = await updateRows(
        transaction,
        'designs',
        { ...values, cutout_left_out: null },
        { id: given.id, state: 'ready', cutout_version: given.version },
        given.isProvisional ? (row) => row('cutout_left_out', 'is not', null) : {},
      );
      if (isReplaced) await alongside(transaction);
      return isReplaced > 0;
    });
  }

  return {
    /** `dueInMs`: milliseconds until a caller may need the cutout. */
    newDesign(
      values: Pick<ProcessingDesign, 'id' | 'accountId' | 'image' | 'origin'>,
      { dueInMs }: { readonly dueInMs?: number | undefined } = {},
    ): ProcessingDesign {
      const now = options.clock();
      const expiry = expiryFrom(now);
      return {
        ...values,
        state: 'processing',
        createdAt: new Date(now),
        expiresAt: expiry === null ? null : new Date(expiry),
        cutoutDueAt: dueInMs === undefined ? null : new Date(now + dueInMs),
      };
    },

    async insertDesign(design: ProcessingDesign, transaction: DatabaseOrTransaction): Promise<void> {
      await insertRow(transaction, 'designs', {
        id: design.id,
        account_id: design.accountId,
        state: design.state,
        created_at: design.createdAt.getTime(),
        last_used_at: design.createdAt.getTime(),
        expires_at: design.expiresAt?.getTime() ?? null,
        image: JSON.stringify(design.image),
        file_name: design.origin.fileName ?? null,
        kind_hint: design.origin.kindHint ?? null,
        alpha_wish: design.origin.alpha ?? null,
        cutout_wish: design.origin.cutout ?? null,
        project: design.origin.project ?? null,
        cutout_due_at: design.cutoutDueAt?.getTime() ?? null,
        stored_bytes: design.image.bytes,
      });
    },

    /**
     * Counts as a use of the design, so it also renews the design's expiry. Throws the same `design_not_found` for
     * unknown, deleted and expired ids, and for another account's designs.
     */
    async resolveDesign(id: string, accountId: string): Promise<Design> {
      const row = await findRow(database, 'designs', { id, account_id: accountId });
      const now = options.clock();
      if (!row || isExpired(row, now)) throw designNotFound();
      if (now - Number(row.last_used_at) < touchEveryMs) return toDesign(row);
      const renewed = { last_used_at: now, expires_at: expiryFrom(now) };
      // A read must not fail because the disk is full or read-only; if the write fails, the design keeps its old
      // expiry.
      const written = await updateRows(database, 'designs', renewed, { id }).catch(() => 0);
      return toDesign(written ? { ...row, ...renewed } : row);
    },

    /** For jobs, which do not act for an account. Returns undefined if the design was deleted. */
    async findDesign(id: string): Promise<Design | undefined> {
      const row = await findRow(database, 'designs', { id });
      return row && toDesign(row);
    },

    /** Returns whether the row was still in `processing`. */
    async markReady(
      id: string,
      made: Pick<ReadyDesign, 'subject' | 'product' | 'cutoutVersion'> &
        Partial<Pick<ReadyDesign, 'leftOut'>>,
      alongside?: Alongside,
    ): Promise<boolean> {
      return settle(
        id,
        {
          state: 'ready',
          subject: JSON.stringify(made.subject satisfies SubjectFacts),
          product: made.product ? JSON.stringify(made.product satisfies ProductFacts) : null,
          cutout_version: made.cutoutVersion,
          cutout_left_out: made.leftOut?.length ? made.leftOut.join('+') : null,
        },
        alongside,
      );
    },

    /** Replaces the provisional cutout of this version with a better one. Returns whether that version was current. */
    async replaceCutout(
      id: string,
      version: string,
      { subject, cutoutVersion, cutoutName }: MadeCutout,
      alongside: Alongside,
    ): Promise<boolean> {
      const values = {
        subject: JSON.stringify(subject),
        cutout_version: cutoutVersion,
        cutout_name: cutoutName,
      };
      return setCutout({ id, version, isProvisional: true }, values, alongside);
    },

    /**
     * Makes another revision the current one, but only if the design's cutout still has the given version. Returns
     * whether it had that version. The new cutout counts as final.
     */
    async reviseCutout(
      { id, cutoutVersion }: Pick<ReadyDesign, 'id' | 'cutoutVersion'>,
      next: CutoutRevision,
      history: CutoutHistory,
      alongside: Alongside,
    ): Promise<boolean> {
      const values = {
        subject: JSON.stringify(next.subject),
        product: next.product ? JSON.stringify(next.product) : null,
        cutout_version: next.cutoutVersion,
        cutout_name: next.cutoutName,
        cutout_history: JSON.stringify(history),
      };
      return setCutout({ id, version: cutoutVersion }, values, alongside);
    },

    /** Lets the design expire after this time at the latest. */
    async expireIn(id: string, ms: number): Promise<void> {
      const expires_at = options.clock() + ms;
      await updateRows(database, 'designs', { expires_at }, { id }, ({ eb, or }) =>
        or([eb('expires_at', 'is', null), eb('expires_at', '>', expires_at)]),
      );
    },

    /** Marks a provisional cutout as final, because a better cutout cannot be made. */
    async keepCutout(id: string): Promise<void> {
      await updateRows(database, 'designs', { cutout_left_out: null }, { id });
    },

    async noteProduct(id: string, product: ProductFacts): Promise<void> {
      await updateRows(database, 'designs', { product: JSON.stringify(product) }, { id, state: 'ready' });
    },

    async markFailed(id: string, failure: FailedDesign['failure']): Promise<void> {
      await settle(id, { state: 'failed', failure: JSON.stringify(failure) });
    },

    /**
     * Moves a failed design back to `processing`. Enqueue its cutout in the same transaction. Returns whether the
     * design was in state `failed`.
     */
    async reopenDesign(id: string, transaction: DatabaseOrTransaction): Promise<boolean> {
      const values = { state: 'processing', failure: null } as const;
      return (await updateRows(transaction, 'designs', values, { id, state: 'failed' })) > 0;
    },

    /** Deletes the row, its jobs (also failed ones), and the stored idempotent responses that name the design. */
    async removeDesign(id: string): Promise<void> {
      await transact(database, async (transaction) => {
        await deleteRows(transaction, 'jobs', { key: id });
        await deleteRows(transaction, 'dead_jobs', { key: id });
        await deleteRows(transaction, 'idempotent_answers', { owner_id: id });
        await deleteRows(transaction, 'picture_sources', { design_id: id });
        await deleteRows(transaction, 'designs', { id });
      });
    },

    /** Number of designs per state; 0 for states without designs. */
    async countByState(): Promise<Map<Design['state'], number>> {
      const rows = await database
        .selectFrom('designs')
        .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute();
      const none = { processing: 0, ready: 0, failed: 0 } satisfies Record<Design['state'], number>;
      const counts = Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
      return new Map(Object.entries({ ...none, ...counts })) as Map<Design['state'], number>;
    },

    /** Number of the account's unfinished cutouts for which callers may wait. */
    countAwaited: (accountId: string): Promise<number> =>
      countRows(database, 'designs', { state: 'processing', account_id: accountId }, (row) =>
        row('cutout_due_at', 'is not', null),
      ),

    listExpired: (): Promise<string[]> =>
      listIds(database, 'designs', (row) => row('expires_at', '<=', options.clock())),
  };
}

export function designNotFound(): PackshotError {
  return new PackshotError(
    'design_not_found',
    'There is no design with this id; it may have expired or been deleted.',
  );
}

const isExpired = (row: DesignRow, now: number) => row.expires_at !== null && Number(row.expires_at) <= now;

export function toDesign(row: DesignRow): Design {
  const base = {
    id: row.id,
    accountId: row.account_id,
    createdAt: new Date(Number(row.created_at)),
    expiresAt: row.expires_at === null ? null : new Date(Number(row.expires_at)),
    image: JSON.parse(row.image),
    origin: {
      fileName: row.file_name ?? undefined,
      kindHint: row.kind_hint ?? undefined,
      alpha: row.alpha_wish ?? undefined,
      cutout: row.cutout_wish ?? undefined,
      project: row.project ?? undefined,
    },
  };
  if (row.state === 'processing') {
    const { cutout_due_at: dueAt } = row;
    return { ...base, state: row.state, cutoutDueAt: dueAt === null ? null : new Date(Number(dueAt)) };
  }
  if (row.state === 'failed') return { ...base, state: row.state, failure: JSON.parse(row.failure!) };
  return {
    ...base,
    state: row.state,
    subject: JSON.parse(row.subject!),
    product: row.product === null ? undefined : JSON.parse(row.product),
    cutoutVersion: row.cutout_version!,
    cutoutName: row.cutout_name,
    leftOut: row.cutout_left_out?.split('+') ?? [],
    ...(row.cutout_history !== null && { history: JSON.parse(row.cutout_history) }),
  };
}
