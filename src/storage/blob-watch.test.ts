import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BlobStore } from './blob-store.ts';
import { watchBlobs } from './blob-watch.ts';
import { storageUnavailable } from './storage-errors.ts';
import { openMemoryBlobStore } from './testing/memory-blobs.ts';

/** A store whose connection can be cut. */
function openFarStore() {
  const line = { state: 'up' as 'up' | 'down' | 'silent', asked: 0 };
  const near = openMemoryBlobStore();
  const far: BlobStore = {
    ...near,
    async get(key) {
      line.asked++;
      if (line.state === 'down') throw storageUnavailable(new Error('away'));
      return line.state === 'up' ? near.get(key) : new Promise(() => undefined);
    },
  };
  return { line, watch: watchBlobs(far) };
}

describe('the health check of a remote blob store', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('finds no fault in a store that responds, and reports no disk', async () => {
    const { watch } = openFarStore();
    expect(await watch.findObstacles()).toEqual([]);
    await watch.admitUpload();
    expect(await watch.measureSpace()).toBeUndefined();
  });

  it('refuses uploads with Retry-After during an outage, and accepts them afterwards', async () => {
    const { line, watch } = openFarStore();
    line.state = 'down';
    expect(await watch.findObstacles()).toEqual(['the object store does not respond']);
    await expect(watch.admitUpload()).rejects.toMatchObject({
      code: 'storage_unavailable',
      retryAfterS: 5,
      cause: { cause: { message: 'away' } },
    });
    line.state = 'up';
    vi.advanceTimersByTime(2_001);
    await watch.admitUpload();
    expect(await watch.findObstacles()).toEqual([]);
  });

  it('gives up after two seconds if the store does not respond', async () => {
    const { line, watch } = openFarStore();
    line.state = 'silent';
    const found = watch.findObstacles();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await found).toEqual(['the object store does not respond']);
  });

  it('probes at most once in two seconds, however many callers ask', async () => {
    const { line, watch } = openFarStore();
    await Promise.all(Array.from({ length: 20 }, () => watch.findObstacles()));
    vi.advanceTimersByTime(1_900);
    await watch.admitUpload();
    expect(line.asked).toBe(1);
  });
});
