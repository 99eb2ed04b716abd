import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { createFairSemaphore } from '../fair-semaphore.ts';
import { createDesignCreator, cutoutJob } from './create-design.ts';
import { type DesignHouse, imageFacts, openDesignHouse } from './testing/design-house.ts';

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
});
afterEach(() => house.close());

const signal = new AbortController().signal;
const bytes = Buffer.from('a photo');
const readPhoto = async () => ({ bytes, fileName: 'blue-mug.jpg', kindHint: undefined });
const creator = (parts: Partial<Parameters<typeof createDesignCreator>[0]> = {}) =>
  createDesignCreator({
    ...house,
    inspector: { inspectPhoto: async (bytes) => ({ facts: imageFacts, bytes }) },
    admitUpload: async () => undefined,
    places: createFairSemaphore({ places: 16, maxPerAccount: 8 }),
    dueInMs: 1_000,
    maxWaitingCutouts: 2,
    findPaceMs: () => 4_500,
    findLeastPaceMs: () => 4_500,
    ...parts,
  });

describe('an upload', () => {
  it('is stored, with a row and a queued job, before the call is answered', async () => {
    const design = await creator().createDesign({ accountId: 'acc_own', readPhoto, signal });
    expect(design.id).toMatch(/^dsg_[0-9A-Za-z]{22}$/);
    expect(await house.designs.resolveDesign(design.id, 'acc_own')).toEqual(design);
    expect((await house.blobs.get(`designs/${design.id}/source`))?.equals(bytes)).toBe(true);
    expect(await house.queue.count(cutoutJob)).toBe(1);
  });

  it('wakes the queue only after the row and the bytes are stored', async () => {
    const seen = Promise.withResolvers<unknown>();
    house.queue.work(cutoutJob, {
      concurrency: 1,
      maxAttempts: 1,
      run: async (id) => seen.resolve([(await house.designs.findDesign(id))?.state, await house.keys()]),
      giveUp: async () => undefined,
    });
    const { id } = await creator().createDesign({ accountId: 'acc_own', readPhoto, signal });
    expect(await seen.promise).toEqual(['processing', [`designs/${id}/source`]]);
  });

  it('leaves nothing if its photo is refused', async () => {
    const refusing = creator({
      inspector: {
        async inspectPhoto() {
          throw new PackshotError('image_undecodable', 'broken');
        },
      },
    });
    await expect(refusing.createDesign({ accountId: 'acc_own', readPhoto, signal })).rejects.toMatchObject({
      code: 'image_undecodable',
    });
    expect(await house.keys()).toEqual([]);
    expect(await house.queue.count(cutoutJob)).toBe(0);
  });

  it('leaves no bytes if its row cannot be written', async () => {
    // An unknown account violates the row's foreign key.
    await expect(creator().createDesign({ accountId: 'acc_none', readPhoto, signal })).rejects.toThrow();
    expect(await house.keys()).toEqual([]);
    expect(await house.queue.count(cutoutJob)).toBe(0);
  });

  it('leaves neither row nor job if its bytes cannot be stored', async () => {
    const put = async () => {
      throw new PackshotError('storage_full', 'no room');
    };
    const full = creator({ blobs: { ...house.blobs, put } });
    await expect(full.createDesign({ accountId: 'acc_own', readPhoto, signal })).rejects.toMatchObject({
      code: 'storage_full',
    });
    expect(await house.database.selectFrom('designs').select('id').execute()).toEqual([]);
    expect(await house.queue.count(cutoutJob)).toBe(0);
  });
});

