import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from '../blob-store.ts';
import { type FaultyProxy, startFaultyProxy } from '../testing/faulty-proxy.ts';
import { needsS3, type S3Server, startS3 } from '../testing/s3-server.ts';
import { openS3BlobStore } from './s3.ts';

const unavailable = { code: 'storage_unavailable', retryAfterS: 5 };
const open = (port: number, bucket: string, { accessKeyId, secretAccessKey }: Keys = noKeys) =>
  openS3BlobStore(
    { bucket, prefix: '', endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', pathStyle: true },
    { accessKeyId, secretAccessKey },
  );
type Keys = Pick<S3Server, 'accessKeyId' | 'secretAccessKey'>;
const noKeys = { accessKeyId: 'any', secretAccessKey: 'thing' };

describe.skipIf(needsS3)(`an S3 behind a faulty network${needsS3}`, () => {
  let s3: S3Server;
  let bucket: string;
  let proxy: FaultyProxy;
  let direct: BlobStore;
  let blobs: BlobStore;
  const old = Buffer.alloc(2_000_000, 'old');
  const young = Buffer.alloc(3_000_000, 'young');

  beforeAll(async () => {
    s3 = (await startS3())!;
    bucket = await s3.createBucket();
  });
  afterAll(() => s3.stop());
  beforeEach(async () => {
    const port = Number(new URL(s3.endpoint).port);
    proxy = await startFaultyProxy({ host: '127.0.0.1', port });
    direct = await open(port, bucket, s3);
    blobs = await open(proxy.port, bucket, s3);
    await direct.put('designs/a/source', old);
  });
  afterEach(() => proxy.close());

  it('fails with storage_unavailable while nothing responds, and recovers', async () => {
    proxy.stall();
    await Promise.all([
      expect(blobs.put('designs/b/source', young)).rejects.toMatchObject(unavailable),
      expect(blobs.get('designs/a/source')).rejects.toMatchObject(unavailable),
      expect(blobs.deleteAll('designs/c')).rejects.toMatchObject(unavailable),
      expect(firstOf(blobs, 'designs')).rejects.toMatchObject(unavailable),
    ]);
    await proxy.pass();
    expect((await blobs.get('designs/a/source'))!.equals(old)).toBe(true);
  });

  it('times out all callers while nothing responds, however many, and recovers', async () => {
    proxy.stall();
    const asked = Array.from({ length: 200 }, () => blobs.get('designs/a/source'));
    const failed = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
    expect(failed).toHaveLength(200);
    for (const { reason } of failed as PromiseRejectedResult[]) expect(reason).toMatchObject(unavailable);
    await proxy.pass();
    // The store first answers the calls that were held back, whose callers have left.
    const read = () => blobs.get('designs/a/source').catch(() => undefined);
    await expect.poll(async () => (await read())?.equals(old), { timeout: 60_000 }).toBe(true);
  });

  it('hides a single reset of an idle or busy connection', async () => {
    proxy.cut();
    expect((await blobs.get('designs/a/source'))!.equals(old)).toBe(true);
    const putting = blobs.put('designs/a/source', young);
    setImmediate(() => proxy.cut());
    await putting;
    expect((await direct.get('designs/a/source'))!.equals(young)).toBe(true);
  });

  it('keeps the old bytes intact if the connection is cut in the middle of every put', async () => {
    proxy.cutEvery(1_000_000);
    await expect(blobs.put('designs/a/source', young)).rejects.toMatchObject(unavailable);
    expect((await direct.get('designs/a/source'))!.equals(old)).toBe(true);
  });

  it('can be opened during an outage, and is available afterwards', async () => {
    await proxy.refuse();
    const opened = await open(proxy.port, bucket, s3);
    await expect(opened.get('designs/a/source')).rejects.toMatchObject(unavailable);
    await proxy.pass();
    expect((await opened.get('designs/a/source'))!.equals(old)).toBe(true);
  });
});

describe('an S3 that responds with', () => {
  const answers = new Map<string, { status: number; body: string }>([
    ['a full disk', { status: 507, body: '' }],
    ['a quota that is used up', { status: 403, body: '<Error><Code>QuotaExceeded</Code></Error>' }],
    [
      'a quota error of another name',
      { status: 400, body: '<Error><Code>XMinioAdminBucketQuotaExceeded</Code></Error>' },
    ],
    ['a request to slow down', { status: 503, body: '<Error><Code>SlowDown</Code></Error>' }],
    ['an internal error', { status: 500, body: '<Error><Code>InternalError</Code></Error>' }],
    ["a proxy's page", { status: 404, body: '<html><h1>404 Not Found</h1></html>' }],
    ['nothing but a status', { status: 502, body: '' }],
  ]);
  let answer: { status: number; body: string };
  let afterMs = 0;
  const server = createServer((request, response) => {
    const respond = () => response.writeHead(answer.status).end(answer.body);
    request.resume().once('end', () => setTimeout(respond, afterMs));
  });
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => {
    server.close().closeAllConnections();
  });
  const openAt = () => {
    answer = { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
    return open((server.address() as AddressInfo).port, 'bucket');
  };

  it.each([
    ['a full disk', 'storage_full'],
    ['a quota that is used up', 'storage_full'],
    ['a quota error of another name', 'storage_full'],
    ['a request to slow down', 'storage_unavailable'],
    ['an internal error', 'storage_unavailable'],
    ["a proxy's page", 'storage_unavailable'],
    ['nothing but a status', 'storage_unavailable'],
  ])('%s fails with %s', async (name, code) => {
    const blobs = await openAt();
    answer = answers.get(name)!;
    await expect(blobs.put('designs/a', Buffer.from('x'))).rejects.toMatchObject({ code });
    // In particular, the error must not be "no such blob": that would fail the design.
    await expect(blobs.get('designs/a')).rejects.toMatchObject({ code });
  });

  it('some delay is not reported as unavailable, even to callers that queue for a connection', async () => {
    const blobs = await openAt();
    // The delay is longer than the connect timeout.
    afterMs = 2_300;
    const asked = Array.from({ length: 130 }, (_, i) => blobs.get(`designs/none/${i}`));
    expect(await Promise.all(asked)).toEqual(asked.map(() => undefined));
    afterMs = 0;
  });

  it('a different region than configured is reported on opening', async () => {
    answer = { status: 301, body: '<Error><Code>PermanentRedirect</Code></Error>' };
    const opening = open((server.address() as AddressInfo).port, 'bucket');
    await expect(opening).rejects.toThrow('S3_REGION or S3_ENDPOINT');
  });
});

async function firstOf(blobs: BlobStore, prefix: string): Promise<string | undefined> {
  for await (const { key } of blobs.list(prefix)) return key;
  return undefined;
}
