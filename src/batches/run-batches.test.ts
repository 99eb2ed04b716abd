import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { createFairSemaphore } from '../fair-semaphore.ts';
import { openQueue } from '../jobs/open-queue.ts';
import type { Queue } from '../jobs/queue.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { createLocalNotices, type Notices } from '../storage/notices.ts';
import { openMemoryBlobStore } from '../storage/testing/memory-blobs.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { batchItemJob, type ItemWish } from './accept-batch.ts';
import { batchBlobs, type ItemCounts } from './batch.ts';
import { createBatchStore } from './batch-store.ts';
import type { ItemMaker } from './make-item.ts';
import { createBatchRunner } from './run-batches.ts';
import { readZip } from './testing/read-zip.ts';

const hour = 3_600_000;
const eventually = { timeout: 10_000, interval: 10 };
const owner = { accountId: 'acc_own', keyId: 'key_1', sandbox: false, events: ['batch.completed'] as const };
const recipe = { recipeId: 'Solid1_1_0035', variant: '1:1', format: 'jpeg' as const };
const wish = (designId: string, name?: string): ItemWish => ({ photo: { designId }, recipe, name });
const wishes = (count: number) => Array.from({ length: count }, (_, i) => wish(`dsg_${i}`));
const wholePage = { after: -1, limit: 1_000 };

type Dependencies = Parameters<typeof createBatchRunner>[0];
type Parts = Partial<Dependencies> & Partial<ItemMaker>;

let opened: TemporaryDatabase;
let blobs: BlobStore;
let notices: Notices;
let now: number;
const queues: Queue[] = [];
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.UTC(2026, 0, 1);
  blobs = openMemoryBlobStore(() => now);
  notices = createLocalNotices();
});
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.close({ graceMs: 200 })));
  await opened.close();
});

/** A separate process on the same rows. By default, the bytes of each picture are the id of its design. */
function openProcess({ createFromUrl, createFromFile, render, ...parts }: Parts = {}) {
  const { database } = opened;
  const queue = openQueue({
    database,
    notices,
    clock: Date.now,
    sharedUrl: undefined,
    onError: () => undefined,
  });
  queues.push(queue);
  const rendered: string[] = [];
  const runner = createBatchRunner({
    database,
    blobs,
    queue,
    notices,
    batches: createBatchStore(database, {
      clock: () => now,
      retentionMs: 24 * hour,
      listener: {
        onItem: async () => undefined,
        // Stored as a row, as in the service, so that a rollback also drops the event.
        async onCompleted({ id, accountId: account_id }, counts, transaction) {
          const event = {
            account_id,
            type: 'batch.completed',
            payload: JSON.stringify(counts),
            created_at: 0,
          };
          await transaction
            .insertInto('events')
            .values({ ...event, id })
            .execute();
        },
      },
    }),
    admitItem: async () => undefined,
    admitUpload: async () => undefined,
    uploadPlaces: createFairSemaphore({ places: 2 }),
    items: {
      createFromUrl: createFromUrl ?? (async (url) => `dsg_of_${url}`),
      createFromFile:
        createFromFile ?? (async ({ bytes, fileName }) => `dsg_of_${Buffer.from(bytes)}_${fileName}`),
      render:
        render ??
        (async ({ designId }) => {
          rendered.push(designId);
          return picture(designId);
        }),
    },
    concurrency: 2,
    maxWaitingItems: 10,
    clock: () => now,
    onError: () => undefined,
    ...parts,
  });
  return { runner, queue, rendered };
}
const picture = (content: string) => ({ bytes: Buffer.from(content), etag: `"${content}"`, warnings: [] });
const throwing =
  (code: ConstructorParameters<typeof PackshotError>[0]): ItemMaker['render'] =>
  async () => {
    throw new PackshotError(code, `because of ${code}`);
  };
