/**
 * The calls that one illustration makes to the server it is configured for: one deadline, one budget of retries, one
 * limit of bytes, and no other host. What a server may add is where its results lie: there https and public only.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createImageFetcher } from '../designs/fetch-image.ts';
import { PackshotError } from '../errors.ts';
import { RemoteFailure } from './remote-failure.ts';
import { isOutOfQuota, quoteServer } from './server-words.ts';

export interface RemoteSettings {
  /** For one picture with all its tries and waits, 1,000 to 300,000: Node's own fetch gives up after that. */
  readonly timeoutMs: number;
  /** Further tries for one picture, 0 or more. */
  readonly retries: number;
  /** Of each answer, unpacked; 32 MiB unless told: a PNG of 2048² with noise is 12 MiB, as base64 16. */
  readonly maxAnswerBytes?: number;
  /** Waits between two tries or two looks; the clock's unless told. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface RemoteTarget extends RemoteSettings {
  /** Only its origin is ever called. */
  readonly url: URL;
  /** What must be found in no error: keys and values of headers. */
  readonly secrets: readonly string[];
}

export interface RemoteCall {
  /** Aborted at the caller's end and at the deadline. */
  readonly signal: AbortSignal;
  /** As the global one, with retries; an answer other than 2xx rejects with `RemoteFailure`. */
  readonly fetch: typeof globalThis.fetch;
  readonly wait: (ms: number) => Promise<unknown>;
}

const DEFAULT_ANSWER_BYTES = 32 * 1024 * 1024;
const FIRST_WAIT_MS = 500;
/** A server that asks for more is told on to our caller instead, who knows whether the picture can wait. */
const LONGEST_WAIT_MS = 30_000;
const TELL_TIMEOUT_MS = 5_000;

/** Too many requests, and what passes when a server starts, stops or is busy (RFC 9110, 15.5 and 15.6). */
const isPassing = (status: number) => [408, 425, 429].includes(status) || status >= 500;
const isGateway = (status: number) => [408, 425, 502, 504].includes(status);

/** A failed try; `again` where another one may go better. */
class Setback extends Error {
  override readonly name = 'Setback';
  readonly failure: RemoteFailure;
  readonly again: boolean;

  constructor(failure: RemoteFailure, again: boolean) {
    super(failure.message);
    this.failure = failure;
    this.again = again;
  }
}

interface Line extends RemoteCall {
  readonly target: RemoteTarget;
  readonly endMs: number;
  failures: number;
}

/** Ends at once when the caller or the deadline does, whatever `work` is waiting for. */
export async function callRemote<T>(
  target: RemoteTarget,
  signal: AbortSignal,
  work: (call: RemoteCall) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    stop.abort(reason);
    ended.reject(reason);
  };
  const onAbort = () => end(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => end(tooLate(target)), target.timeoutMs);
  const wait = target.wait ?? ((ms, until) => sleep(ms, undefined, { signal: until }));
  const line: Line = {
    target,
    endMs: performance.now() + target.timeoutMs,
    failures: 0,
    signal: stop.signal,
    wait: (ms) => wait(ms, stop.signal),
    fetch: (input, init) => fetchPatiently(input, init ?? {}, line),
  };
  try {
    return await Promise.race([work(line), ended.promise]);
  } catch (error) {
    stop.signal.throwIfAborted();
    throw toFailure(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** A word to the server beside the call, such as that nobody waits any more: its text, null where it was not heard. */
export async function tellRemote(url: URL, init: RequestInit): Promise<string | null> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(TELL_TIMEOUT_MS),
    });
    return response.ok ? (await readBody(response, DEFAULT_ANSWER_BYTES)).toString() : null;
  } catch {
    // The call that it is about has ended already; there is nobody left to tell.
    return null;
  }
}

