/**
 * One HTTP request of a remote call: to the configured server, or to another host where the server stores a result.
 * Such results are fetched from public https addresses only. No other host is contacted. Responses are limited in size.
 */

import { PackshotError } from 'packshot-errors';
import { collectBytes } from '../collect-bytes.ts';
import { createImageFetcher } from '../designs/fetch-image.ts';
import { RemoteFailure } from './remote-failure.ts';
import { nameOf, type RemoteTarget } from './remote-target.ts';
import { isOutOfQuota, quoteServer } from './server-words.ts';

export const DEFAULT_ANSWER_BYTES = 32 * 1024 * 1024;

interface Attempt {
  readonly target: RemoteTarget;
  readonly signal: AbortSignal;
}

/** Transient statuses: request timeout (408), too early (425), too many requests (429), and all server errors. */
const isTransient = (status: number) => [408, 425, 429].includes(status) || status >= 500;
const isGateway = (status: number) => [408, 425, 502, 504].includes(status);

/** A failed attempt; `retryable` if another attempt may succeed. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
  readonly failure: RemoteFailure;
  readonly retryable: boolean;

  constructor(failure: RemoteFailure, retryable: boolean) {
    super(failure.message);
    this.failure = failure;
    this.retryable = retryable;
  }
}

export async function fetchConfigured(
  url: URL,
  init: RequestInit,
  { target, signal }: Attempt,
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
      new RemoteFailure('unreachable', `${nameOf(target)} does not respond.`, {
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
  throw toAttemptError(response, body, target, new Error(`${name} responded with status ${status}`));
}

function toAttemptError(response: Response, body: Buffer, target: RemoteTarget, cause: Error): AttemptError {
  const { status, headers } = response;
  const [reason, what, retryable] = classify(status, body);
  const words = status === 401 ? '' : quoteServer(body, target.secrets);
  const message = `${nameOf(target)} ${what}${words}`;
  const retryAfterS = readRetryAfter(headers.get('retry-after'));
  return new AttemptError(new RemoteFailure(reason, message, { cause, retryAfterS }), retryable);
}

function classify(
  status: number,
  body: Buffer,
): readonly [reason: RemoteFailure['reason'], what: string, retryable: boolean] {
  if (status >= 300 && status < 400)
    return ['refused', 'responded with a redirect, which is not followed.', false];
  if (!isTransient(status) || isOutOfQuota(body))
    return ['refused', `refused the request with status ${status}.`, false];
  if (status === 429 || status === 503) return ['busy', `is busy (status ${status}).`, true];
  return isGateway(status)
    ? ['unreachable', `is unreachable (status ${status}).`, true]
    : ['broken', `failed with status ${status}.`, true];
}

/** Fetches a result stored on another host. The fetcher connects to public addresses only and sends no key. */
export async function fetchResult(
  url: URL,
  init: RequestInit,
  { target, signal }: Attempt,
): Promise<Response> {
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
export async function readBody({ body }: Response, maxBytes: number): Promise<Buffer> {
  return body ? collectBytes(body, maxBytes, () => tooLarge(maxBytes)) : Buffer.alloc(0);
}

function tooLarge(maxBytes: number): AttemptError {
  return new AttemptError(
    new RemoteFailure('broken', `The response has more than ${maxBytes} bytes.`),
    false,
  );
}

/** Parses seconds or an HTTP date (RFC 9110, 10.2.3) to seconds. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null || header === '') return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** Returns the error code of a failed connection, never an error's message, which may quote the request. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection broke';
}
