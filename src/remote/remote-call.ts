/**
 * HTTP requests to a configured server on behalf of one illustration: one deadline, one retry budget, one
 * response size limit, and no other host. The only exception is a result that the server stores elsewhere,
 * which is fetched from public https addresses only.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createImageFetcher } from '../designs/fetch-image.ts';
import { PackshotError } from '../errors.ts';
import { RemoteFailure } from './remote-failure.ts';
import { isOutOfQuota, quoteServer } from './server-words.ts';

export interface RemoteSettings {
  /**
   * Deadline for one picture, including all retries and waits, 1,000 to 300,000; Node's fetch has a timeout
   * of its own beyond that.
   */
  readonly timeoutMs: number;
  /** Retries per picture, 0 or more. */
  readonly retries: number;
  /** Maximum size of each decompressed response; default 32 MiB. A noisy 2048² PNG is 12 MiB, or 16 MiB as base64. */
  readonly maxAnswerBytes?: number;
  /** Sleeps between two retries or polls; defaults to a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface RemoteTarget extends RemoteSettings {
  /** The only origin that is called. */
  readonly url: URL;
  /** Strings to redact from errors: keys and header values. */
  readonly secrets: readonly string[];
}

export interface RemoteCall {
  /** Aborts when the caller aborts or the deadline passes. */
  readonly signal: AbortSignal;
  /** Like the global `fetch`, with retries; a response other than 2xx rejects with `RemoteFailure`. */
  readonly fetch: typeof globalThis.fetch;
  readonly wait: (ms: number) => Promise<unknown>;
}

const DEFAULT_ANSWER_BYTES = 32 * 1024 * 1024;
const FIRST_WAIT_MS = 500;
/** If a server asks for a longer wait, the call fails and passes the wait on to our caller, which decides. */
const MAX_WAIT_MS = 30_000;
const BEST_EFFORT_TIMEOUT_MS = 5_000;

/** Transient statuses: too many requests, or a server that starts, stops or is busy (RFC 9110, 15.5 and 15.6). */
const isTransient = (status: number) => [408, 425, 429].includes(status) || status >= 500;
const isGateway = (status: number) => [408, 425, 502, 504].includes(status);

/** A failed attempt; `retryable` if another attempt may succeed. */
class AttemptError extends Error {
  override readonly name = 'AttemptError';
  readonly failure: RemoteFailure;
  readonly retryable: boolean;

  constructor(failure: RemoteFailure, retryable: boolean) {
    super(failure.message);
    this.failure = failure;
    this.retryable = retryable;
  }
}

interface CallState extends RemoteCall {
  readonly target: RemoteTarget;
  readonly endMs: number;
  failures: number;
}

/** Rejects as soon as the caller aborts or the deadline passes, regardless of what `work` awaits. */
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
  const timer = setTimeout(() => end(timedOut(target)), target.timeoutMs);
  const wait = target.wait ?? ((ms, until) => sleep(ms, undefined, { signal: until }));
  const state: CallState = {
    target,
    endMs: performance.now() + target.timeoutMs,
    failures: 0,
    signal: stop.signal,
    wait: (ms) => wait(ms, stop.signal),
    fetch: (input, init) => fetchWithRetries(input, init ?? {}, state),
  };
  try {
    return await Promise.race([work(state), ended.promise]);
  } catch (error) {
    stop.signal.throwIfAborted();
    throw toFailure(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Best-effort request outside a call, such as a cancellation. Returns the response body, or null if it failed. */
export async function sendBestEffort(url: URL, init: RequestInit): Promise<string | null> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(BEST_EFFORT_TIMEOUT_MS),
    });
    return response.ok ? (await readBody(response, DEFAULT_ANSWER_BYTES)).toString() : null;
  } catch {
    // Best effort: the call that this request belongs to has already ended.
    return null;
  }
}

