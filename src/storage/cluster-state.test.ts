import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSameBlobs, takeTurn, touchMarker } from './cluster-state.ts';
import { openMemoryBlobStore } from './testing/memory-blobs.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/temporary-database.ts';

let opened: TemporaryDatabase;
let now: number;
const clock = () => now;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.UTC(2026, 0, 1);
});
afterEach(() => opened.close());

describe('the blob store that belongs to a database', () => {
  it('is the store that the first process uses; every process that uses the same store is accepted', async () => {
    const blobs = openMemoryBlobStore(clock);
    await Promise.all([1, 2, 3].map(() => checkSameBlobs(opened.database, blobs, clock)));
    await checkSameBlobs(opened.database, blobs, clock);
    const keys: string[] = [];
    for await (const { key } of blobs.list('stores')) keys.push(key);
    expect(keys).toHaveLength(1);
  });

  it('is recognized after its marker was deleted and written again', async () => {
    const blobs = openMemoryBlobStore(clock);
    await touchMarker(opened.database, blobs);
    await checkSameBlobs(opened.database, blobs, clock);
    await blobs.deleteAll('stores');
    await touchMarker(opened.database, blobs);
    await checkSameBlobs(opened.database, blobs, clock);
  });

  it('cannot be replaced by another store', async () => {
    await checkSameBlobs(opened.database, openMemoryBlobStore(clock), clock);
    const refused = checkSameBlobs(opened.database, openMemoryBlobStore(clock), clock);
    await expect(refused).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(refused).rejects.toThrow('S3_PREFIX');
  });

  it('is a single store: of two processes that start with different stores, one is refused', async () => {
    const begun = await Promise.allSettled(
      [1, 2].map(() => checkSameBlobs(opened.database, openMemoryBlobStore(clock), clock)),
    );
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a task run once per period', () => {
  it('is claimed by only one process per period', async () => {
    const take = () => takeTurn(opened.database, 'sweep', { everyMs: 1_000, clock });
    expect((await Promise.all([take(), take(), take()])).filter(Boolean)).toHaveLength(1);
    now += 999;
    expect(await take()).toBe(false);
    now += 1;
    expect(await take()).toBe(true);
    expect(await takeTurn(opened.database, 'other', { everyMs: 1_000, clock })).toBe(true);
  });
});
