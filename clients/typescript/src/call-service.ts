/** One call of the service: the key, the time limit, and the repetitions that are worth while. */
import { PackshotError, readError } from './packshot-error.ts';

export interface CallOptions {
  /** Ends the call, its waiting and the reading of its answer; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A failed try that is about to be repeated. */
export interface Retry {
  readonly error: PackshotError;
  /** 1 for the first repetition. */
  readonly attempt: number;
  readonly waitMs: number;
}

export interface Transport {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  /** Repetitions after the first try; 0 for none. */
  readonly maxRetries: number;
  /** A call whose `Retry-After` is longer is not repeated. */
  readonly maxRetryWaitMs: number;
  /** Until the answer's head is there; an answer's body may take longer. */
  readonly timeoutMs: number;
  readonly onRetry: ((retry: Retry) => void) | undefined;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** From the slash on, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly signal: AbortSignal | undefined;
}

/** What says that the same call may succeed later; 409 is a twin of ours that is still running. */
const retryableStatus = new Set([429, 503, 504, 507]);
const firstWaitMs = 500;

/**
 * The answer, with any status of 200 to 299 or 304. Repeats after `network_error`, 429, 503, 504 and 507: every call
 * of the service may be, because renders and suggestions change nothing and uploads carry an `Idempotency-Key`.
 */
export async function callService(transport: Transport, call: Call): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(transport, call);
    if (outcome instanceof Response) return outcome;
    // The first try had erased it before its answer was lost.
    if (call.method === 'DELETE' && attempt > 1 && outcome.status === 404) {
      return new Response(null, { status: 204 });
    }
    const waitMs = findWait(outcome, attempt);
    if (!isWorthRepeating(outcome) || attempt > transport.maxRetries || waitMs > transport.maxRetryWaitMs) {
      throw outcome;
    }
    transport.onRetry?.({ error: outcome, attempt, waitMs });
    await wait(waitMs, call.signal);
  }
}

function isWorthRepeating({ code, status }: PackshotError): boolean {
  return code === 'network_error' || code === 'idempotency_conflict' || retryableStatus.has(status);
}

/** As long as the service asks for and up to a quarter more; else doubled each time, with jitter over half of it. */
function findWait({ retryAfterS }: PackshotError, attempt: number): number {
  if (retryAfterS !== undefined) return retryAfterS * 1000 * (1 + Math.random() / 4);
  return firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

async function tryOnce(transport: Transport, call: Call): Promise<Response | PackshotError> {
  call.signal?.throwIfAborted();
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(), transport.timeoutMs);
  try {
    const response = await transport.fetch(transport.baseUrl + call.path, {
      method: call.method,
      headers: {
        'x-api-key': transport.apiKey,
        ...(call.json !== undefined && { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(call.form && { body: call.form }),
      ...(call.json !== undefined && { body: JSON.stringify(call.json) }),
      signal: call.signal ? AbortSignal.any([call.signal, tooLate.signal]) : tooLate.signal,
      // Validators are the caller's business; a browser's cache would hide a 304 and keep erased pictures.
      cache: 'no-store',
    });
    if (response.ok || response.status === 304) return response;
    return await readError(response);
  } catch (cause) {
    call.signal?.throwIfAborted();
    const detail = tooLate.signal.aborted
      ? `The service did not answer within ${transport.timeoutMs / 1000} s.`
      : 'The service cannot be reached.';
    return new PackshotError('network_error', detail, { cause });
  } finally {
    clearTimeout(timer);
  }
}

export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', stop, { once: true });
    function end(): void {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });
}
