/** Sources of picture URLs: which design was made from the photo at a URL. The design may have been deleted since. */
import type { Kysely } from 'kysely';

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('picture_sources')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('url_hash', 'text', (column) => column.notNull())
    .addColumn('design_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('picture_sources_pk', ['account_id', 'url_hash'])
    .execute();
  await schema.createIndex('picture_sources_design').on('picture_sources').column('design_id').execute();
}