/** Reads the counts of each completed batch from the events. */
async function listCompleted(): Promise<ItemCounts[]> {
  const rows = await opened.database.selectFrom('events').select('payload').execute();
  return rows.map(({ payload }) => JSON.parse(payload));
}
const over = (times = 1) =>
  vi.waitFor(async () => expect(await listCompleted()).toHaveLength(times), eventually);
async function keys() {
  const all: string[] = [];
  for await (const { key } of blobs.list(batchBlobs.all)) all.push(key);
  return all.sort();
}

describe('a batch', () => {
  it('makes each of its pictures once, and returns all of them in its ZIP', async () => {
    const { runner, rendered } = openProcess();
    runner.work();
    const { id } = await runner.createBatch(owner, [
      wish('dsg_a', 'mug'),
      wish('dsg_b', '../mug'),
      { photo: { url: 'u' }, recipe: { ...recipe, format: 'png' }, name: undefined },
    ]);
    await over();
    expect(rendered.toSorted()).toEqual(['dsg_a', 'dsg_b', 'dsg_of_u']);
    const { batch, counts, items } = await runner.readBatch(id, 'acc_own', wholePage);
    expect(batch).toMatchObject({ state: 'completed', endedAt: new Date(now) });
    expect(counts).toEqual({ total: 3, waiting: 0, done: 3, failed: 0, cancelled: 0 });
    expect(items.map(({ designId }) => designId)).toEqual(['dsg_a', 'dsg_b', 'dsg_of_u']);

    const [manifest, ...files] = await readZip(await buffer(await runner.zipBatch(id, 'acc_own')));
    expect(files.map(({ name, bytes }) => [name, String(bytes)])).toEqual([
      ['mug.jpeg', 'dsg_a'],
      ['_mug.jpeg', 'dsg_b'],
      ['0003.png', 'dsg_of_u'],
    ]);
    expect(JSON.parse(String(manifest!.bytes))).toMatchObject({
      id,
      items: [{ item: 0, status: 'done', file: 'mug.jpeg' }, { file: '_mug.jpeg' }, { file: '0003.png' }],
    });
  });

  it('continues in the next process after a crash, and repeats no finished item', async () => {
    const first = openProcess({ concurrency: 1, maxWaitingItems: 100 });
    const made: string[] = [];
    const stuck = Promise.withResolvers<void>();
    const dying = openProcess({
      concurrency: 1,
      async render({ designId }) {
        if (made.length === 4) {
          stuck.resolve();
          return new Promise(() => undefined);
        }
        made.push(designId);
        return picture(designId);
      },
    });
    dying.runner.work();
    const { id } = await first.runner.createBatch(owner, wishes(10));
    await stuck.promise;
    // From here on, other processes consider this process dead.
    await dying.queue.close({ graceMs: 0 });
    first.runner.work();
    await over();
    expect([...made, ...first.rendered].toSorted()).toEqual(wishes(10).map((_, i) => `dsg_${i}`));
    const files = (await readZip(await buffer(await first.runner.zipBatch(id, 'acc_own')))).slice(1);
    expect(files.map(({ bytes }) => String(bytes))).toEqual(wishes(10).map((_, i) => `dsg_${i}`));
  });

  it('is not visible to other accounts', async () => {
    const { runner } = openProcess();
    const { id } = await runner.createBatch(owner, wishes(1));
    for (const call of [
      () => runner.readBatch(id, 'acc_other', wholePage),
      () => runner.zipBatch(id, 'acc_other'),
      () => runner.eraseBatch(id, 'acc_other'),
      () => runner.readBatch('bat_unknown', 'acc_own', wholePage),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'batch_not_found' });
    }
    expect((await runner.readBatch(id, 'acc_own', wholePage)).batch.state).toBe('queued');
  });

  it('is refused while too many pictures of earlier batches wait', async () => {
    const { runner } = openProcess({ maxWaitingItems: 3 });
    await runner.createBatch(owner, wishes(2));
    await runner.createBatch(owner, wishes(2));
    const refused = { code: 'queue_full', retryAfterS: 60 };
    await expect(runner.createBatch(owner, wishes(1))).rejects.toMatchObject(refused);
  });
});

