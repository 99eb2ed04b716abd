import PQueue from 'p-queue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeBlobStore } from '../blob-store.contract.ts';
import type { BlobStore } from '../blob-store.ts';
import { needsS3, type S3Server, startS3 } from '../testing/s3-server.ts';
import { openS3BlobStore } from './s3.ts';

describe.skipIf(needsS3)(`blobs in S3${needsS3}`, () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = (await startS3())!;
  });
  afterAll(() => s3.stop());

  const open = (bucket: string, { prefix = '', secret = s3.secretAccessKey } = {}): Promise<BlobStore> =>
    openS3BlobStore(
      { bucket, prefix, endpoint: s3.endpoint, region: 'us-east-1', pathStyle: true },
      { accessKeyId: s3.accessKeyId, secretAccessKey: secret },
    );

  describeBlobStore('s3', async () => ({
    blobs: await open(await s3.createBucket(), { prefix: 'packshot/' }),
    close: async () => undefined,
  }));

  it('are separate from blobs under another prefix in the bucket', async () => {
    const bucket = await s3.createBucket();
    const [mine, others] = [
      await open(bucket, { prefix: 'mine/' }),
      await open(bucket, { prefix: 'mine/designs/' }),
    ];
    await mine.put('designs/a', Buffer.from('mine'));
    await others.put('designs/a', Buffer.from('others'));
    expect(String(await mine.get('designs/a'))).toBe('mine');
    expect(await keysBelow(others, 'designs')).toEqual(['designs/a']);
    await others.deleteAll('designs');
    expect(await keysBelow(others, 'designs')).toEqual([]);
    expect(await keysBelow(mine, 'designs')).toEqual(['designs/a']);
  });

  it('are listed and deleted even if the listing has several pages', async () => {
    const blobs = await open(await s3.createBucket());
    // Three pages: the tests' own S3 server lists 50 objects per page.
    const put = Array.from({ length: 120 }, (_, i) => `designs/a/blob${String(i).padStart(3, '0')}`);
    await new PQueue({ concurrency: 8 }).addAll(
      [...put, 'designs/b/beside'].map((key) => () => blobs.put(key, Buffer.from(key))),
    );
    expect(await keysBelow(blobs, 'designs/a')).toEqual(put);
    await blobs.deleteAll('designs/a');
    expect(await keysBelow(blobs, 'designs')).toEqual(['designs/b/beside']);
  });

  it('may be as large as the largest upload, and have keys with all kinds of allowed characters', async () => {
    const blobs = await open(await s3.createBucket());
    const key = 'designs/dsg_AZaz09-_/Az09_.-x..y.webp';
    const bytes = Buffer.alloc(25 * 1024 ** 2, 'packshot');
    await blobs.put(key, bytes);
    expect((await blobs.get(key))!.equals(bytes)).toBe(true);
    expect(await keysBelow(blobs, 'designs')).toEqual([key]);
  });

  it('cannot be opened with a wrong secret, and the message contains neither the right nor the wrong secret', async () => {
    const opening = open(await s3.createBucket(), { secret: 'not-the-secret' });
    await expect(opening).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(/credentials are refused/),
      cause: expect.anything(),
    });
    await expect(opening).rejects.not.toThrow(/not-the-secret|packshot:test/);
  });

  it('cannot be opened if the bucket is missing', async () => {
    await expect(open('no-such-bucket')).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringContaining('S3_BUCKET names a bucket that does not exist'),
    });
  });
});

async function keysBelow(blobs: BlobStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list(prefix)) keys.push(key);
  return keys.sort();
}