/** Appends `path` to the base URL, whose own path (`/api`, `/v1`) is kept. */
export function urlBelow(base: URL, path: string): URL {
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}${path}`);
}

export const postJson = (body: unknown, headers: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

async function fetchWithRetries(
  input: string | URL | Request,
  init: RequestInit,
  state: CallState,
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  for (;;) {
    state.signal.throwIfAborted();
    try {
      return url.origin === state.target.url.origin
        ? await fetchConfigured(url, init, state)
        : await fetchResult(url, init, state);
    } catch (error) {
      state.signal.throwIfAborted();
      if (!(error instanceof AttemptError)) throw error;
      const { failure, retryable } = error;
      const waitMs = (failure.retryAfterS ?? (FIRST_WAIT_MS * 2 ** state.failures) / 1000) * 1000;
      const inTime = waitMs <= MAX_WAIT_MS && performance.now() + waitMs < state.endMs;
      if (!retryable || !inTime || state.failures >= state.target.retries) throw failure;
      state.failures++;
      await state.wait(waitMs);
    }
  }
}

async function fetchConfigured(
  url: URL,
  init: RequestInit,
  { target, signal }: CallState,
): Promise<Response> {
  const name = `${init.method ?? 'GET'} ${url.origin}${url.pathname}`;
  let response: Response;
  let body: Buffer;
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal });
    body = await readBody(response, target.maxAnswerBytes ?? DEFAULT_ANSWER_BYTES);
  } catch (error) {
    if (error instanceof AttemptError) throw error;
    throw new AttemptError(
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
  throw toAttemptError(response, body, target, new Error(`${name} answered with status ${status}`));
}

function toAttemptError(response: Response, body: Buffer, target: RemoteTarget, cause: Error): AttemptError {
  const { status } = response;
  const retryAfterS = readRetryAfter(response.headers.get('retry-after'));
  const words = status === 401 ? '' : quoteServer(body, target.secrets);
  const fail = (reason: RemoteFailure['reason'], message: string) =>
    new RemoteFailure(reason, `${message}${words}`, { cause, retryAfterS });
  if (status >= 300 && status < 400)
    return new AttemptError(
      fail('refused', 'The illustration server responded with a redirect, which is not followed.'),
      false,
    );
  if (!isTransient(status) || isOutOfQuota(body))
    return new AttemptError(fail('refused', `The illustration server refuses with status ${status}.`), false);
  if (status === 429 || status === 503)
    return new AttemptError(fail('busy', `The illustration server is busy (status ${status}).`), true);
  return isGateway(status)
    ? new AttemptError(
        fail('unreachable', `The illustration server is unreachable (status ${status}).`),
        true,
      )
    : new AttemptError(fail('broken', `The illustration server failed with status ${status}.`), true);
}

/** Fetches a result stored on another host. The fetcher connects to public addresses only and sends no key. */
async function fetchResult(url: URL, init: RequestInit, { target, signal }: CallState): Promise<Response> {
  const unfit = new RemoteFailure(
    'broken',
    'The illustration server returned a picture URL that is not allowed: only public https URLs are fetched.',
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
      : new AttemptError(
          new RemoteFailure('unreachable', 'The finished picture could not be fetched.', { cause }),
          true,
        );
  }
}

/** Counts decompressed bytes, to guard against decompression bombs. */
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

function tooLarge(maxBytes: number): AttemptError {
  return new AttemptError(
    new RemoteFailure('broken', `The illustration server returned more than ${maxBytes} bytes.`),
    false,
  );
}

function timedOut({ url, timeoutMs }: RemoteTarget): RemoteFailure {
  return new RemoteFailure(
    'unreachable',
    `The illustration server returned no picture within ${timeoutMs} ms.`,
    {
      cause: new Error(url.origin),
    },
  );
}

/**
 * Libraries wrap the errors of our fetch. Their own messages may quote the request, so only the error name is
 * kept.
 */
function toFailure(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof RemoteFailure || at instanceof PackshotError) return at;
  }
  return new RemoteFailure('broken', 'The illustration server returned an invalid response.', {
    cause: new Error(error instanceof Error ? error.name : typeof error),
  });
}

/** Parses seconds or an HTTP date (RFC 9110, 10.2.3) to seconds. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null || header === '') return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** Returns the library's error code, never its message, which may quote the request. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection broke';
}