describe('admission', () => {
  it('throws queue_full with Retry-After once the limit is reached, before a byte is read', async () => {
    const { createDesign } = creator();
    const upload = { accountId: 'acc_own', readPhoto, signal };
    await house.insertDesign('dsg_a');
    await createDesign(upload);
    let read = false;
    const refused = createDesign({
      ...upload,
      readPhoto: async () => {
        read = true;
        return readPhoto();
      },
    });
    await expect(refused).rejects.toMatchObject({ code: 'queue_full', retryAfterS: 5 });
    expect(read).toBe(false);
    await house.designs.removeDesign('dsg_a');
    await createDesign(upload);
  });

  it('refuses a caller who cannot wait as long as the line takes, and tells how long that is', async () => {
    const pace = { findPaceMs: () => 10_000, findLeastPaceMs: () => 9_000 };
    const { createDesign } = creator({ maxWaitingCutouts: 1_000, ...pace });
    const upload = { accountId: 'acc_own', readPhoto, signal };
    for (let i = 0; i < 7; i++) await createDesign(upload);
    await expect(createDesign({ ...upload, patienceMs: 60_000 })).rejects.toMatchObject({
      code: 'queue_full',
      retryAfterS: 10,
    });
    await createDesign({ ...upload, patienceMs: 75_000 });
    await createDesign(upload);
  });

  it('refuses nobody because an earlier cutout took unusually long', async () => {
    const pace = { findPaceMs: () => 10_000, findLeastPaceMs: () => 500 };
    const { createDesign } = creator({ maxWaitingCutouts: 1_000, ...pace });
    const upload = { accountId: 'acc_own', readPhoto, signal };
    for (let i = 0; i < 12; i++) await createDesign({ ...upload, patienceMs: 19_000 });
  });

  it('refuses an account at its limit, but no other account', async () => {
    const { createDesign } = creator();
    const upload = { accountId: 'acc_own', readPhoto, signal };
    for (let i = 0; i < 2; i++) await createDesign(upload);
    await expect(createDesign(upload)).rejects.toMatchObject({ code: 'queue_full' });
    await expect(createDesign({ ...upload, accountId: 'acc_other' })).resolves.toMatchObject({
      state: 'processing',
    });
  });

  it('queues a photo behind at most one photo of a busier account', async () => {
    const { createDesign } = creator({ maxWaitingCutouts: 32 });
    const many: string[] = [];
    for (let i = 0; i < 32; i++)
      many.push((await createDesign({ accountId: 'acc_own', readPhoto, signal })).id);
    const { id } = await createDesign({ accountId: 'acc_other', readPhoto, signal });
    const cut: string[] = [];
    house.queue.work(cutoutJob, {
      concurrency: 1,
      maxAttempts: 1,
      run: async (design) => void cut.push(design),
      giveUp: async () => undefined,
    });
    await expect.poll(() => cut.length, { timeout: 20_000 }).toBe(33);
    expect(cut.slice(0, 2)).toEqual([many[0], id]);
    expect(cut.filter((design) => design !== id)).toEqual(many);
  });

  it('exceeds the limit by no more than an account’s share of slots, however many uploads arrive at once', async () => {
    const { createDesign } = creator();
    const uploads = Array.from({ length: 40 }, () =>
      createDesign({ accountId: 'acc_own', readPhoto, signal }),
    );
    const settled = await Promise.allSettled(uploads);
    expect(settled.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(2 + 8);
  });

  it('reads no more concurrent uploads of an account than its share of slots', async () => {
    const { createDesign } = creator({ maxWaitingCutouts: 100 });
    let reading = 0;
    let most = 0;
    const allEight = Promise.withResolvers<void>();
    const slowly = async () => {
      most = Math.max(most, ++reading);
      if (reading === 8) allEight.resolve();
      await allEight.promise;
      // Gives any other upload time to start.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      reading--;
      return readPhoto();
    };
    await Promise.all(
      Array.from({ length: 20 }, () => createDesign({ accountId: 'acc_own', readPhoto: slowly, signal })),
    );
    expect(most).toBe(8);
  });

  it('serves another account at once while one account uploads slowly', async () => {
    const { createDesign } = creator({ maxWaitingCutouts: 100 });
    const gone = new AbortController();
    let reading = 0;
    const dripping = () => {
      reading++;
      return new Promise<never>((_, reject) =>
        gone.signal.addEventListener('abort', () => reject(gone.signal.reason)),
      );
    };
    const drips = Promise.allSettled(
      Array.from({ length: 30 }, () =>
        createDesign({ accountId: 'acc_own', readPhoto: dripping, signal: gone.signal }),
      ),
    );
    await vi.waitFor(() => expect(reading).toBe(8));
    await createDesign({ accountId: 'acc_other', readPhoto, signal });
    expect(reading).toBe(8);
    gone.abort(new Error('hung up'));
    await drips;
  });

  it('keeps the slot of a disconnected caller until the bytes are released', async () => {
    const places = createFairSemaphore({ places: 2, maxPerAccount: 1 });
    const { createDesign } = creator({ places });
    const gone = new AbortController();
    const held = Promise.withResolvers<Awaited<ReturnType<typeof readPhoto>>>();
    const left = createDesign({
      accountId: 'acc_own',
      readPhoto: () => held.promise,
      signal: gone.signal,
    }).catch(() => undefined);
    await vi.waitFor(() => expect(places.state().held).toBe(1));
    gone.abort(new Error('hung up'));
    await new Promise(setImmediate);
    expect(places.state().held).toBe(1);
    held.resolve(await readPhoto());
    await left;
    expect(places.state().held).toBe(0);
  });
});
