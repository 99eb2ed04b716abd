/**
 * The outbox: events and their deliveries, one per subscribed endpoint.
 *
 *   stored ──> waiting ──answered with 2xx──────────> delivered
 *                │  ↑
 *                │  └──another answer, or none: retried after a delay, or manually
 *                └──out of retries, or the endpoint is disabled──> failed
 *
 * An event is stored in the transaction of the change it reports, so both are committed or neither. Delivery is
 * at least once, in no guaranteed order.
 */
import { newId } from '../ids.ts';
import type { Queue } from '../jobs/queue.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import type { DeliveryRow } from '../storage/schema.ts';
import { transact } from '../storage/transact.ts';
import type { EventType, News } from './event.ts';

/** The key is the delivery's id and its number of earlier tries, so that each try is a separate job. */
export const deliveryJob = 'deliver';

const minute = 60_000;
const hour = 60 * minute;
/** Delays before the second and later tries, as Standard Webhooks suggests, up to its tenth hour. */
const pausesMs = [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
/** An endpoint that has failed for this long is disabled until an operator enables it again. */
const patienceMs = 5 * 24 * hour;
/** Events are kept for manual redelivery, then deleted. */
const keptMs = 30 * 24 * hour;
/**
 * Takes about 0.1 s with their deliveries. PostgreSQL ends statements after 5 s, and SQLite's block all other
 * writers.
 */
const sweptAtOnce = 5_000;

/** One delivery attempt that is due. */
export interface DueDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly url: string;
  /** Newest first. */
  readonly secrets: readonly string[];
  readonly body: string;
  readonly tries: number;
}

export interface TryOutcome {
  /** `gone`: the receiver answered 410 and wants no more events. */
  readonly kind: 'delivered' | 'failed' | 'gone';
  /** For display. */
  readonly words: string;
}

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
  const enqueue = (
    { id, accountId }: { readonly id: string; readonly accountId: string },
    tries: number,
    transaction: DatabaseOrTransaction,
    delayMs = 0,
  ) => queue.enqueue(deliveryJob, `${id}.${tries}`, transaction, { delayMs, accountId });

  async function settle(
    transaction: DatabaseOrTransaction,
    due: DueDelivery,
    values: Pick<DeliveryRow, 'state' | 'outcome'>,
  ): Promise<void> {
    await transaction
      .updateTable('deliveries')
      .set({ ...values, tries: due.tries + 1, updated_at: clock() })
      .where('id', '=', due.id)
      .execute();
  }

  async function disable(transaction: DatabaseOrTransaction, endpointId: string, because: string) {
    const now = clock();
    await transaction
      .updateTable('webhook_endpoints')
      .set({ disabled_at: now, disabled_because: because })
      .where('id', '=', endpointId)
      .execute();
    await transaction
      .updateTable('deliveries')
      .set({ state: 'failed', outcome: because, updated_at: now })
      .where('endpoint_id', '=', endpointId)
      .where('state', '=', 'waiting')
      .execute();
  }

  async function noteFailure(
    transaction: DatabaseOrTransaction,
    due: DueDelivery,
    { kind, words }: TryOutcome,
  ) {
    const now = clock();
    const row = await transaction
      .selectFrom('deliveries')
      .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpoint_id')
      .select(['deliveries.earlier_tries', 'webhook_endpoints.failing_since'])
      .select('webhook_endpoints.account_id')
      .where('deliveries.id', '=', due.id)
      .executeTakeFirst();
    // The endpoint was removed during the call.
    if (!row) return;
    const failingSince = Number(row.failing_since ?? now);
    await transaction
      .updateTable('webhook_endpoints')
      .set({ failing_since: failingSince })
      .where('id', '=', due.endpointId)
      .execute();
    const pauseMs = pausesMs[due.tries - row.earlier_tries];
    const goesOn = kind === 'failed' && pauseMs !== undefined;
    await settle(transaction, due, { state: goesOn ? 'waiting' : 'failed', outcome: words });
    if (kind === 'gone') await disable(transaction, due.endpointId, 'it answered 410 Gone');
    else if (now - failingSince >= patienceMs)
      await disable(transaction, due.endpointId, 'it failed for five days');
    else if (goesOn)
      await enqueue({ id: due.id, accountId: row.account_id }, due.tries + 1, transaction, pauseMs);
  }

  return {
    /**
     * One query if no endpoint subscribes to the type. Call the queue's `wake` after the commit, or delivery
     * waits for the next poll.
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
      await transaction
        .insertInto('events')
        .values({ id: eventId, account_id: accountId, type, payload, created_at: now })
        .execute();
      for (const endpoint of hearing) {
        const id = newId('dlv');
        const open = endpoint.disabled_at === null;
        await transaction
          .insertInto('deliveries')
          .values({
            id,
            event_id: eventId,
            endpoint_id: endpoint.id,
            state: open ? 'waiting' : 'failed',
            tries: 0,
            earlier_tries: 0,
            outcome: open ? null : 'the endpoint was disabled',
            updated_at: now,
          })
          .execute();
        if (open) await enqueue({ id, accountId }, 0, transaction);
      }
    },

    /** Undefined if this try was already made, or the delivery is no longer waiting. */
    async findDue(job: string): Promise<DueDelivery | undefined> {
      const [id = '', tries] = job.split('.');
      const row = await database
        .selectFrom('deliveries')
        .innerJoin('events', 'events.id', 'deliveries.event_id')
        .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpoint_id')
        .select(['deliveries.id', 'deliveries.event_id', 'deliveries.endpoint_id', 'deliveries.tries'])
        .select(['events.payload', 'webhook_endpoints.url', 'webhook_endpoints.secret'])
        .select(['webhook_endpoints.old_secret', 'webhook_endpoints.old_secret_until'])
        .where('deliveries.id', '=', id)
        .where('deliveries.tries', '=', Number(tries))
        .where('deliveries.state', '=', 'waiting')
        .executeTakeFirst();
      if (!row) return undefined;
      const oldSigns = row.old_secret !== null && Number(row.old_secret_until) > clock();
      return {
        id,
        eventId: row.event_id,
        endpointId: row.endpoint_id,
        url: row.url,
        secrets: oldSigns ? [row.secret, row.old_secret!] : [row.secret],
        body: row.payload,
        tries: row.tries,
      };
    },

    async noteTry(due: DueDelivery, outcome: TryOutcome): Promise<void> {
      await transact(database, async (transaction) => {
        if (outcome.kind !== 'delivered') return noteFailure(transaction, due, outcome);
        await settle(transaction, due, { state: 'delivered', outcome: outcome.words });
        await transaction
          .updateTable('webhook_endpoints')
          .set({ failing_since: null })
          .where('id', '=', due.endpointId)
          .where('failing_since', 'is not', null)
          .execute();
      });
    },

    /** Redelivers delivered or failed events, except to disabled endpoints. Returns how many. */
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
          // Above any try that may still have a job: that job then finds nothing to do.
          const next = tries + 1;
          await transaction
            .updateTable('deliveries')
            .set({ state: 'waiting', tries: next, earlier_tries: next, updated_at: clock() })
            .where('id', '=', id)
            .execute();
          await enqueue({ id, accountId }, next, transaction);
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
        await database
          .deleteFrom('events')
          .where('created_at', '<=', next?.created_at ?? due)
          .execute();
        if (!next) return;
      }
    },
  };
}
