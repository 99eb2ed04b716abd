/** One call to the service: API key, timeouts and retries. */
import { newIdempotencyKey } from './file-form.ts';
import { PackshotError, readError } from './packshot-error.ts';

export interface CallOptions {
  /** Aborts the call, its retries and the reading of the response; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A failed attempt that will be retried. */
export interface Retry {
  readonly error: PackshotError;
  /** 1 for the first retry. */
  readonly attempt: number;
  readonly waitMs: number;
}

export interface Transport {
  /** The service's base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  /** Retries after the first attempt; 0 for none. */
  readonly maxRetries: number;
  /** In ms; calls with a longer `Retry-After` are not retried. */
  readonly maxRetryWaitMs: number;
  /** Milliseconds until the response headers arrive; the body may take longer. */
  readonly timeoutMs: number;
  readonly onRetry: ((retry: Retry) => void) | undefined;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with its leading slash, and the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly signal: AbortSignal | undefined;
}

/**
 * Statuses after which the same call may succeed later. The code `idempotency_conflict` (409) is also retried: it means
 * that an earlier attempt is still running.
 */
const retryableStatus = new Set([429, 503, 504, 507]);
const firstWaitMs = 500;

/**
 * Returns a response with status 200 to 299 or 304; throws `PackshotError` otherwise. Retries 429, 503, 504, 507,
 * `network_error` and `idempotency_conflict`. Retries are safe: every call that changes something carries an
 * `Idempotency-Key`.
 */
export async function callService(transport: Transport, asked: Call): Promise<Response> {
  const call =
    asked.method === 'GET' ? asked : { ...asked, headers: { ...newIdempotencyKey(), ...asked.headers } };
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(transport, call);
    if (outcome instanceof Response) return outcome;
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

/**
 * Milliseconds to wait: as requested by the service, plus up to a quarter; otherwise an exponential backoff,
 * half of which is jitter.
 */
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
      // The caller handles ETags. A browser's cache would hide 304 responses and keep deleted pictures.
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
