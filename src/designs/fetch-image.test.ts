import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createImageFetcher, type ImageFetcher, type ImageFetcherConfig } from './fetch-image.ts';

const photo = Buffer.from('the bytes of a photo');
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

async function serve(listener: RequestListener): Promise<number> {
  return listen(createServer(listener));
}

/** Responds to every request with the photo, and records the requests. */
async function servePhoto() {
  const hits: { path: string | undefined; headers: Record<string, unknown>; rawHeaders: string[] }[] = [];
  const port = await serve((request, response) => {
    hits.push({ path: request.url, headers: request.headers, rawHeaders: request.rawHeaders });
    response.end(photo);
  });
  return { hits, port };
}

function openFetcher(config: Partial<ImageFetcherConfig> = {}): ImageFetcher {
  const fetcher = createImageFetcher({ allow: [], maxBytes: 1_000, refusalStepMs: 1, ...config });
  cleanups.push(() => fetcher.close());
  return fetcher;
}

const fetchFrom = (fetcher: ImageFetcher, url: string, signal = new AbortController().signal) =>
  fetcher.fetchImage(url, { signal });

const loopback = { allow: ['127.0.0.1'] };

const resolveTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('fetching a photo', () => {
  it('returns the body of an allowed URL', async () => {
    const { port, hits } = await servePhoto();
    expect(await fetchFrom(openFetcher(loopback), `http://127.0.0.1:${port}/a%20b?c=d#e`)).toEqual(photo);
    expect(hits[0]?.path).toBe('/a%20b?c=d');
  });

  it('identifies itself, asks for an uncompressed body and sends only necessary headers', async () => {
    const { port, hits } = await servePhoto();
    await fetchFrom(openFetcher(loopback), `http://127.0.0.1:${port}/`);
    expect(hits[0]?.headers).toMatchObject({
      'accept-encoding': 'identity',
      'user-agent': expect.stringMatching(/^Packshot\//),
    });
    expect(Object.keys(hits[0]!.headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes a body that the host compresses unasked with %s', async (encoding, compress) => {
    const port = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(photo)),
    );
    expect(await fetchFrom(openFetcher(loopback), `http://127.0.0.1:${port}/`)).toEqual(photo);
  });

  it('names itself as the operator chose, and asks for long signed URLs', async () => {
    const { port, hits } = await servePhoto();
    const path = `/a.jpg?X-Amz-Security-Token=${'x'.repeat(8_000)}`;
    await fetchFrom(openFetcher({ ...loopback, userAgent: 'Shop/2' }), `http://127.0.0.1:${port}${path}`);
    expect([hits[0]?.path, hits[0]?.headers['user-agent']]).toEqual([path, 'Shop/2']);
  });

  it('ignores proxy variables', async () => {
    const { port } = await servePhoto();
    const proxy = await servePhoto();
    cleanups.push(() => vi.unstubAllEnvs());
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'])
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    await fetchFrom(openFetcher(loopback), `http://127.0.0.1:${port}/`);
    expect(proxy.hits).toEqual([]);
  });

  it('reaches an allowlisted name on any port, whatever it resolves to', async () => {
    const { port, hits } = await servePhoto();
    const fetcher = openFetcher({ allow: ['cdn.internal'], lookup: resolveTo('127.0.0.1') });
    expect(await fetchFrom(fetcher, `http://CDN.internal.:${port}/`)).toEqual(photo);
    expect(hits[0]?.headers.host).toBe(`cdn.internal.:${port}`);
  });

  it('tries the next checked address when the first does not answer', async () => {
    const { port } = await servePhoto();
    const fetcher = openFetcher({ allow: ['127.0.0.0/8', '::1'], lookup: resolveTo('::1', '127.0.0.1') });
    expect(await fetchFrom(fetcher, `http://two.example:${port}/`)).toEqual(photo);
  });

  it('sends the name, not the address, as TLS server name', async () => {
    const greeting = Promise.withResolvers<Buffer>();
    const port = await listen(
      createTcpServer((socket) =>
        socket
          .on('error', () => undefined)
          .once('data', (data) => {
            greeting.resolve(data);
            socket.destroy();
          }),
      ),
    );
    const fetcher = openFetcher({ ...loopback, lookup: resolveTo('127.0.0.1') });
    await expect(fetchFrom(fetcher, `https://shop.example:${port}/`)).rejects.toMatchObject({
      code: 'source_fetch_failed',
    });
    expect((await greeting.promise).includes('shop.example')).toBe(true);
  });
});

describe('following redirects', () => {
  it('follows three redirects, including relative ones, and no fourth', async () => {
    const port = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end(photo);
      else response.writeHead(302, { location: `${left - 1}` }).end('moved');
    });
    const fetcher = openFetcher(loopback);
    expect(await fetchFrom(fetcher, `http://127.0.0.1:${port}/3`)).toEqual(photo);
    await expect(fetchFrom(fetcher, `http://127.0.0.1:${port}/4`)).rejects.toMatchObject({
      code: 'source_fetch_failed',
      message: expect.stringContaining('3 times'),
    });
  });

  it('gives up on a loop', async () => {
    let hits = 0;
    const port = await serve((_request, response) => {
      hits++;
      response.writeHead(301, { location: '/' }).end();
    });
    await expect(fetchFrom(openFetcher(loopback), `http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'source_fetch_failed',
    });
    expect(hits).toBe(4);
  });

  it('carries no cookie and no referrer to the next hop', async () => {
    const { hits, port: next } = await servePhoto();
    const port = await serve((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${next}/`, 'set-cookie': 'a=b' }).end(),
    );
    await fetchFrom(openFetcher(loopback), `http://127.0.0.1:${port}/secret?token=1`);
    expect(JSON.stringify(hits)).not.toMatch(/cookie|referer|token/i);
  });
});

