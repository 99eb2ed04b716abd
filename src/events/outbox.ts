/**
 * The outbox: events and their deliveries, one per subscribed endpoint.
 *
 *   stored ──> waiting ──answered with 2xx──────────> delivered
 *                │  ↑
 *                │  └──another answer, or none: retried after a delay
 *                └──out of retries, or the endpoint is disabled──> failed
 *
 * Manual redelivery sets a delivered or failed delivery back to `waiting`.
 *
 * An event is stored in the transaction of the change it reports, so both are committed or neither. Delivery is
 * at least once, in no guaranteed order.
 */
import { newId } from '../ids.ts';
import type { Queue } from '../jobs/queue.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { deleteRows, insertRow, updateRows } from '../storage/rows.ts';
import { transact } from '../storage/transact.ts';
import { enqueueDelivery } from './delivery-tries.ts';
import type { EventType, News } from './event.ts';

/** Events are kept for manual redelivery, then deleted. */
const keptMs = 30 * 86_400_000;
/**
 * Deleting this many, with their deliveries, takes about 0.1 s. PostgreSQL cancels statements after 5 s, and
 * in SQLite a statement blocks all other writers.
 */
const sweptAtOnce = 5_000;

/** Which events to redeliver; the given conditions are combined with AND. */
export interface ReplayChoice {
  readonly eventId?: string;
  readonly endpointId?: string;
  readonly onlyFailed?: boolean;
  readonly since?: Date;
}

export type Outbox = ReturnType<typeof createOutbox>;

interface Dependencies {
  readonly database: Database;
  readonly queue: Pick<Queue, 'enqueue' | 'wake'>;
  readonly clock: () => number;
}

export function createOutbox({ database, queue, clock }: Dependencies) {
  return {
    /**
     * Stores the event with one delivery per subscribed endpoint. If there is none, this costs only one query. Call the
     * queue's `wake` after the commit; otherwise, the deliveries wait until the queue is polled.
     */
    async tell({ accountId, type, data }: News, transaction: DatabaseOrTransaction): Promise<void> {
      const endpoints = await transaction
        .selectFrom('webhook_endpoints')
        .select(['id', 'events', 'disabled_at'])
        .where('account_id', '=', accountId)
        .execute();
      const hearing = endpoints.filter(({ events }) => (JSON.parse(events) as EventType[]).includes(type));
      if (hearing.length === 0) return;
      const now = clock();
      const eventId = newId('msg');
      const payload = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });
      const event = { id: eventId, account_id: accountId, type, payload, created_at: now };
      await insertRow(transaction, 'events', event);
      for (const endpoint of hearing) {
        const id = newId('dlv');
        const open = endpoint.disabled_at === null;
        await insertRow(transaction, 'deliveries', {
          id,
          event_id: eventId,
          endpoint_id: endpoint.id,
          state: open ? 'waiting' : 'failed',
          tries: 0,
          earlier_tries: 0,
          outcome: open ? null : 'the endpoint was disabled',
          updated_at: now,
        });
        if (open) await enqueueDelivery(queue, { id, accountId }, 0, transaction);
      }
    },

    /** Redelivers delivered or failed events, except to disabled endpoints. Returns the number of deliveries. */
    async replay({ eventId, endpointId, onlyFailed, since }: ReplayChoice): Promise<number> {
      const count = await transact(database, async (transaction) => {
        const rows = await transaction
          .selectFrom('deliveries')
          .innerJoin('events', 'events.id', 'deliveries.event_id')
          .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpoint_id')
          .select(['deliveries.id', 'deliveries.tries', 'events.account_id'])
          .where('webhook_endpoints.disabled_at', 'is', null)
          .where('deliveries.state', 'in', onlyFailed ? ['failed'] : ['failed', 'delivered'])
          .$if(eventId !== undefined, (query) => query.where('events.id', '=', eventId!))
          .$if(endpointId !== undefined, (query) => query.where('webhook_endpoints.id', '=', endpointId!))
          .$if(since !== undefined, (query) => query.where('events.created_at', '>=', since!.getTime()))
          .orderBy('events.created_at')
          .execute();
        for (const { id, tries, account_id: accountId } of rows) {
          // Skip a number: a job may still exist for the current try, and must then find nothing to do.
          const next = tries + 1;
          const values = { state: 'waiting', tries: next, earlier_tries: next, updated_at: clock() } as const;
          await updateRows(transaction, 'deliveries', values, { id });
          await enqueueDelivery(queue, { id, accountId }, next, transaction);
        }
        return rows.length;
      });
      queue.wake();
      return count;
    },

    async sweepEvents(): Promise<void> {
      const due = clock() - keptMs;
      for (;;) {
        const next = await database
          .selectFrom('events')
          .select('created_at')
          .where('created_at', '<=', due)
          .orderBy('created_at')
          .offset(sweptAtOnce)
          .limit(1)
          .executeTakeFirst();
        await deleteRows(database, 'events', (row) => row('created_at', '<=', next?.created_at ?? due));
        if (!next) return;
      }
    },
  };
}
