import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createImageFetcher, type ImageFetcher, type ImageFetcherConfig } from './fetch-image.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return (server.address() as AddressInfo).port;
}

/** A server on loopback that counts its connections. */
async function serveCanary() {
  const canary = { hits: 0, port: 0 };
  canary.port = await serve((_request, response) => {
    canary.hits++;
    response.end('canary');
  });
  return canary;
}

function openFetcher(config: Partial<ImageFetcherConfig> = {}): ImageFetcher {
  const fetcher = createImageFetcher({ allow: [], maxBytes: 1_000, refusalStepMs: 1, ...config });
  cleanups.push(() => fetcher.close());
  return fetcher;
}

const fetchFrom = (fetcher: ImageFetcher, url: string) =>
  fetcher.fetchImage(url, { signal: new AbortController().signal });

const resolveTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const blocked = { code: 'source_url_blocked' };

/**
 * Loopback in many spellings (short, decimal, hex, octal, full-width, percent-encoded), then other special addresses,
 * then malformed hosts.
 */
const blockedHosts = `
127.0.0.1 127.0.0.2 127.255.255.254 127.1 127.0.1 2130706433 0x7f000001 0x7F.1 0x7f.0.0.1 017700000001 0177.0.0.1
0177.1 0x7f.0x0.0x0.0x1 127.0.0.1. 00000177.0.0.1 127.0x0.0.01 127。0。0。1 127.0.0.1 ①②⑦.⓪.⓪.① 127%2e0%2e0%2e1
%31%32%37.0.0.1 0 0.0.0.0 0x0 00 %30 localhost LOCALHOST localhost. LocalHost. foo.localhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ local%68ost
ip6-localhost [::1] [::] [0:0:0:0:0:0:0:1] [0000:0000::0001] [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1]
[::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:7f00:1] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1]
[64:ff9b:1::127.0.0.1] [2002:7f00:1::] [2001:0:7f00:1::] [::1%25lo] [fe80::1%25eth0] [fe80::1%eth0]
10.0.0.1 172.16.0.1 192.168.0.1 0xa9fea9fe 169.254.169.254 2852039166 0251.0376.0251.0376 [::ffff:a9fe:a9fe]
[fd00:ec2::254] 100.100.100.200 168.63.129.16 192.0.0.192 198.18.0.1 192.88.99.1 224.0.0.1 240.0.0.1
255.255.255.255 [fc00::1] [fec0::1] [ff02::1] [2001:db8::1] [3fff::1] 256.0.0.1 127.0.0.1.1 4294967296
0x1ffffffff 1.2.3.08 [::1 [::1]x [127.0.0.1] - a..b
`
  .trim()
  .split(/\s+/);

/** One URL per line, some with blanks. `{port}`: the canary's port; `public.example`: resolves to a public address. */
const blockedForms = String.raw`
x
/x.jpg
//127.0.0.1/
127.0.0.1:{port}
http:
http://
http:///
https://:80/
http:// /
http://a b/
file:///etc/passwd
ftp://127.0.0.1/
ftp://public.example:80/
ws://public.example/
gopher://127.0.0.1:{port}/
data:image/png;base64,AAAA
blob:http://a/b
javascript:alert(1)
ws://127.0.0.1:{port}/
unix:/var/run/docker.sock
http+unix://%2Fvar%2Frun/
http://user@public.example/
http://user:pw@public.example/
http://:pw@public.example/
http://public.example@127.0.0.1:{port}/
http://public.example:22/
http://public.example:{port}/
http://public.example:8080/
http://public.example:0/
http://public.example:99999/
http://8.8.8.8:6379/
http://127.0.0.1:{port}\@public.example/
http:\\127.0.0.1:{port}\
http:/127.0.0.1:{port}/
http:127.0.0.1:{port}
  http://127.0.0.1:{port}/
HTTP://127.0.0.1:{port}/
http://127.0.0.1:{port}#@public.example/`.split('\n');

const tooLong = `http://public.example/${'a'.repeat(8_192)}`;

