/** Which calls the client retries, and how long it waits, if the service's first responses are failures. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cratePhoto, type Service, startService, white } from '../../../test/acceptance/service.ts';
import { createPackshotClient, type PackshotError, type Retry } from '../src/packshot-client.ts';

let service: Service;
let photo: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  service = await startService();
  photo = new Uint8Array(await cratePhoto());
});
afterAll(() => service?.stop());

type Failure = Response | Error;
const busy = (status: number, retryAfter = '0') =>
  new Response('', { status, headers: { 'retry-after': retryAfter } });

/**
 * A client of the real service whose first calls fail. If a failure is an Error, it is thrown after the service has
 * handled the call, as if the response were lost.
 */
function flakyClient(failures: Failure[], options: { maxRetries?: number; maxRetryWaitMs?: number } = {}) {
  const retries: Retry[] = [];
  const client = createPackshotClient({
    baseUrl: service.url,
    apiKey: service.key,
    ...options,
    onRetry: (retry) => retries.push(retry),
    fetch: async (input, init) => {
      const failure = failures.shift();
      if (failure instanceof Response) return failure;
      const answer = await fetch(input, init);
      if (failure) throw failure;
      return answer;
    },
  });
  return { client, retries };
}

describe('a retry', () => {
  it.each([429, 503, 504, 507])('follows each %i until the call succeeds', async (status) => {
    const { client, retries } = flakyClient([busy(status), busy(status)]);
    expect((await client.limits()).rate.perSecond).toBeGreaterThan(0);
    expect(retries.map(({ attempt, error }) => [attempt, error.status])).toEqual([
      [1, status],
      [2, status],
    ]);
  });

  it('follows a broken connection', async () => {
    const { client, retries } = flakyClient([new TypeError('fetch failed')]);
    await client.recipes();
    expect(retries[0]?.error.code).toBe('network_error');
  });

  it('makes no second design if the response to an upload was lost', async () => {
    const ids: string[] = [];
    const client = createPackshotClient({
      baseUrl: service.url,
      apiKey: service.key,
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        ids.push(((await answer.clone().json()) as { id: string }).id);
        if (ids.length === 1) throw new TypeError('the answer was lost');
        return answer;
      },
    });
    const { id } = await client.upload(photo);
    expect(ids).toEqual([id, id]);
  });

  it('repeats corrections and deletions without a second effect', async () => {
    const lost = () => flakyClient([new TypeError('the answer was lost')]).client;
    const { id } = await flakyClient([]).client.upload(photo);
    const half = { boxes: [{ mode: 'erase' as const, x: 90, y: 0, width: 60, height: 240 }] };
    expect((await lost().correct(id, half)).cutout?.revision).toBe(2);
    await expect(lost().deleteDesign(id)).resolves.toBeUndefined();
  });

  it('ends with the error after the last attempt', async () => {
    const { client, retries } = flakyClient([busy(503), busy(503), busy(503)], { maxRetries: 2 });
    await expect(client.limits()).rejects.toMatchObject({ status: 503 });
    expect(retries).toHaveLength(2);
  });

  it('waits as long as Retry-After says, plus a short random delay', async () => {
    const { client, retries } = flakyClient([busy(429, '1')]);
    await client.limits();
    expect(retries[0]?.waitMs).toBeGreaterThanOrEqual(1000);
    expect(retries[0]?.waitMs).toBeLessThanOrEqual(1250);
  });

  it('is not attempted if Retry-After is longer than the caller allows', async () => {
    const { client, retries } = flakyClient([busy(503, '120')], { maxRetryWaitMs: 5_000 });
    await expect(client.limits()).rejects.toMatchObject({
      retryAfterS: 120,
    } satisfies Partial<PackshotError>);
    expect(retries).toEqual([]);
  });

  it('is not attempted for permanent errors', async () => {
    const { client, retries } = flakyClient([]);
    await expect(client.preview({ id: 'none', ...white })).rejects.toMatchObject({ status: 404 });
    expect(retries).toEqual([]);
  });
});

describe('abort', () => {
  it('before a call prevents the call', async () => {
    const { client } = flakyClient([]);
    await expect(client.limits({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('ends the wait before a retry', async () => {
    const controller = new AbortController();
    const client = createPackshotClient({
      baseUrl: service.url,
      apiKey: service.key,
      fetch: async () => busy(503, '20'),
      onRetry: () => controller.abort(new Error('enough')),
    });
    await expect(client.limits({ signal: controller.signal })).rejects.toThrow('enough');
  });

  it('after `timeoutMs` ends a call that gets no response', async () => {
    const client = createPackshotClient({
      baseUrl: service.url,
      apiKey: service.key,
      maxRetries: 0,
      timeoutMs: 20,
      fetch: (_input, init) =>
        new Promise((_resolve, reject) =>
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    });
    await expect(client.limits()).rejects.toMatchObject({ code: 'network_error', status: 0 });
  });
});
