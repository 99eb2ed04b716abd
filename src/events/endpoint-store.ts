/** The rows of webhook endpoints: where an account's events are sent, and whether deliveries succeed. */
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import { newId } from '../ids.ts';
import type { Database } from '../storage/database.ts';
import { deleteRows, findRow, insertRow, updateRows } from '../storage/rows.ts';
import type { WebhookEndpointRow } from '../storage/schema.ts';
import { type EventType, eventTypes } from './event.ts';
import { newWebhookSecret } from './sign-message.ts';

export interface WebhookEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly createdAt: Date;
  /** Why deliveries stopped; null while the endpoint is enabled. */
  readonly disabledBecause: string | null;
}

/** Counters for operators. */
export interface EndpointCounts {
  readonly waiting: number;
  readonly failed: number;
  /** Latest failure among waiting and failed deliveries; null if there is none. */
  readonly lastFailure: string | null;
}

export type EndpointStore = ReturnType<typeof createEndpointStore>;

export function createEndpointStore(database: Database, clock: () => number) {
  async function update(id: string, values: Partial<WebhookEndpointRow>): Promise<void> {
    if (!(await updateRows(database, 'webhook_endpoints', values, { id }))) throw noSuchEndpoint(id);
  }

  async function findLastFailure(endpointId: string): Promise<string | null> {
    const row = await database
      .selectFrom('deliveries')
      .select('outcome')
      .where('endpoint_id', '=', endpointId)
      .where('state', '!=', 'delivered')
      .where('outcome', 'is not', null)
      .orderBy('updated_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.outcome ?? null;
  }

  return {
    /** Returns the secret, which no later call returns. It is stored in plain text, because signing needs it. */
    async createEndpoint(
      values: Pick<WebhookEndpoint, 'accountId' | 'url' | 'events'>,
    ): Promise<{ readonly secret: string; readonly endpoint: WebhookEndpoint }> {
      const row: WebhookEndpointRow = {
        id: newId('whe'),
        account_id: values.accountId,
        url: values.url,
        events: JSON.stringify(values.events),
        secret: newWebhookSecret(),
        old_secret: null,
        old_secret_until: null,
        failing_since: null,
        disabled_at: null,
        disabled_because: null,
        created_at: clock(),
      };
      await insertRow(database, 'webhook_endpoints', row);
      return { secret: row.secret, endpoint: toEndpoint(row) };
    },

    /** Oldest first. */
    async listEndpoints(): Promise<(WebhookEndpoint & EndpointCounts)[]> {
      const rows = await database
        .selectFrom('webhook_endpoints')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      const counts = await database
        .selectFrom('deliveries')
        .select(['endpoint_id', 'state', ({ fn }) => fn.countAll<number>().as('count')])
        .where('state', '!=', 'delivered')
        .groupBy(['endpoint_id', 'state'])
        .execute();
      const count = (id: string, state: string) =>
        Number(counts.find((one) => one.endpoint_id === id && one.state === state)?.count ?? 0);
      return Promise.all(
        rows.map(async (row) => ({
          ...toEndpoint(row),
          waiting: count(row.id, 'waiting'),
          failed: count(row.id, 'failed'),
          lastFailure: await findLastFailure(row.id),
        })),
      );
    },

    /** Also deletes its deliveries, even waiting ones. Throws `invalid_field` if there is no such endpoint. */
    async removeEndpoint(id: string): Promise<void> {
      if (!(await deleteRows(database, 'webhook_endpoints', { id }))) throw noSuchEndpoint(id);
    },

    /** Returns a new secret. The old one also signs, for another `overlapMs`. Throws like `removeEndpoint`. */
    async rotateSecret(id: string, overlapMs: number): Promise<string> {
      const secret = newWebhookSecret();
      const row = await findRow(database, 'webhook_endpoints', { id });
      if (!row) throw noSuchEndpoint(id);
      await update(id, { secret, old_secret: row.secret, old_secret_until: clock() + overlapMs });
      return secret;
    },

    /**
     * Sends later events to the endpoint again. Failed deliveries, including those of events that occurred while it was
     * disabled, are sent only by the outbox's `replay`. Throws like `removeEndpoint`.
     */
    async enableEndpoint(id: string): Promise<void> {
      await update(id, { failing_since: null, disabled_at: null, disabled_because: null });
    },
  };
}

const eventsSchema = z.array(z.enum(eventTypes));

function toEndpoint(row: WebhookEndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    events: eventsSchema.parse(JSON.parse(row.events)),
    createdAt: new Date(Number(row.created_at)),
    disabledBecause: row.disabled_because,
  };
}

function noSuchEndpoint(id: string): PackshotError {
  return new PackshotError(
    'invalid_field',
    `There is no webhook endpoint ${id}; \`packshot webhooks list\` shows all of them.`,
  );
}
