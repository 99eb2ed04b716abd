import { beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from './blob-store.ts';
import { createBlobEvictor } from './evict-blobs.ts';
import { openMemoryBlobStore } from './testing/memory-blobs.ts';

const minuteMs = 60_000;
let now: number;
let stored: BlobStore;
/** Number of times that all blobs were listed. */
let looks: number;
let room: { freeBytes: number; reserveBytes: number };
let errors: unknown[];
beforeEach(() => {
  now = 0;
  looks = 0;
  room = { freeBytes: 10_000, reserveBytes: 100 };
  errors = [];
  const memory = openMemoryBlobStore(() => now);
  stored = {
    ...memory,
    list(prefix) {
      looks++;
      return memory.list(prefix);
    },
  };
});

const open = (budgetBytes: number | undefined, blobs = stored) =>
  createBlobEvictor({
    blobs,
    prefixes: ['designs'],
    isMadeAgain: (key) => key.includes('plate'),
    budgetBytes,
    measureRoom: async () => room,
    clock: () => now,
    onError: (error) => errors.push(error),
  });

async function putEach(blobs: BlobStore, keys: readonly string[], bytes = 100): Promise<void> {
  for (const key of keys) {
    await blobs.put(`designs/${key}`, Buffer.alloc(bytes));
    now += 1;
  }
}

async function keysOf(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of stored.list('designs')) keys.push(key.slice('designs/'.length));
  looks--;
  return keys.sort();
}

const plates = (count: number) => Array.from({ length: count }, (_, i) => `a/plate${i}`);

describe('a byte budget', () => {
  it('evicts blobs that can be regenerated, least recently used first, down to nine tenths of the budget', async () => {
    await putEach(stored, ['a/source', ...plates(9), 'a/cutout']);
    const evictor = open(1_000);
    expect(await evictor.makeRoom()).toBe(200);
    expect(await keysOf()).toEqual(['a/cutout', ...plates(9).slice(2), 'a/source']);
    expect(evictor.measureUse()).toEqual({ usedBytes: 900, budgetBytes: 1_000, evictedBytes: 200 });
  });

  it('evicts nothing within the budget, and nothing without a budget', async () => {
    await putEach(stored, plates(10));
    expect(await open(1_000).makeRoom()).toBe(0);
    expect(await open(undefined).makeRoom()).toBe(0);
    expect(await keysOf()).toHaveLength(10);
  });

  it('never evicts blobs that cannot be regenerated, however far the budget is exceeded', async () => {
    await putEach(stored, ['a/source', 'a/plate1', 'b/source', 'b/cutout']);
    const evictor = open(100);
    expect((await evictor.planEviction()).suffices).toBe(false);
    expect(await evictor.makeRoom()).toBe(100);
    expect(await keysOf()).toEqual(['a/source', 'b/cutout', 'b/source']);
  });

  it('continues after a blob that cannot be deleted, and reports it', async () => {
    await putEach(stored, plates(12));
    const stuck = new Error('stuck');
    const evictor = open(1_000, {
      ...stored,
      deleteAll: (key) => (key.endsWith('plate1') ? Promise.reject(stuck) : stored.deleteAll(key)),
    });
    expect(await evictor.makeRoom()).toBe(200);
    expect(errors).toEqual([stuck]);
    expect(await keysOf()).toContain('a/plate1');
  });
});

describe('a full listing', () => {
  it('runs once, and again only when later puts exceed the budget, or an hour has passed', async () => {
    await putEach(stored, plates(9));
    const evictor = open(1_000);
    for (let run = 0; run < 5; run++) await evictor.makeRoom();
    expect(looks).toBe(1);
    await putEach(evictor.blobs, ['b/plate']);
    await evictor.makeRoom();
    expect(looks).toBe(1);
    await putEach(evictor.blobs, ['c/plate']);
    await evictor.makeRoom();
    expect(looks).toBe(2);
    expect(await keysOf()).toHaveLength(9);
    now += 59 * minuteMs;
    await evictor.makeRoom();
    expect(looks).toBe(2);
    now += minuteMs;
    await evictor.makeRoom();
    expect(looks).toBe(3);
  });

  it('is not repeated if it finds too few evictable blobs, until an evictable blob is put', async () => {
    await putEach(stored, ['a/source', 'b/source', 'c/source']);
    const evictor = open(100);
    for (let run = 0; run < 3; run++) await evictor.makeRoom();
    await putEach(evictor.blobs, ['d/source']);
    await evictor.makeRoom();
    expect(looks).toBe(1);
    await putEach(evictor.blobs, ['d/plate']);
    expect(await evictor.makeRoom()).toBe(100);
    expect(looks).toBe(2);
  });

  it('is shared by concurrent callers', async () => {
    await putEach(stored, plates(12));
    const evictor = open(1_000);
    expect(await Promise.all([evictor.makeRoom(), evictor.makeRoom()])).toEqual([300, 300]);
    expect(looks).toBe(1);
  });

  it('yields a plan of what would be evicted, without evicting anything', async () => {
    await putEach(stored, plates(12));
    const plan = await open(1_000).planEviction();
    expect(plan.evicted.map(({ key }) => key)).toEqual(plates(3).map((key) => `designs/${key}`));
    expect(plan).toMatchObject({ usedBytes: 1_200, evictedBytes: 300, suffices: true });
    expect(await keysOf()).toHaveLength(12);
  });
});

describe('a disk that runs full', () => {
  it('is freed before uploads are refused, even without a budget', async () => {
    await putEach(stored, plates(4));
    const evictor = open(undefined);
    room.freeBytes = 150;
    expect(await evictor.makeRoom()).toBe(0);
    room.freeBytes = 149;
    expect(await evictor.makeRoom()).toBe(100);
    expect(await keysOf()).toEqual(plates(4).slice(1));
  });

  it('is freed when an upload finds no room, and the upload is then admitted', async () => {
    await putEach(stored, plates(2));
    const evictor = open(undefined);
    room.freeBytes = 50;
    let asked = 0;
    const admit = async () => {
      if (++asked === 1) throw new Error('full');
    };
    await evictor.admitUpload(admit);
    expect(asked).toBe(2);
    expect(await keysOf()).toEqual([]);
    const refuse = () => Promise.reject(new Error('full'));
    await expect(evictor.admitUpload(refuse)).rejects.toThrow('full');
  });
});
