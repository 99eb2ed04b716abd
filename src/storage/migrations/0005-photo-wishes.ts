/** What an uploader asked of the photo: the meaning of its transparency, and whether to cut it out. */
import type { Kysely } from 'kysely';

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('designs').addColumn('alpha_wish', 'text').execute();
  await schema.alterTable('designs').addColumn('cutout_wish', 'text').execute();
}