describe('refusing a target', () => {
  it('refuses every spelling of a forbidden target with the same message, and never connects', async () => {
    const canary = await serveCanary();
    const asked: string[] = [];
    const fetcher = openFetcher({
      lookup: async (host) => {
        asked.push(host);
        if (host === 'public.example') return [{ address: '8.8.8.8', family: 4 }];
        if (host.includes('localhost')) return [{ address: '127.0.0.1', family: 4 }];
        throw new Error('no such name');
      },
    });
    const hosts = blockedHosts.flatMap((host) => [
      `http://${host}/`,
      `http://${host}:{port}/`,
      `https://${host}/x.jpg`,
    ]);
    const urls = [...hosts, ...blockedForms, tooLong].map((url) =>
      url.replace('{port}', String(canary.port)),
    );
    const outcomes = await Promise.all(
      urls.map((url) =>
        fetchFrom(fetcher, url).then(
          () => ({ url, code: 'fetched', message: '' }),
          ({ code, message }) => ({ url, code, message }),
        ),
      ),
    );
    expect(outcomes.filter(({ code }) => code !== 'source_url_blocked')).toEqual([]);
    expect(new Set(outcomes.map(({ message }) => message)).size).toBe(1);
    expect(canary.hits).toBe(0);
    // No numeric spelling reached the resolver, which might interpret the number differently.
    expect(asked.filter((host) => /^[\d.x]*$/.test(host) && host !== '')).toEqual([]);
    expect(urls.length).toBeGreaterThan(280);
  });

  it('refuses a name with one private address among public ones', async () => {
    const canary = await serveCanary();
    for (const addresses of [
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['2606:4700::1', '::1'],
      [],
    ]) {
      const fetcher = openFetcher({ ports: [canary.port], lookup: resolveTo(...addresses) });
      await expect(fetchFrom(fetcher, `http://mixed.example:${canary.port}/`)).rejects.toMatchObject(blocked);
    }
    expect(canary.hits).toBe(0);
  });

  it('connects to the address that it checked, even if another lookup would return a different one', async () => {
    const canary = await serveCanary();
    let asked = 0;
    const fetcher = openFetcher({
      allow: ['127.0.0.1'],
      lookup: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }],
    });
    expect(await fetchFrom(fetcher, `http://rebind.example:${canary.port}/`)).toEqual(Buffer.from('canary'));
    expect(asked).toBe(1);
    await expect(fetchFrom(fetcher, `http://rebind.example:${canary.port}/`)).rejects.toMatchObject(blocked);
    expect(canary.hits).toBe(1);
  });

  it.each([301, 302, 303, 307, 308])(
    'checks the target of a %i redirect like an initial URL',
    async (status) => {
      const canary = await serveCanary();
      for (const location of [
        `http://127.0.0.1:${canary.port}/`,
        `http://[::ffff:127.0.0.1]:${canary.port}/`,
        `//localhost:${canary.port}/`,
        'file:///etc/passwd',
        'http://user:pw@site.example/',
        'http://[bad/',
      ]) {
        const port = await serve((_request, response) => response.writeHead(status, { location }).end());
        const fetcher = openFetcher({ allow: ['site.example'], lookup: resolveTo('127.0.0.1') });
        await expect(fetchFrom(fetcher, `http://site.example:${port}/`)).rejects.toMatchObject(blocked);
      }
      expect(canary.hits).toBe(0);
    },
  );

  it('delays a refusal by at least one padding step, with or without a lookup', async () => {
    const fetcher = openFetcher({
      refusalStepMs: 60,
      lookup: () => new Promise((resolve) => setTimeout(resolve, 20, [{ address: '10.0.0.1', family: 4 }])),
    });
    for (const url of ['file:///x', 'http://10.0.0.1/', 'http://inside.example/']) {
      const startedAt = performance.now();
      await expect(fetchFrom(fetcher, url)).rejects.toMatchObject(blocked);
      // Checks a lower bound only: timers may fire late, but early only by a rounding error.
      expect(performance.now() - startedAt).toBeGreaterThan(58);
    }
  });

  it('refuses a name whose resolution hangs', async () => {
    const fetcher = openFetcher({ lookupTimeoutMs: 20, lookup: () => new Promise(() => undefined) });
    await expect(fetchFrom(fetcher, 'http://slow.example/')).rejects.toMatchObject(blocked);
  });
});