describe('an item', () => {
  it.each([
    ['no_subject_found', 1],
    ['insufficient_credits', 1],
    ['source_fetch_failed', 2],
    ['deadline_exceeded', 2],
  ] as const)(
    'that ends in %s fails with this error after %i attempts, and the other items continue',
    async (code, tries) => {
      let tried = 0;
      const { runner } = openProcess({
        async render(order, signal) {
          if (order.designId !== 'dsg_1') return picture('x');
          tried++;
          return throwing(code)(order, signal);
        },
      });
      runner.work();
      const { id } = await runner.createBatch(owner, wishes(3));
      await over();
      expect(tried).toBe(tries);
      expect(await listCompleted()).toMatchObject([{ done: 2, failed: 1 }]);
      const { items } = await runner.readBatch(id, 'acc_own', wholePage);
      expect(items[1]).toMatchObject({ state: 'failed', failure: { code, detail: `because of ${code}` } });
      const files = (await readZip(await buffer(await runner.zipBatch(id, 'acc_own')))).map(
        ({ name }) => name,
      );
      expect(files).toEqual(['manifest.json', '0001.jpeg', '0003.jpeg']);
    },
  );

  it.each(['invalid_api_key', 'expired_api_key'] as const)(
    'fails with %s, without fetching its photo, if its key is no longer valid',
    async (code) => {
      let refused = false;
      const uploads: string[] = [];
      const { runner, rendered } = openProcess({
        concurrency: 1,
        async admitItem({ keyId }) {
          if (refused) throw new PackshotError(code, `${keyId} is not valid`);
        },
        async createFromUrl(url) {
          uploads.push(url);
          refused = true;
          return `dsg_of_${url}`;
        },
      });
      runner.work();
      const photos = ['a', 'b', 'c'].map((url) => ({ photo: { url }, recipe, name: undefined }));
      const { id } = await runner.createBatch(owner, [...photos, wish('dsg_d')]);
      await over();
      expect(uploads).toEqual(['a']);
      expect(rendered).toEqual(['dsg_of_a']);
      const { items } = await runner.readBatch(id, 'acc_own', wholePage);
      const failure = { code, detail: 'key_1 is not valid' };
      expect(items.slice(1)).toMatchObject(Array(3).fill({ state: 'failed', failure }));
    },
  );

  it('fails if its key is revoked before the batch begins, and the batch completes', async () => {
    const { runner, rendered } = openProcess({
      async admitItem() {
        throw new PackshotError('invalid_api_key', 'revoked');
      },
    });
    await runner.createBatch(owner, wishes(3));
    runner.work();
    await over();
    expect(await listCompleted()).toMatchObject([{ done: 0, failed: 3 }]);
    expect(rendered).toEqual([]);
  });

  it('that fails twice with an unexpected error fails with a generic reason', async () => {
    let tried = 0;
    const { runner } = openProcess({
      async render() {
        tried++;
        throw new Error('/srv/secret died');
      },
    });
    runner.work();
    const { id } = await runner.createBatch(owner, wishes(1));
    await over();
    expect(tried).toBe(2);
    const { items } = await runner.readBatch(id, 'acc_own', wholePage);
    expect(items[0]?.failure).toMatchObject({ code: 'internal' });
    expect(items[0]?.failure?.detail).not.toContain('secret');
  });

  it('waits as long as necessary while the service is at capacity', async () => {
    let tried = 0;
    const { runner } = openProcess({
      async render({ designId }, signal) {
        if (++tried <= 3) return throwing('queue_full')({} as never, signal);
        return picture(designId);
      },
    });
    runner.work();
    await runner.createBatch(owner, wishes(1));
    await over();
    expect(await listCompleted()).toMatchObject([{ done: 1, failed: 0 }]);
  });

  it('fetches its photo only once, even if a failed render is retried', async () => {
    const uploads: string[] = [];
    let tried = 0;
    const { runner } = openProcess({
      async createFromUrl(url) {
        uploads.push(url);
        return 'dsg_new';
      },
      async render(order, signal) {
        if (++tried === 1) return throwing('deadline_exceeded')(order, signal);
        return picture(order.designId);
      },
    });
    runner.work();
    await runner.createBatch(owner, [{ photo: { url: 'https://a/secret?k=1' }, recipe, name: undefined }]);
    await over();
    expect(uploads).toEqual(['https://a/secret?k=1']);
    expect(await opened.database.selectFrom('batch_items').select('url').execute()).toEqual([{ url: null }]);
  });
});

