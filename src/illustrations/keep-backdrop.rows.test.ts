import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { type DesignHouse, imageFacts, openDesignHouse } from '../designs/testing/design-house.ts';
import { createFairSemaphore } from '../fair-semaphore.ts';
import { createBackdropStore } from './backdrop-store.ts';
import { backdropBlobs } from './illustration.ts';
import { createIllustrationUris } from './illustration-uri.ts';
import { createBackdropKeeper } from './keep-backdrop.ts';

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
});
afterEach(() => house.close());

const signal = new AbortController().signal;
const upload = { accountId: 'acc_own', readBytes: async () => Buffer.from('picture'), signal };
type Dependencies = Parameters<typeof createBackdropKeeper>[0];

function open(parts: Partial<Dependencies> = {}) {
  const clock = () => house.clock.now;
  const backdrops = createBackdropStore(house.database, { clock, retentionMs: 60_000 });
  const keeper = createBackdropKeeper({
    backdrops,
    blobs: house.blobs,
    uris: createIllustrationUris({
      secrets: { all: () => ['one'], refresh: async () => undefined },
      clock,
      lifeMs: 60_000,
    }),
    inspector: { inspectPhoto: async (bytes) => ({ facts: imageFacts, bytes }) },
    admitUpload: async () => undefined,
    places: createFairSemaphore({ places: 2 }),
    clock,
    onError: (error) => house.errors.push(error),
    ...parts,
  });
  return { keeper, backdrops };
}

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of house.blobs.list(backdropBlobs.all)) keys.push(key);
  return keys;
}

describe("a caller's own backdrop", () => {
  it('is stored with its bytes and gets two URIs', async () => {
    const { keeper } = open();
    const { backdrop, uri, previewUri } = await keeper.keepBackdrop(upload);
    expect(uri).toContain(`/v1/illustrations/${backdrop.id}.webp?`);
    expect(previewUri).toContain(`/v1/illustrations/${backdrop.id}-preview.webp?`);
    expect(String(await house.blobs.get(backdropBlobs.source(backdrop.id)))).toBe('picture');
  });

  it('leaves nothing behind if it is not a picture or its row cannot be written', async () => {
    const refusing = open({
      inspector: {
        async inspectPhoto() {
          throw new PackshotError('unsupported_image_format', 'a poem');
        },
      },
    });
    await expect(refusing.keeper.keepBackdrop(upload)).rejects.toMatchObject({
      code: 'unsupported_image_format',
    });
    const foreign = { ...upload, accountId: 'acc_none' };
    await expect(open().keeper.keepBackdrop(foreign)).rejects.toThrow();
    expect(await storedKeys()).toEqual([]);
  });

  it('can be deleted, together with its bytes, only by its own account', async () => {
    const { keeper } = open();
    const { backdrop } = await keeper.keepBackdrop(upload);
    const missing = { code: 'illustration_not_found' };
    await expect(keeper.eraseBackdrop(backdrop.id, 'acc_other')).rejects.toMatchObject(missing);
    expect(await storedKeys()).toHaveLength(1);
    await keeper.eraseBackdrop(backdrop.id, 'acc_own');
    expect(await storedKeys()).toEqual([]);
    await expect(keeper.eraseBackdrop(backdrop.id, 'acc_own')).rejects.toMatchObject(missing);
  });

  it('is swept only after its expiry; orphaned bytes are swept too', async () => {
    const { keeper } = open();
    const { backdrop } = await keeper.keepBackdrop(upload);
    await house.blobs.put(backdropBlobs.source('bdp_orphan'), Buffer.from('lost'));
    await keeper.sweepBackdrops();
    expect(await storedKeys()).toHaveLength(2);
    house.clock.now += 2 * 3_600_000;
    await keeper.sweepBackdrops();
    expect(await storedKeys()).toEqual([]);
    await expect(keeper.eraseBackdrop(backdrop.id, 'acc_own')).rejects.toThrow();
    expect(house.errors).toEqual([]);
  });

  it('stays as long as a look of its account shows it', async () => {
    const { keeper, backdrops } = open();
    const { backdrop } = await keeper.keepBackdrop(upload);
    const content = JSON.stringify({ backdrop: backdrop.id, variant: '1:1', mutations: {} });
    const look = { id: 'Look_a', account_id: 'acc_own', title: 'Spring', content, created_at: 0 };
    await house.database.insertInto('looks').values(look).execute();
    house.clock.now += 2 * 3_600_000;
    await keeper.sweepBackdrops();
    expect(await backdrops.findBackdrop(backdrop.id)).toMatchObject({ id: backdrop.id });
    await house.database.deleteFrom('looks').execute();
    expect(await backdrops.findBackdrop(backdrop.id)).toBeUndefined();
    await keeper.sweepBackdrops();
    expect(await storedKeys()).toEqual([]);
  });
});
