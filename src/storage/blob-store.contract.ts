import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import type { BlobEntry, BlobStore } from './blob-store.ts';

export interface BlobStoreUnderTest {
  readonly blobs: BlobStore;
  close(): Promise<void>;
}

/** `open` returns an empty store that nothing else uses. */
export function describeBlobStore(name: string, open: () => Promise<BlobStoreUnderTest>): void {
  describe(`${name}, as a blob store`, () => {
    let opened: BlobStoreUnderTest;
    let blobs: BlobStore;
    beforeAll(async () => {
      opened = await open();
      blobs = opened.blobs;
    });
    afterAll(() => opened.close());
    beforeEach(() => blobs.deleteAll('designs'));

    describeBytes(() => blobs);
    describeFolders(() => blobs);
    describeKeys(() => blobs);
    describeRaces(() => blobs);
  });
}

function describeBytes(store: () => BlobStore): void {
  it('returns the bytes that were put, including an empty blob', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    await store().put('designs/a/source', bytes);
    await store().put('designs/a/empty', new Uint8Array(0));
    expect([...(await store().get('designs/a/source'))!]).toEqual([...bytes]);
    expect(await store().get('designs/a/empty')).toHaveLength(0);
  });

  it('returns undefined for a missing key, even if an existing key starts with the same characters', async () => {
    expect(await store().get('designs/none/source')).toBeUndefined();
    await store().put('designs/a/source', Buffer.from('x'));
    expect(await store().get('designs/a/sourc')).toBeUndefined();
  });

  it('stores only the bytes of a view, not the whole buffer behind the view', async () => {
    await store().put('designs/a/view', Buffer.from('before|inside|after').subarray(7, 13));
    expect(String(await store().get('designs/a/view'))).toBe('inside');
  });

  it('is unaffected if the buffers that were put or returned are changed later', async () => {
    const put = Buffer.from('kept');
    await store().put('designs/a/own', put);
    put.fill(0);
    (await store().get('designs/a/own'))!.fill(0);
    expect(String(await store().get('designs/a/own'))).toBe('kept');
  });

  it('replaces a blob completely: a shorter blob leaves no bytes of the longer one that it replaces', async () => {
    await store().put('designs/a/source', Buffer.from('a long one'));
    await store().put('designs/a/source', Buffer.from('short'));
    expect(String(await store().get('designs/a/source'))).toBe('short');
  });
}

function describeFolders(store: () => BlobStore): void {
  it('lists all keys below a prefix at any depth, and no others', async () => {
    for (const key of ['designs/a/source', 'designs/a/deep/er/matte.png', 'designs/ab/source']) {
      await store().put(key, Buffer.from(key));
    }
    expect(await keysBelow(store(), 'designs/a')).toEqual([
      'designs/a/deep/er/matte.png',
      'designs/a/source',
    ]);
    expect(await keysBelow(store(), 'designs')).toHaveLength(3);
    expect(await keysBelow(store(), 'designs/none')).toEqual([]);
  });

  it('reports a blob’s size, and its modification time to within a minute', async () => {
    await store().put('designs/a/source', Buffer.from('three'));
    const [entry] = await entriesBelow(store(), 'designs/a');
    expect(entry!.bytes).toBe(5);
    expect(Math.abs(Date.now() - entry!.modifiedAt.getTime())).toBeLessThan(60_000);
  });

  it('deletes all keys below a prefix, but no id that merely starts with the same characters', async () => {
    const neighbours = ['designs/dsg_ab/source', 'designs/dsg_a-b/source', 'designs/dsg_a.b/source'];
    for (const key of ['designs/dsg_a/source', 'designs/dsg_a/deep/er', ...neighbours]) {
      await store().put(key, Buffer.from(key));
    }
    await store().deleteAll('designs/dsg_a');
    expect(await keysBelow(store(), 'designs')).toEqual([...neighbours].sort());
    expect(await store().get('designs/dsg_a/source')).toBeUndefined();
  });

  it('deletes a single key by its full name, but no other key that starts with this name', async () => {
    await store().put('designs/a/plate-1', Buffer.from('1'));
    await store().put('designs/a/plate-10', Buffer.from('2'));
    await store().deleteAll('designs/a/plate-1');
    expect(await keysBelow(store(), 'designs')).toEqual(['designs/a/plate-10']);
  });

  it('accepts deleting a missing key, and accepts the key again afterwards', async () => {
    await store().deleteAll('designs/none');
    await store().put('designs/a/source', Buffer.from('1'));
    await store().deleteAll('designs/a');
    await store().deleteAll('designs/a');
    await store().put('designs/a/source', Buffer.from('2'));
    expect(String(await store().get('designs/a/source'))).toBe('2');
  });

  it('continues listing while listed blobs are deleted', async () => {
    const put = Array.from({ length: 12 }, (_, i) => `designs/d${i % 4}/blob${i}`);
    for (const key of put) await store().put(key, Buffer.from(key));
    const erased = new Set<string>();
    for await (const { key } of store().list('designs')) {
      const design = key.split('/', 2).join('/');
      erased.add(design);
      await store().deleteAll(design);
    }
    expect([...erased].sort()).toEqual(['designs/d0', 'designs/d1', 'designs/d2', 'designs/d3']);
    expect(await keysBelow(store(), 'designs')).toEqual([]);
  });
}

