/** Cluster state: facts on which all processes that use one database agree. */
import { randomUUID } from 'node:crypto';
import { PackshotError } from 'packshot-errors';
import type { BlobStore } from './blob-store.ts';
import type { Database } from './database.ts';
import { findRow } from './rows.ts';

const blobStoreFact = 'blob-store';
const markOf = (id: string) => `stores/${id}`;

/**
 * Throws `storage_unavailable` if this process uses another blob store than the other processes on the same database: a
 * folder that is not shared, or another bucket. The other processes would not find the photos that this process stores.
 */
export async function checkSameBlobs(
  database: Database,
  blobs: BlobStore,
  clock: () => number,
): Promise<void> {
  const known = await findFact(database, blobStoreFact);
  if (known !== undefined) return checkMark(known, blobs);
  const id = randomUUID();
  // Write the marker blob before the row. A row without a marker would shut out every process.
  await blobs.put(markOf(id), Buffer.from(id));
  await database
    .insertInto('service_facts')
    .values({ name: blobStoreFact, value: id, updated_at: clock() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const agreed = await findFact(database, blobStoreFact);
  if (agreed !== id) {
    await blobs.deleteAll(markOf(id));
    await checkMark(agreed!, blobs);
  }
}

/** Writes the marker blob again, because a lifecycle rule of the bucket may delete old objects. */
export async function touchMarker(database: Database, blobs: BlobStore): Promise<void> {
  const id = await findFact(database, blobStoreFact);
  if (id !== undefined) await blobs.put(markOf(id), Buffer.from(id));
}

async function checkMark(id: string, blobs: BlobStore): Promise<void> {
  if (await blobs.get(markOf(id))) return;
  throw new PackshotError(
    'storage_unavailable',
    'The pictures of this DATABASE_URL are stored elsewhere: all processes need the same bucket and S3_PREFIX, or a shared DATA_DIR.',
  );
}

/** Claims a periodic task. Returns whether this process should run it in this period. */
export async function takeTurn(
  database: Database,
  name: string,
  { everyMs, clock }: { readonly everyMs: number; readonly clock: () => number },
): Promise<boolean> {
  const now = clock();
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('service_facts')
    .values({ name: `turn/${name}`, value: '', updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ updated_at: now })
        .where('service_facts.updated_at', '<=', now - everyMs),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

async function findFact(database: Database, name: string): Promise<string | undefined> {
  return (await findRow(database, 'service_facts', { name }))?.value;
}
