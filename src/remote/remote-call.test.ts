import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeServer } from '../illustrations/engines/testing/fake-server.ts';
import { callRemote, sendBestEffort, urlBelow } from './remote-call.ts';
import type { RemoteSettings } from './remote-target.ts';

const server = await startFakeServer();
const other = await startFakeServer();
let waits: number[] = [];
beforeEach(() => {
  waits = [];
  server.calls.length = 0;
  server.handle = () => ({ body: 'fine' });
});
afterAll(() => Promise.all([server.close(), other.close()]));

const get = (settings: Partial<RemoteSettings> = {}, url = `${server.origin}/x`) => {
  const wait = async (ms: number) => void waits.push(ms);
  const target = {
    url: new URL(server.origin),
    secrets: [],
    timeoutMs: 5_000,
    retries: 3,
    wait,
    ...settings,
  };
  return callRemote(target, new AbortController().signal, async (call) => (await call.fetch(url)).text());
};

describe('callRemote', () => {
  it('backs off exponentially without a Retry-After header', async () => {
    server.handle = () => ({ status: 500 });
    await expect(get()).rejects.toMatchObject({ reason: 'broken' });
    expect(waits).toEqual([500, 1000, 2000]);
  });

  it('accepts a date in Retry-After', async () => {
    const date = new Date(Date.now() + 20_000).toUTCString();
    server.handle = () => ({ status: 503, headers: { 'retry-after': date } });
    await expect(get({ retries: 1, timeoutMs: 60_000 })).rejects.toMatchObject({ reason: 'busy' });
    expect(waits[0]).toBeGreaterThan(15_000);
    expect(waits[0]).toBeLessThanOrEqual(20_000);
  });

  it('does not start a wait that would exceed the deadline', async () => {
    server.handle = () => ({ status: 429, headers: { 'retry-after': '6' } });
    await expect(get()).rejects.toMatchObject({ reason: 'busy', retryAfterS: 6 });
    expect([waits, server.calls.length]).toEqual([[], 1]);
  });

  it('waits 30 seconds if the server asks for that, but fails if it asks for more', async () => {
    server.handle = () => ({
      status: 429,
      headers: { 'retry-after': server.calls.length === 1 ? '30' : '31' },
    });
    await expect(get({ timeoutMs: 300_000 })).rejects.toMatchObject({ reason: 'busy', retryAfterS: 31 });
    expect(waits).toEqual([30_000]);
  });

  it('shares one retry budget among all requests of a picture', async () => {
    server.handle = () => (server.calls.length % 2 === 1 ? { status: 503 } : { body: 'fine' });
    const target = { url: new URL(server.origin), secrets: [], timeoutMs: 5_000, retries: 2 };
    const wait = async () => undefined;
    const work = callRemote({ ...target, wait }, new AbortController().signal, async (call) => {
      for (let i = 0; i < 3; i++) await call.fetch(server.origin);
    });
    await expect(work).rejects.toMatchObject({ reason: 'busy' });
    expect(server.calls.length).toBe(5);
  });

  it('retries a truncated response', async () => {
    server.handle = () => (server.calls.length === 1 ? 'break' : { body: 'the whole' });
    expect(await get()).toBe('the whole');
  });

  it('limits the decompressed size of a response', async () => {
    const body = gzipSync(Buffer.alloc(1_000_000));
    server.handle = () => ({ headers: { 'content-encoding': 'gzip' }, body });
    await expect(get({ maxAnswerBytes: 100_000 })).rejects.toMatchObject({ reason: 'broken' });
    expect((await get({ maxAnswerBytes: 1_000_000 })).length).toBe(1_000_000);
  });

  it('contacts no other origin over http or at a private address, not even another port of the same host', async () => {
    for (const url of [`${other.origin}/x`, 'http://localhost:1/x', 'https://192.168.0.1/x'])
      await expect(get({}, url)).rejects.toMatchObject({ reason: 'broken' });
    expect(other.calls).toEqual([]);
  });

  it('sends no POST to another host', async () => {
    const target = { url: new URL(server.origin), secrets: [], timeoutMs: 5_000, retries: 0 };
    const work = callRemote(target, new AbortController().signal, (call) =>
      call.fetch('https://example.com/', { method: 'POST', body: 'picture' }),
    );
    await expect(work).rejects.toMatchObject({ reason: 'broken' });
  });

  it('ends on abort even if the work ignores the signal', async () => {
    const enough = new Error('enough');
    const controller = new AbortController();
    const target = { url: new URL(server.origin), secrets: [], timeoutMs: 5_000, retries: 0 };
    const work = callRemote(target, controller.signal, () => sleep(3_600_000, undefined, { ref: false }));
    controller.abort(enough);
    await expect(work).rejects.toBe(enough);
  });
});

describe('sendBestEffort', () => {
  it('returns null if the server fails or does not respond', async () => {
    server.handle = () => ({ status: 500 });
    expect(await sendBestEffort(new URL(server.origin), {})).toBeNull();
    const gone = await startFakeServer();
    await gone.close();
    expect(await sendBestEffort(new URL(gone.origin), {})).toBeNull();
  });
});

describe('urlBelow', () => {
  it('keeps the path of the base URL and drops its query', () => {
    expect(urlBelow(new URL('http://gpu:8188/api/?x=1'), '/ws').href).toBe('http://gpu:8188/api/ws');
    expect(urlBelow(new URL('http://gpu:8188'), '/ws').href).toBe('http://gpu:8188/ws');
  });
});
