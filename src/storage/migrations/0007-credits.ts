/** Quotas and charges of keys, usage per day, and an audit log of keys. */
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('api_keys')
    .addColumn('mode', 'text', (column) => column.notNull().defaultTo('live'))
    .execute();
  // A key and its successors share one quota.
  await database.schema
    .alterTable('api_keys')
    .addColumn('quota_id', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await database.schema
    .createTable('quotas')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('remaining_milli', 'bigint')
    .addColumn('used_milli', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update api_keys set quota_id = id`.execute(database);
  await sql`update api_keys set mode = 'test' where hint like 'psk_test_%'`.execute(database);
  await sql`insert into quotas (id, used_milli) select id, 0 from api_keys`.execute(database);

  await database.schema
    .createTable('charges')
    .addColumn('quota_id', 'text', (column) => column.notNull())
    .addColumn('etag', 'text', (column) => column.notNull())
    .addColumn('credits_milli', 'bigint', (column) => column.notNull())
    .addColumn('holders', 'integer', (column) => column.notNull())
    .addColumn('charged_at', 'bigint')
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('charges_pk', ['quota_id', 'etag'])
    .execute();
  await database.schema.createIndex('charges_age').on('charges').column('updated_at').execute();

  await database.schema
    .createTable('usage_days')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('uploads', 'integer', (column) => column.notNull())
    .addColumn('previews', 'integer', (column) => column.notNull())
    .addColumn('full_versions', 'integer', (column) => column.notNull())
    .addColumn('credits_milli', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_days_pk', ['key_id', 'day'])
    .execute();

  await database.schema
    .createTable('key_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('details', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  // Counted at each scrape of the metrics.
  await database.schema.createIndex('designs_state').on('designs').column('state').execute();
}
