/** What processes on the same rows agree on. */
import { randomUUID } from 'node:crypto';
import { PackshotError } from '../errors.ts';
import type { BlobStore } from './blob-store.ts';
import type { Database } from './database.ts';

const blobStoreFact = 'blob-store';
const markOf = (id: string) => `stores/${id}`;

/**
 * Throws `storage_unavailable` where this process keeps its blobs elsewhere than the others on the same rows do: in a
 * folder that is not shared, or in another bucket. Each photo would be lost to whoever did not store it.
 */
export async function checkSameBlobs(
  database: Database,
  blobs: BlobStore,
  clock: () => number,
): Promise<void> {
  const known = await findFact(database, blobStoreFact);
  if (known !== undefined) return checkMark(known, blobs);
  const id = randomUUID();
  // Before its row: a row without a mark would keep everybody out.
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

/** A bucket may forget what nobody has written for long. */
export async function renewMark(database: Database, blobs: BlobStore): Promise<void> {
  const id = await findFact(database, blobStoreFact);
  if (id !== undefined) await blobs.put(markOf(id), Buffer.from(id));
}

async function checkMark(id: string, blobs: BlobStore): Promise<void> {
  if (await blobs.get(markOf(id))) return;
  throw new PackshotError(
    'storage_unavailable',
    'The pictures that belong to DATABASE_URL are kept elsewhere: every process needs the same bucket and S3_PREFIX, or a DATA_DIR that all of them share.',
  );
}

/** Whether it is this process's turn to do what is to be done once in so long, by whichever of them. */
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
  const row = await database
    .selectFrom('service_facts')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}