describe('a deleted batch', () => {
  it('starts no more items, aborts running ones, and keeps no picture', async () => {
    const began: string[] = [];
    const stopped = Promise.withResolvers<void>();
    const { runner, queue } = openProcess({
      concurrency: 1,
      async render({ designId }, signal) {
        began.push(designId);
        if (designId === 'dsg_0') return picture('x');
        signal.addEventListener('abort', () => stopped.resolve());
        await stopped.promise;
        signal.throwIfAborted();
        throw new Error('the item was not aborted');
      },
    });
    runner.work();
    const { id } = await runner.createBatch(owner, wishes(5));
    await vi.waitFor(() => expect(began).toHaveLength(2), eventually);
    await expect(runner.zipBatch(id, 'acc_own')).rejects.toMatchObject({ code: 'batch_not_completed' });
    await runner.eraseBatch(id, 'acc_own');
    // The jobs of waiting items are removed at once; only the running one may still have to end.
    expect(await queue.count(batchItemJob)).toBeLessThanOrEqual(1);
    await vi.waitFor(async () => expect(await queue.count(batchItemJob)).toBe(0), eventually);
    expect(began).toHaveLength(2);
    expect(await keys()).toEqual([]);
    const { batch, counts } = await runner.readBatch(id, 'acc_own', wholePage);
    expect(batch.state).toBe('cancelled');
    expect(counts).toMatchObject({ done: 1, cancelled: 4, failed: 0 });
    expect(await listCompleted()).toEqual([]);
    await expect(runner.zipBatch(id, 'acc_own')).rejects.toMatchObject({ code: 'batch_not_completed' });
    await runner.eraseBatch(id, 'acc_own');
    await expect(runner.readBatch(id, 'acc_own', wholePage)).rejects.toMatchObject({
      code: 'batch_not_found',
    });
  });

  it('keeps no picture that finishes during its deletion', async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { runner, queue } = openProcess({
      async render() {
        begun.resolve();
        // Ignores its signal, like work that is about to finish.
        await gate.promise;
        return picture('x');
      },
    });
    runner.work();
    const { id } = await runner.createBatch(owner, wishes(1));
    await begun.promise;
    await runner.eraseBatch(id, 'acc_own');
    gate.resolve();
    await vi.waitFor(async () => expect(await queue.count(batchItemJob)).toBe(0), eventually);
    expect(await keys()).toEqual([]);
  });
});

describe('an erased design', () => {
  it('takes its pictures out of batches, and each batch of which nothing else is left', async () => {
    const { runner } = openProcess({
      async render({ designId }) {
        if (designId === 'dsg_bad') throw new PackshotError('invalid_mutation', 'no');
        return picture(designId);
      },
    });
    runner.work();
    const mixed = await runner.createBatch(owner, [wish('dsg_a', 'mug'), wish('dsg_b', 'lamp')]);
    const only = await runner.createBatch(owner, [wish('dsg_a'), wish('dsg_a'), wish('dsg_bad')]);
    await over(2);
    await runner.eraseResultsOf('dsg_a');
    expect(await keys()).toEqual([batchBlobs.result(mixed.id, 1)]);
    const [manifest, ...files] = await readZip(await buffer(await runner.zipBatch(mixed.id, 'acc_own')));
    expect(files.map(({ name }) => name)).toEqual(['lamp.jpeg']);
    expect(String(manifest!.bytes)).not.toMatch('dsg_a');
    await runner.eraseResultsOf('dsg_bad');
    await expect(runner.readBatch(only.id, 'acc_own', wholePage)).rejects.toMatchObject({
      code: 'batch_not_found',
    });
  });
});