/** `path` below the configured address, whose own path is kept: `/api`, `/v1`. */
export function urlBelow(base: URL, path: string): URL {
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}${path}`);
}

export const postJson = (body: unknown, headers: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

async function fetchPatiently(
  input: string | URL | Request,
  init: RequestInit,
  line: Line,
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  for (;;) {
    line.signal.throwIfAborted();
    try {
      return url.origin === line.target.url.origin
        ? await fetchConfigured(url, init, line)
        : await fetchResult(url, init, line);
    } catch (error) {
      line.signal.throwIfAborted();
      if (!(error instanceof Setback)) throw error;
      const { failure, again } = error;
      const waitMs = (failure.retryAfterS ?? (FIRST_WAIT_MS * 2 ** line.failures) / 1000) * 1000;
      const inTime = waitMs <= LONGEST_WAIT_MS && performance.now() + waitMs < line.endMs;
      if (!again || !inTime || line.failures >= line.target.retries) throw failure;
      line.failures++;
      await line.wait(waitMs);
    }
  }
}

async function fetchConfigured(url: URL, init: RequestInit, { target, signal }: Line): Promise<Response> {
  const name = `${init.method ?? 'GET'} ${url.origin}${url.pathname}`;
  let response: Response;
  let body: Buffer;
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal });
    body = await readBody(response, target.maxAnswerBytes ?? DEFAULT_ANSWER_BYTES);
  } catch (error) {
    if (error instanceof Setback) throw error;
    throw new Setback(
      new RemoteFailure('unreachable', 'The illustration server does not answer.', {
        cause: new Error(`${name}: ${codeOf(error)}`),
      }),
      true,
    );
  }
  const { status, headers } = response;
  if (response.ok) {
    const type = headers.get('content-type');
    return new Response(new Uint8Array(body), {
      status,
      headers: type === null ? {} : { 'content-type': type },
    });
  }
  throw toSetback(response, body, target, new Error(`${name} answered with status ${status}`));
}

function toSetback(response: Response, body: Buffer, target: RemoteTarget, cause: Error): Setback {
  const { status } = response;
  const retryAfterS = readRetryAfter(response.headers.get('retry-after'));
  const words = status === 401 ? '' : quoteServer(body, target.secrets);
  const fail = (reason: RemoteFailure['reason'], message: string) =>
    new RemoteFailure(reason, `${message}${words}`, { cause, retryAfterS });
  if (status >= 300 && status < 400)
    return new Setback(
      fail('refused', 'The illustration server sends its callers elsewhere, which is not followed.'),
      false,
    );
  if (!isPassing(status) || isOutOfQuota(body))
    return new Setback(fail('refused', `The illustration server refuses with status ${status}.`), false);
  if (status === 429 || status === 503)
    return new Setback(fail('busy', `The illustration server is busy (status ${status}).`), true);
  return isGateway(status)
    ? new Setback(fail('unreachable', `The illustration server is not there (status ${status}).`), true)
    : new Setback(fail('broken', `The illustration server failed with status ${status}.`), true);
}

/** A picture that the server put elsewhere. The fetcher connects to public addresses only, and sends no key along. */
async function fetchResult(url: URL, init: RequestInit, { target, signal }: Line): Promise<Response> {
  const unfit = new RemoteFailure(
    'broken',
    'The illustration server answers with a picture at an address that is not fetched: https and public ones are.',
  );
  if (url.protocol !== 'https:' || (init.method ?? 'GET') !== 'GET') throw unfit;
  const fetcher = createImageFetcher({
    allow: [],
    ports: [443],
    maxRedirects: 0,
    maxBytes: target.maxAnswerBytes ?? DEFAULT_ANSWER_BYTES,
    totalTimeoutMs: target.timeoutMs,
  });
  try {
    return new Response(new Uint8Array(await fetcher.fetchImage(url.href, { signal })));
  } catch (error) {
    if (!(error instanceof PackshotError)) throw error;
    if (error.code === 'source_url_blocked') throw unfit;
    const cause = new Error(`GET ${url.origin}: ${error.message}`);
    throw error.code === 'file_too_large'
      ? tooLarge(target.maxAnswerBytes ?? DEFAULT_ANSWER_BYTES)
      : new Setback(
          new RemoteFailure('unreachable', 'The finished picture could not be fetched.', { cause }),
          true,
        );
  }
}

/** Counts what is unpacked: a compressed answer may unfold to any size. */
async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

function tooLarge(maxBytes: number): Setback {
  return new Setback(
    new RemoteFailure('broken', `The illustration server answers more than ${maxBytes} bytes.`),
    false,
  );
}

function tooLate({ url, timeoutMs }: RemoteTarget): RemoteFailure {
  return new RemoteFailure('unreachable', `No illustration came within ${timeoutMs} ms.`, {
    cause: new Error(url.origin),
  });
}

/** Libraries wrap what our fetch throws; what they say themselves may quote what was sent, so only its name stays. */
function toFailure(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof RemoteFailure || at instanceof PackshotError) return at;
  }
  return new RemoteFailure('broken', 'The illustration server answers something that is no picture.', {
    cause: new Error(error instanceof Error ? error.name : typeof error),
  });
}

/** Seconds or a date (RFC 9110, 10.2.3), as seconds. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null || header === '') return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** The library's code, never its message: that may quote what was sent. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection broke';
}