const invalidKeys = [
  '',
  '.',
  '..',
  '/',
  '/etc/passwd',
  '../blobs/x',
  'designs/..',
  'designs/../../x',
  'designs/./x',
  'designs//x',
  'designs/x/',
  'designs/.hidden',
  'designs\\..\\x',
  'designs/x\0',
  'designs/x\n',
  'designs/%2e%2e/x y',
  'C:/x',
];

function describeKeys(store: () => BlobStore): void {
  it.each(invalidKeys)('refuses %j as a key in every operation', async (key) => {
    await expect(store().put(key, Buffer.from('x'))).rejects.toThrow('not a blob key');
    await expect(store().get(key)).rejects.toThrow('not a blob key');
    await expect(store().deleteAll(key)).rejects.toThrow('not a blob key');
    await expect(entriesBelow(store(), key)).rejects.toThrow('not a blob key');
  });

  it('either rejects a key or returns exactly the bytes that were put under it', async () => {
    const segment = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '_', '-', '.', '/', '\\', ' '),
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(segment, async (text) => {
        const key = `designs/x/${text}`;
        const bytes = Buffer.from(key);
        try {
          await store().put(key, bytes);
        } catch (error) {
          expect(String(error)).toContain('not a blob key');
          return;
        }
        expect(await keysBelow(store(), 'designs')).toEqual([key]);
        expect((await store().get(key))?.equals(bytes)).toBe(true);
        await store().deleteAll('designs');
      }),
      { numRuns: 60, seed: 7 },
    );
  });
}

function describeRaces(store: () => BlobStore): void {
  it('shows readers either the old or the new blob in full during a replacement', async () => {
    const [ones, twos] = [Buffer.alloc(300_000, 1), Buffer.alloc(500_000, 2)];
    await store().put('designs/a/source', ones);
    const puts = [twos, ones, twos].map((bytes) => store().put('designs/a/source', bytes));
    const reads = Array.from({ length: 20 }, async () => {
      const bytes = (await store().get('designs/a/source'))!;
      return bytes.equals(ones) || bytes.equals(twos);
    });
    expect(await Promise.all(reads)).toEqual(Array(20).fill(true));
    await Promise.all(puts);
    const last = (await store().get('designs/a/source'))!;
    expect(last.equals(ones) || last.equals(twos)).toBe(true);
  });

  it('throws only storage errors if a design is deleted during writes', async () => {
    const put = Array.from({ length: 16 }, (_, i) => store().put(`designs/a/blob${i}`, Buffer.alloc(2_000)));
    const erase = Array.from({ length: 4 }, () => store().deleteAll('designs/a'));
    const failed = (await Promise.allSettled([...put, ...erase])).filter(
      (outcome) => outcome.status === 'rejected',
    );
    for (const { reason } of failed) expect(reason).toBeInstanceOf(PackshotError);
    await store().deleteAll('designs/a');
    expect(await keysBelow(store(), 'designs')).toEqual([]);
  });
}

async function entriesBelow(blobs: BlobStore, prefix: string): Promise<BlobEntry[]> {
  const entries: BlobEntry[] = [];
  for await (const entry of blobs.list(prefix)) entries.push(entry);
  return entries;
}

async function keysBelow(blobs: BlobStore, prefix: string): Promise<string[]> {
  return (await entriesBelow(blobs, prefix)).map(({ key }) => key).sort();
}
