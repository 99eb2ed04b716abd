/** The page as served: its size, policy and caching, and the callers who are offered the first key. */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { mayOfferKey } from '../../src/http/routes/studio-page.ts';
import { chromiumPath, desktop, launchBrowser, needsChromium, openPage } from './browser.ts';

let app: App;
let url: string;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-page-'));
  app = await buildApp(
    loadConfig({ DATA_DIR: dataDir, PORT: '0', REMOVAL_ENGINE: 'keyer', LOG_LEVEL: 'silent' }),
  );
  url = await app.listen();
});
afterAll(async () => {
  await app?.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends exactly these headers, because `fetch` would add or change some. */
function ask(
  method: string,
  path: string,
  headers: Record<string, string>,
  port = new URL(url).port,
): Promise<Answer> {
  const { hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, method, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asking.on('error', reject);
    asking.end();
  });
}

describe('the files', () => {
  it('are small, and contain no inline code', async () => {
    const html = await (await fetch(url)).text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
    const scripts = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => path);
    expect(scripts.length).toBeGreaterThan(0);
    let bytes = 0;
    for (const path of scripts) bytes += (await (await fetch(url + path)).arrayBuffer()).byteLength;
    expect(bytes).toBeLessThan(75_000);
  });

  it('are cached forever under their hashed names, but the page itself is revalidated', async () => {
    const page = await fetch(url);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('etag')).toBeTruthy();
    const known = { 'if-none-match': page.headers.get('etag') ?? '' };
    expect((await ask('GET', '/', known)).status).toBe(304);
    const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1];
    expect((await fetch(url + script)).headers.get('cache-control')).toContain('immutable');
  });

  it('have their own policy, and the API keeps its policy', async () => {
    const policy = (await fetch(url)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    const api = await fetch(`${url}/healthz`);
    expect(api.headers.get('content-security-policy')).toBe("default-src 'none'");
  });
});

const statusWith = async (key: string, path: string): Promise<number> =>
  (await fetch(url + path, { headers: { 'x-api-key': key } })).status;

describe('the first key', () => {
  /** The request that a page on this machine sends, and variations of it. */
  function askForKey(headers: Record<string, string> = {}): Promise<Answer> {
    const { host } = new URL(url);
    const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    return ask('POST', '/studio/first-key', { ...own, ...headers });
  }

  it.each([
    ['a page at a foreign name for this machine', { host: 'evil.example', origin: 'http://evil.example' }],
    ['a page of another site', { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page on another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['a browser whose page came through a proxy', { origin: 'https://shop.example' }],
    ['a caller that a proxy forwarded', { 'x-forwarded-for': '203.0.113.9' }],
    ['a caller that a proxy forwarded with the standard header', { forwarded: 'for=203.0.113.9' }],
    ['a proxy that names itself', { via: '1.1 proxy' }],
    ['a program that is not a page', { 'sec-fetch-site': 'none' }],
  ])('is not given to %s', async (_, headers) => {
    expect(await askForKey(headers)).toEqual({ status: 204, body: '' });
  });

  it.each([
    ['listens on the network', { HOST: '0.0.0.0' }, false],
    ['listens on an address of the network', { HOST: '192.0.2.7' }, false],
    ['trusts a proxy', { TRUST_PROXY: 'true', PUBLIC_URL: 'http://localhost:8080' }, false],
    ['has another public name', { PUBLIC_URL: 'https://cut.example.com' }, false],
    ['has a public name that only begins like loopback', { PUBLIC_URL: 'http://127.evil.example' }, false],
    ['has a public name of this machine', { PUBLIC_URL: 'http://localhost:8080' }, true],
    ['listens on loopback', {}, true],
    ['listens on loopback by IPv6', { HOST: '::1' }, true],
  ])('is offered by a service that %s: %s', (_, environment, offered) => {
    expect(mayOfferKey(loadConfig(environment).server)).toBe(offered);
  });

  it('is not offered by a service that is reached through a proxy', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'packshot-proxied-'));
    const environment = { DATA_DIR: folder, PORT: '0', REMOVAL_ENGINE: 'keyer', LOG_LEVEL: 'silent' };
    const proxied = await buildApp(loadConfig({ ...environment, PUBLIC_URL: 'https://cut.example.com' }));
    const { host, port } = new URL(await proxied.listen());
    try {
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      expect(await ask('POST', '/studio/first-key', headers, port)).toEqual({ status: 204, body: '' });
    } finally {
      await proxied.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.skipIf(!chromiumPath)(`is taken by the page itself, once${needsChromium}`, async () => {
    const browser = await launchBrowser();
    const { page, errors, close } = await openPage(browser, url, { ...desktop, key: null });
    await page.getByText('is now remembered in this browser').waitFor();
    const remembered = await page.evaluate(() => localStorage.getItem('packshot.apiKey'));
    expect(remembered).toMatch(/^psk_live_/);
    expect(remembered).not.toBe(app.firstKey);
    // The key works for everything that the page does, and for nothing else.
    expect(await statusWith(remembered!, '/v1/recipes')).toBe(200);
    expect(await statusWith(remembered!, '/metrics')).toBe(403);
    expect(await statusWith(app.firstKey!, '/metrics')).toBe(200);
    expect(await askForKey()).toEqual({ status: 204, body: '' });
    expect(errors).toEqual([]);
    await close();
    await browser.close();
  });
});