describe('an erased design that a batch still needs', () => {
  it('leaves no picture, even one that finishes meanwhile, and the rest of the batch completes', async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { runner, queue, rendered } = openProcess({
      concurrency: 1,
      async render({ designId }) {
        rendered.push(designId);
        if (designId === 'dsg_b') return picture('b');
        begun.resolve();
        await gate.promise;
        return picture('a');
      },
    });
    runner.work();
    const { id } = await runner.createBatch(owner, [wish('dsg_a', 'mug'), wish('dsg_b'), wish('dsg_a')]);
    await begun.promise;
    await runner.eraseResultsOf('dsg_a');
    gate.resolve();
    await over();
    await vi.waitFor(async () => expect(await queue.count(batchItemJob)).toBe(0), eventually);
    expect(rendered).toEqual(['dsg_a', 'dsg_b']);
    expect(await keys()).toEqual([batchBlobs.result(id, 1)]);
    const { counts, items } = await runner.readBatch(id, 'acc_own', wholePage);
    expect(counts).toEqual({ total: 3, waiting: 0, done: 1, failed: 0, cancelled: 2 });
    expect(items.map(({ fileName }) => fileName)).toEqual(['deleted-1', '0002.jpeg', 'deleted-3']);
  });
});

describe('the sweep', () => {
  it('erases expired batches and orphaned blobs', async () => {
    const { runner } = openProcess();
    runner.work();
    const { id } = await runner.createBatch(owner, wishes(2));
    await over();
    now += 23 * hour;
    await blobs.put(batchBlobs.result('bat_lost', 0), Buffer.from('x'));
    const { id: younger } = await runner.createBatch(owner, wishes(1));
    await over(2);
    now += 2 * hour;
    await expect(runner.readBatch(id, 'acc_own', wholePage)).rejects.toMatchObject({
      code: 'batch_not_found',
    });
    await runner.sweepBatches();
    expect(await keys()).toEqual([batchBlobs.result(younger, 0)]);
  });
});

