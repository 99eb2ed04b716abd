/** Projects: the name under which an uploader groups designs, to list and delete them together. */
import type { Kysely } from 'kysely';

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('designs').addColumn('project', 'text').execute();
  await schema
    .createIndex('designs_newest')
    .on('designs')
    .columns(['account_id', 'created_at', 'id'])
    .execute();
  await schema
    .createIndex('designs_project')
    .on('designs')
    .columns(['account_id', 'project', 'created_at'])
    .execute();
  // For the pictures that a deleted design leaves in batches.
  await schema.createIndex('batch_items_design').on('batch_items').column('design_id').execute();
}
