/** Translates changes in other modules to events with links, within the transaction of the change. */
import type { FailedDesign, ReadyDesign } from '../designs/design.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { transact } from '../storage/transact.ts';
import type { News } from './event.ts';
import type { Outbox } from './outbox.ts';

type RenderNews = Extract<News, { type: 'render.completed' }>;

export type EventTeller = ReturnType<typeof createEventTeller>;

export function createEventTeller(needs: {
  readonly database: Database;
  readonly outbox: Outbox;
  /** Base URL of links; links are paths if it is undefined. */
  readonly publicUrl: string | undefined;
  /** Called with the errors of `tellRender`; the other functions throw their errors. */
  readonly onError: (error: unknown) => void;
}) {
  const { database, outbox, publicUrl = '' } = needs;

  return {
    async tellDesign(design: ReadyDesign | FailedDesign, transaction: DatabaseOrTransaction): Promise<void> {
      const { id, accountId } = design;
      const href = `${publicUrl}/v1/design/${id}`;
      await outbox.tell(
        design.state === 'ready'
          ? { accountId, type: 'design.ready', data: { id, href } }
          : { accountId, type: 'design.failed', data: { id, href, error: design.failure } },
        transaction,
      );
    },

    async tellIllustration(
      illustration: { readonly id: string; readonly designId: string; readonly accountId: string },
      transaction: DatabaseOrTransaction,
    ): Promise<void> {
      const { id, designId, accountId } = illustration;
      await outbox.tell({ accountId, type: 'illustration.ready', data: { id, designId } }, transaction);
    },

    /**
     * A picture that a call returns has no database row, and so no transaction that the event could join. The event
     * gets its own transaction; losing it does no harm.
     */
    async tellRender(accountId: string, data: RenderNews['data']): Promise<void> {
      const news: News = { accountId, type: 'render.completed', data };
      await transact(database, (transaction) => outbox.tell(news, transaction)).catch(needs.onError);
    },

    async tellBatchItem(
      accountId: string,
      data: RenderNews['data'],
      transaction: DatabaseOrTransaction,
    ): Promise<void> {
      await outbox.tell({ accountId, type: 'render.completed', data }, transaction);
    },

    async tellBatch(
      { id, accountId }: { readonly id: string; readonly accountId: string },
      { total, done, failed }: { readonly total: number; readonly done: number; readonly failed: number },
      transaction: DatabaseOrTransaction,
    ): Promise<void> {
      const href = `${publicUrl}/v1/jobs/${id}`;
      await outbox.tell(
        {
          accountId,
          type: 'batch.completed',
          data: { id, href, resultsHref: `${href}/results.zip`, counts: { total, done, failed } },
        },
        transaction,
      );
    },
  };
}
