/** The attempts of a delivery: which one is due, its outcome, and when the next one is due. */
import type { Queue } from '../jobs/queue.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { updateRows } from '../storage/rows.ts';
import type { DeliveryRow } from '../storage/schema.ts';
import { transact } from '../storage/transact.ts';

/** A job's key is the delivery's id and the number of earlier tries, so that each try is a separate job. */
export const deliveryJob = 'deliver';

const minute = 60_000;
const hour = 60 * minute;
/** Delays before the second and each later try: the schedule of Standard Webhooks, up to its delay of ten hours. */
const pausesMs = [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
/** An endpoint that has failed for this long is disabled until an operator enables it again. */
const patienceMs = 5 * 24 * hour;

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
  /** `gone`: the receiver responded with 410, which means that it accepts no more events. */
  readonly kind: 'delivered' | 'failed' | 'gone';
  /** For display. */
  readonly words: string;
}

/** Enqueues a delivery attempt; `tries` is the number of earlier ones. Call the queue's `wake` after the commit. */
export const enqueueDelivery = (
  queue: Pick<Queue, 'enqueue'>,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  tries: number,
  transaction: DatabaseOrTransaction,
  delayMs = 0,
): Promise<void> => queue.enqueue(deliveryJob, `${id}.${tries}`, transaction, { delayMs, accountId });

export type DeliveryTries = ReturnType<typeof createDeliveryTries>;

interface Dependencies {
  readonly database: Database;
  readonly queue: Pick<Queue, 'enqueue'>;
  readonly clock: () => number;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createDeliveryTries({ database, queue, clock }: Dependencies) {
  async function settle(
    transaction: DatabaseOrTransaction,
    due: DueDelivery,
    values: Pick<DeliveryRow, 'state' | 'outcome'>,
  ): Promise<void> {
    const tried = { ...values, tries: due.tries + 1, updated_at: clock() };
    await updateRows(transaction, 'deliveries', tried, { id: due.id });
  }

  async function disable(transaction: DatabaseOrTransaction, endpointId: string, because: string) {
    const now = clock();
    const disabled = { disabled_at: now, disabled_because: because };
    await updateRows(transaction, 'webhook_endpoints', disabled, { id: endpointId });
    const failed = { state: 'failed', outcome: because, updated_at: now } as const;
    await updateRows(transaction, 'deliveries', failed, { endpoint_id: endpointId, state: 'waiting' });
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
    await updateRows(
      transaction,
      'webhook_endpoints',
      { failing_since: failingSince },
      { id: due.endpointId },
    );
    const pauseMs = pausesMs[due.tries - row.earlier_tries];
    const goesOn = kind === 'failed' && pauseMs !== undefined;
    await settle(transaction, due, { state: goesOn ? 'waiting' : 'failed', outcome: words });
    if (kind === 'gone') await disable(transaction, due.endpointId, 'it responded with 410 Gone');
    else if (now - failingSince >= patienceMs)
      await disable(transaction, due.endpointId, 'it failed for five days');
    else if (goesOn) {
      const next = { id: due.id, accountId: row.account_id };
      await enqueueDelivery(queue, next, due.tries + 1, transaction, pauseMs);
    }
  }

  return {
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
        await updateRows(
          transaction,
          'webhook_endpoints',
          { failing_since: null },
          { id: due.endpointId },
          (row) => row('failing_since', 'is not', null),
        );
      });
    },
  };
}
