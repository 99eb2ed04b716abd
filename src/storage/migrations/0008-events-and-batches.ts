/** Webhook events and their deliveries, batches and their items, and job priorities. */
import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('jobs')
    .addColumn('rank', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await addEvents(database);
  await addBatches(database);
}

async function addEvents(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('webhook_endpoints')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('old_secret', 'text')
    .addColumn('old_secret_until', 'bigint')
    .addColumn('failing_since', 'bigint')
    .addColumn('disabled_at', 'bigint')
    .addColumn('disabled_because', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('webhook_endpoints_account')
    .on('webhook_endpoints')
    .column('account_id')
    .execute();

  await database.schema
    .createTable('events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('events_age').on('events').column('created_at').execute();

  await database.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull().references('events.id').onDelete('cascade'))
    .addColumn('endpoint_id', 'text', (column) =>
      column.notNull().references('webhook_endpoints.id').onDelete('cascade'),
    )
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('earlier_tries', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('deliveries_once', ['event_id', 'endpoint_id'])
    .execute();
  await database.schema
    .createIndex('deliveries_state')
    .on('deliveries')
    .columns(['endpoint_id', 'state'])
    .execute();
}

async function addBatches(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('batches')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('sandbox', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .execute();
  await database.schema.createIndex('batches_expiry').on('batches').column('expires_at').execute();

  await database.schema
    .createTable('batch_items')
    .addColumn('batch_id', 'text', (column) => column.notNull().references('batches.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('file_name', 'text', (column) => column.notNull())
    .addColumn('recipe', 'text', (column) => column.notNull())
    .addColumn('url', 'text')
    .addColumn('design_id', 'text')
    .addColumn('result', 'text')
    .addColumn('failure', 'text')
    .addPrimaryKeyConstraint('batch_items_pk', ['batch_id', 'position'])
    .execute();
  await database.schema
    .createIndex('batch_items_state')
    .on('batch_items')
    .columns(['batch_id', 'state'])
    .execute();
}
