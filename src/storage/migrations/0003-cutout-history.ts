/** The revisions of a cutout that a person has corrected. */
import type { Kysely } from 'kysely';

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('designs').addColumn('cutout_history', 'text').execute();
}
