/** Which design was made from the photo at a URL: each account's photo is fetched and cut out once. */
import { createHash } from 'node:crypto';
import type { Database } from '../storage/database.ts';
import { findRow } from '../storage/rows.ts';

export function createSourceStore(database: Database, clock: () => number) {
  return {
    async findDesignId(accountId: string, url: string): Promise<string | undefined> {
      const source = { account_id: accountId, url_hash: hash(url) };
      return (await findRow(database, 'picture_sources', source))?.design_id;
    },

    /** Replaces an earlier design of the same URL. */
    async noteDesign(accountId: string, url: string, designId: string): Promise<void> {
      const made = { design_id: designId, created_at: clock() };
      await database
        .insertInto('picture_sources')
        .values({ account_id: accountId, url_hash: hash(url), ...made })
        .onConflict((conflict) => conflict.columns(['account_id', 'url_hash']).doUpdateSet(made))
        .execute();
    },
  };
}

export type SourceStore = ReturnType<typeof createSourceStore>;

/** A URL may contain a signature, which must not be stored. */
const hash = (url: string): string => createHash('sha256').update(url).digest('hex');