describe('a batch that comes with its photos', () => {
  const never = new AbortController().signal;
  const { events, ...poster } = owner;
  const ofPhoto = (number: number, format: 'jpeg' | 'png' = 'jpeg'): ItemWish => ({
    photo: { photo: { number, fileName: `${number}.jpg` } },
    recipe: { ...recipe, format },
    name: undefined,
  });
  /** Posts a batch whose photos have these contents. */
  const post = (runner: ReturnType<typeof createBatchRunner>, photos: string[], wished: ItemWish[]) =>
    runner.createBatchOfFiles(
      poster,
      async (keep) => {
        for (const [number, content] of photos.entries()) await keep(number, Buffer.from(content));
        return { events, wishes: wished };
      },
      never,
    );

  it('creates one design per photo, however many items share the photo, and keeps no photo afterwards', async () => {
    const uploaded: string[] = [];
    const { runner, rendered } = openProcess({
      async createFromFile({ bytes, fileName }) {
        uploaded.push(`${Buffer.from(bytes)} ${fileName}`);
        return `dsg_${fileName}`;
      },
    });
    const batch = await post(runner, ['mug', 'shoe'], [ofPhoto(0), ofPhoto(0, 'png'), ofPhoto(1)]);
    expect(await keys()).toEqual([batchBlobs.photo(batch.id, 0), batchBlobs.photo(batch.id, 1)]);
    runner.work();
    await over();
    expect(uploaded.sort()).toEqual(['mug 0.jpg', 'shoe 1.jpg']);
    expect(rendered.sort()).toEqual(['dsg_0.jpg', 'dsg_0.jpg', 'dsg_1.jpg']);
    // A photo is deleted after the row of its last item is settled.
    const results = [0, 1, 2].map((position) => batchBlobs.result(batch.id, position));
    await expect.poll(keys, { timeout: 30_000 }).toEqual(results);
  });

  it('creates only one design even if the second item was read before the first had made the design', async () => {
    const uploaded: string[] = [];
    let admitted = 0;
    const { runner, rendered } = openProcess({
      async createFromFile({ fileName }) {
        uploaded.push(fileName);
        await vi.waitFor(() => expect(admitted).toBe(2), eventually);
        return `dsg_${fileName}`;
      },
      async admitItem() {
        admitted++;
        if (admitted !== 2) return;
        const named = opened.database
          .selectFrom('batch_items')
          .select('design_id')
          .where('photo', 'is', null);
        await vi.waitFor(async () => expect(await named.execute()).toHaveLength(2), eventually);
      },
    });
    await post(runner, ['mug'], [ofPhoto(0), ofPhoto(0, 'png')]);
    runner.work();
    await over();
    expect(uploaded).toEqual(['0.jpg']);
    expect(rendered).toEqual(['dsg_0.jpg', 'dsg_0.jpg']);
  });

  it('fails only the items of a bad photo, and deletes the photo with the last of them', async () => {
    const { runner } = openProcess({
      async createFromFile({ fileName }) {
        if (fileName === '0.jpg') throw new PackshotError('image_undecodable', 'broken');
        return 'dsg_good';
      },
    });
    const refused = { failure: { code: 'file_too_large', detail: 'too large' } };
    const large: ItemWish = { photo: refused, recipe, name: undefined };
    const { id } = await post(runner, ['bad', 'good'], [ofPhoto(0), ofPhoto(0, 'png'), large, ofPhoto(1)]);
    const before = await runner.readBatch(id, 'acc_own', wholePage);
    expect(before.counts).toMatchObject({ waiting: 4, failed: 0 });
    runner.work();
    await over();
    const { items } = await runner.readBatch(id, 'acc_own', wholePage);
    expect(items.map(({ state, failure }) => failure?.code ?? state)).toEqual([
      'image_undecodable',
      'image_undecodable',
      'file_too_large',
      'done',
    ]);
    await expect.poll(keys, { timeout: 30_000 }).toEqual([batchBlobs.result(id, 3)]);
  });

  it('leaves nothing behind if the upload is aborted', async () => {
    const { runner, queue } = openProcess();
    const posting = runner.createBatchOfFiles(
      poster,
      async (keep) => {
        await keep(0, Buffer.from('mug'));
        throw new PackshotError('missing_file', 'broke off');
      },
      never,
    );
    await expect(posting).rejects.toMatchObject({ code: 'missing_file' });
    expect(await keys()).toEqual([]);
    expect(await queue.count(batchItemJob)).toBe(0);
  });

  it('may leave photos if its process dies during the upload; a sweep deletes photos without a batch', async () => {
    const { runner } = openProcess();
    await blobs.put(batchBlobs.photo('bat_lost', 0), Buffer.from('lost'));
    const { id } = await post(runner, ['mug'], [ofPhoto(0)]);
    await runner.sweepBatches();
    expect(await keys()).toHaveLength(2);
    now += 2 * hour;
    await runner.sweepBatches();
    expect(await keys()).toEqual([batchBlobs.photo(id, 0)]);
  });

  it('is refused if the storage is full', async () => {
    const full = openProcess({
      async admitUpload() {
        throw new PackshotError('storage_full', 'full');
      },
    });
    const posting = post(full.runner, ['mug'], [ofPhoto(0)]);
    await expect(posting).rejects.toMatchObject({ code: 'storage_full' });
    expect(await keys()).toEqual([]);
  });

  it('keeps no photo after it is canceled', async () => {
    const { runner } = openProcess();
    const { id } = await post(runner, ['mug'], [ofPhoto(0)]);
    await runner.eraseBatch(id, 'acc_own');
    expect(await keys()).toEqual([]);
  });
});
