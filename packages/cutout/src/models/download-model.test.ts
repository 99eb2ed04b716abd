import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PackshotError } from '../../../errors/index.ts';
import { type DownloadRequest, downloadModel } from './download-model.ts';
import { type FileServer, startFileServer } from './testing/file-server.ts';

const file = randomBytes(200_000);
const sha256 = createHash('sha256').update(file).digest('hex');

let folder: string;
let partialFile: string;
let server: FileServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-download-'));
  partialFile = join(folder, 'model.onnx.part');
  server = await startFileServer(file);
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const download = (changes: Partial<DownloadRequest> = {}) =>
  downloadModel({
    url: `${server.url}/model.onnx`,
    partialFile,
    sha256,
    admit: () => Promise.resolve(),
    signal: new AbortController().signal,
    onProgress: () => server.cut(),
    pausesMs: [0, 0],
    ...changes,
  });

describe('a download', () => {
  it('fetches the file, reports its progress, and leaves nothing beside it', async () => {
    const seen: unknown[] = [];
    const admitted: unknown[] = [];
    const found = await download({
      onProgress: (...progress) => seen.push(progress),
      admit: async (...sizes) => void admitted.push(sizes),
    });
    expect(found).toBe(sha256);
    expect(await readFile(partialFile)).toEqual(file);
    expect(await readdir(folder)).toEqual(['model.onnx.part']);
    expect(seen.at(-1)).toEqual([file.length, file.length]);
    expect(admitted).toEqual([[file.length, file.length]]);
  });

  it('continues after a broken connection, as often as it breaks', async () => {
    server.faults.push(
      { cutAfter: 50_000 },
      { cutAfter: 50_000 },
      { cutAfter: 50_000 },
      { cutAfter: 40_000 },
    );
    await download();
    expect(await readFile(partialFile)).toEqual(file);
    expect(server.ranges).toHaveLength(5);
    expect(server.ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range))).toBe(true);
  });

  it('keeps the received bytes when it gives up, and continues after them at the next call', async () => {
    server.faults.push({ cutAfter: 60_000 }, { status: 503 }, { status: 502 }, { status: 500 });
    const failed = await download().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(PackshotError);
    expect(failed).toMatchObject({
      code: 'source_fetch_failed',
      message: expect.stringContaining('to continue'),
    });
    const kept = await readFile(partialFile);
    expect(kept.length).toBeGreaterThan(0);
    expect(file.subarray(0, kept.length)).toEqual(kept);
    await download();
    expect(server.ranges.at(-1)).toBe(`bytes=${kept.length}-`);
    expect(await readFile(partialFile)).toEqual(file);
  });

  it('sends no request if the file is already complete', async () => {
    await writeFile(partialFile, file);
    const asked = server.ranges.length;
    expect(await download({ bytes: file.length })).toBe(sha256);
    expect(server.ranges).toHaveLength(asked);
  });

  it('starts again if the file has changed meanwhile, or the server does not support ranges', async () => {
    const other = randomBytes(file.length);
    server.faults.push({ cutAfter: 100_000 }, { status: 500 }, { status: 500 }, { status: 500 });
    await expect(download({ sha256: undefined })).rejects.toThrow('status 500');
    server.serve(other, '"v2"');
    await download({ sha256: undefined });
    expect(await readFile(partialFile)).toEqual(other);

    const plain = await startFileServer(file, { ranges: false });
    plain.faults.push({ cutAfter: 100_000 });
    await rm(partialFile);
    await download({ url: plain.url, onProgress: () => plain.cut() });
    await plain.close();
    expect(await readFile(partialFile)).toEqual(file);
  });

  it('starts again after a broken connection if neither a checksum nor an ETag identifies the file', async () => {
    const weak = await startFileServer(file, { etag: 'W/"v1"' });
    weak.faults.push({ cutAfter: 100_000 });
    await download({ url: weak.url, sha256: undefined, onProgress: () => weak.cut() });
    await weak.close();
    expect(weak.ranges).toEqual(['', '']);
  });

  it('whose SHA-256 differs from the given one is rejected and deleted', async () => {
    await expect(download({ sha256: 'a'.repeat(64) })).rejects.toThrow(/has the SHA-256 .*, not aaa/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('whose size differs from the listed one is refused before it begins', async () => {
    await expect(download({ bytes: 5 })).rejects.toThrow('offers 200000 bytes, but the file should have 5');
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not start if `admit` rejects it, for example because the disk is full', async () => {
    const full = new PackshotError('storage_full', 'No room.');
    await expect(download({ admit: () => Promise.reject(full) })).rejects.toBe(full);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    [{ status: 404 }, /status 404/],
    [{ status: 401 }, /status 401/],
    [{ status: 302, location: 'http://models.example/x' }, /https only/],
  ])('fails without a retry on the response %j', async (fault, message) => {
    server.faults.push(fault);
    await expect(download()).rejects.toThrow(message);
    expect(server.ranges).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('follows a redirect with the requested range', async () => {
    const target = await startFileServer(file);
    server.faults.push({ cutAfter: 100_000 }, { status: 307, location: `${target.url}/elsewhere` });
    await download();
    await target.close();
    expect(await readFile(partialFile)).toEqual(file);
    expect(target.ranges).toEqual([expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  });

  it('stops on abort, and keeps the received bytes', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const stopped = download({ signal: stop.signal, onProgress: () => stop.abort(reason) });
    await expect(stopped).rejects.toBe(reason);
    expect(await readdir(folder)).toContain('model.onnx.part');
  });

  it('uses the proxy from the environment', async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on('connect', ({ url }, socket) => {
      asked.push(url);
      const { hostname, port } = new URL(server.url);
      const target = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      socket.pipe(target).pipe(socket);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    vi.stubEnv('NO_PROXY', '');
    expect(await download()).toBe(sha256);
    proxy.closeAllConnections();
    proxy.close();
    expect(asked).toEqual([new URL(server.url).host]);
  });
});