describe('a source that fails', () => {
  const failing = async (listener: RequestListener, config: Partial<ImageFetcherConfig> = {}) =>
    fetchFrom(openFetcher({ ...loopback, ...config }), `http://127.0.0.1:${await serve(listener)}/`);

  it.each([204, 206, 300, 302, 304, 400, 401, 404, 500, 503])('reports the status %i', async (status) => {
    await expect(failing((_request, response) => response.writeHead(status).end())).rejects.toMatchObject({
      code: 'source_fetch_failed',
      message: expect.stringContaining(String(status)),
    });
  });

  it.each([401, 403, 429])(
    'says of the status %i that the host refuses us, and what to do',
    async (status) => {
      await expect(failing((_request, response) => response.writeHead(status).end())).rejects.toMatchObject({
        message: expect.stringMatching(/refuses this service: use a URL that opens without a login/),
      });
    },
  );

  it.each(['br', 'x-unknown', 'identity, gzip'])(
    'refuses a body whose encoding is called %s and is another one',
    async (encoding) => {
      await expect(
        failing((_request, response) =>
          response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync(photo)),
        ),
      ).rejects.toMatchObject({ code: 'source_fetch_failed' });
    },
  );

  it('limits the bytes of a compressed body after decoding', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    await expect(
      failing((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb), {
        maxBytes: 100_000,
      }),
    ).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('refuses an empty body', async () => {
    await expect(failing((_request, response) => response.end())).rejects.toMatchObject({
      message: expect.stringContaining('empty'),
    });
  });

  it('rejects a declared length that is too large before any of the body has arrived', async () => {
    let sent = 0;
    await expect(
      failing((_request, response) => {
        response.writeHead(200, { 'content-length': 1_001 }).flushHeaders();
        response.on('close', () => (sent = response.writableLength));
      }),
    ).rejects.toMatchObject({ code: 'file_too_large', message: expect.stringContaining('1000 bytes') });
    expect(sent).toBe(0);
  });

  it('stops reading an endless body at the limit', async () => {
    const ended = Promise.withResolvers<void>();
    const outcome = failing((_request, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(400)), 1);
      response.on('close', () => {
        clearInterval(timer);
        ended.resolve();
      });
    });
    await expect(outcome).rejects.toMatchObject({ code: 'file_too_large' });
    await ended.promise;
  });

  it('accepts a body of exactly the maximum size', async () => {
    expect((await failing((_request, response) => response.end(Buffer.alloc(1_000, 1)))).length).toBe(1_000);
  });

  it('does not accept a truncated body', async () => {
    await expect(
      failing((_request, response) => {
        response.writeHead(200, { 'content-length': 500 }).write(photo);
        setTimeout(() => response.destroy(), 5);
      }),
    ).rejects.toMatchObject({ code: 'source_fetch_failed', message: expect.stringContaining('incomplete') });
  });

  it('times out waiting for the first byte', async () => {
    await expect(failing(() => undefined, { totalTimeoutMs: 60 })).rejects.toMatchObject({
      code: 'source_fetch_failed',
      message: expect.stringContaining('too slow'),
    });
  });

  it('times out waiting for the TLS handshake', async () => {
    const port = await listen(createTcpServer((socket) => socket.on('error', () => undefined).resume()));
    const fetcher = openFetcher({ ...loopback, totalTimeoutMs: 60 });
    await expect(fetchFrom(fetcher, `https://127.0.0.1:${port}/`)).rejects.toMatchObject({
      message: expect.stringContaining('too slow'),
    });
  });

  it('times out on a body that trickles beyond the total limit', async () => {
    await expect(
      failing(
        (_request, response) => {
          const timer = setInterval(() => response.write('x'), 5);
          response.on('close', () => clearInterval(timer));
        },
        { totalTimeoutMs: 60 },
      ),
    ).rejects.toMatchObject({ code: 'source_fetch_failed', message: expect.stringContaining('too slow') });
  });

  it('reports a refused connection', async () => {
    const closed = createTcpServer();
    closed.listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const error = await fetchFrom(openFetcher(loopback), `http://127.0.0.1:${port}/`).catch(
      (reason) => reason,
    );
    expect(error).toMatchObject({
      code: 'source_fetch_failed',
      message: expect.stringContaining('could not be reached'),
    });
    expect(error.message).not.toMatch(/\d|ECONN/);
  });

  it.each(['not http at all\r\n\r\n', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`])(
    'refuses a response that is not valid HTTP',
    async (answer) => {
      const port = await listen(
        createTcpServer((socket) =>
          socket
            .on('error', () => undefined)
            .resume()
            .end(answer),
        ),
      );
      await expect(fetchFrom(openFetcher(loopback), `http://127.0.0.1:${port}/`)).rejects.toMatchObject({
        code: 'source_fetch_failed',
        message: expect.stringContaining('valid HTTP'),
      });
    },
  );
});

describe('stopping', () => {
  it("rejects with the signal's reason before a fetch, during a fetch and while a refusal is delayed", async () => {
    const arrived = Promise.withResolvers<void>();
    const port = await serve(() => arrived.resolve());
    const fetcher = openFetcher({ ...loopback, refusalStepMs: 60_000 });
    await expect(fetchFrom(fetcher, 'file:///x', AbortSignal.abort('gone'))).rejects.toBe('gone');
    for (const url of [`http://127.0.0.1:${port}/`, 'http://10.0.0.1/']) {
      const abort = new AbortController();
      const outcome = expect(fetchFrom(fetcher, url, abort.signal)).rejects.toBe('gone');
      await arrived.promise;
      abort.abort('gone');
      await outcome;
    }
  });

  it('aborts running fetches when it closes, and starts no new ones', async () => {
    const arrived = Promise.withResolvers<void>();
    const port = await serve(() => arrived.resolve());
    const fetcher = openFetcher(loopback);
    const outcome = expect(fetchFrom(fetcher, `http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'not_ready',
    });
    await arrived.promise;
    await fetcher.close();
    await outcome;
    await expect(fetchFrom(fetcher, `http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'not_ready',
    });
  });
});
