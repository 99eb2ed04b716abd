/** HTTP requests to a configured server for one picture or one answer. They share one deadline and one retry budget. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PackshotError } from 'packshot-errors';
import { withinTime } from '../deadline.ts';
import {
  AttemptError,
  DEFAULT_ANSWER_BYTES,
  fetchConfigured,
  fetchResult,
  readBody,
} from './remote-attempt.ts';
import { RemoteFailure } from './remote-failure.ts';
import { nameOf, type RemoteTarget } from './remote-target.ts';

export interface RemoteCall {
  /** Aborts when the caller aborts or the deadline passes. */
  readonly signal: AbortSignal;
  /** Like the global `fetch`, with retries; a response other than 2xx rejects with `RemoteFailure`. */
  readonly fetch: typeof globalThis.fetch;
  readonly wait: (ms: number) => Promise<unknown>;
}

const FIRST_WAIT_MS = 500;
/** If a server asks for a longer wait, the call fails, and the error tells the caller how long to wait. */
const MAX_WAIT_MS = 30_000;
const BEST_EFFORT_TIMEOUT_MS = 5_000;

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
  const { timeoutMs, wait = (ms, until) => sleep(ms, undefined, { signal: until }) } = target;
  return withinTime({ timeoutMs, signal, lapse: () => timedOut(target) }, (inTime) => {
    const state: CallState = {
      target,
      endMs: performance.now() + timeoutMs,
      failures: 0,
      signal: inTime,
      wait: (ms) => wait(ms, inTime),
      fetch: (input, init) => fetchWithRetries(input, init ?? {}, state),
    };
    return work(state).catch((error) => {
      throw toFailure(error, target);
    });
  });
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

function timedOut(target: RemoteTarget): RemoteFailure {
  return new RemoteFailure('unreachable', `${nameOf(target)} sent no result within ${target.timeoutMs} ms.`, {
    cause: new Error(target.url.origin),
  });
}

/**
 * Returns our own error, even if a library has wrapped it. Of any other error, only the name is kept, because the
 * message may quote the request.
 */
function toFailure(error: unknown, target: RemoteTarget): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof RemoteFailure || at instanceof PackshotError) return at;
  }
  return new RemoteFailure('broken', `${nameOf(target)} returned an invalid response.`, {
    cause: new Error(error instanceof Error ? error.name : typeof error),
  });
}
