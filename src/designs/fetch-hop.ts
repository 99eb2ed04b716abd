/** One request of a fetch: connects to the checked addresses only, with limits on time, headers and bytes. */
import type { LookupFunction } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PackshotError } from 'packshot-errors';
import type { Client, Dispatcher } from 'undici';
import { collectBytes } from '../collect-bytes.ts';
import type { Target } from './check-url.ts';

interface Settings {
  readonly totalTimeoutMs: number;
  readonly maxBytes: number;
  readonly userAgent: string;
}

/** Maximum size of the response headers; the same as Node's default. */
const MAX_HEADER_BYTES = 16_384;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

const requestHeaders = { accept: 'image/*', 'accept-encoding': 'identity' };
/** Some hosts compress whatever a request accepts. */
const decoders: Readonly<Record<string, () => Transform>> = {
  ...{ gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress },
};
/** Statuses with which hosts refuse programs, or callers without a cookie or a signature. */
const refusals = [401, 403, 407, 429, 451];

type HopResult = { readonly body: Buffer } | { readonly redirectTo: string };

/**
 * Sends one request on a connection of its own. Connections are not pooled, so a request never relies on the address
 * check of an earlier request.
 */
export async function fetchHop(target: Target, settings: Settings, signal: AbortSignal): Promise<HopResult> {
  const client = await openClient(target, settings.totalTimeoutMs);
  signal.throwIfAborted();
  // The `signal` option of a request works only once the client is connected. Do not await `destroy`: if the handshake
  // hangs, awaiting it would wait until the connector's own timer ends the handshake.
  const endClient = () => void client.destroy();
  signal.addEventListener('abort', endClient, { once: true });
  let reached: 'nothing' | 'host' | 'answer' = 'nothing';
  client.once('connect', () => {
    reached = 'host';
  });
  try {
    const response = await client.request({
      method: 'GET',
      path: `${target.url.pathname}${target.url.search}`,
      headers: { ...requestHeaders, 'user-agent': settings.userAgent },
    });
    reached = 'answer';
    return await readAnswer(response, target.url, settings.maxBytes);
  } catch (error) {
    if (error instanceof PackshotError) throw error;
    const message = reached === 'nothing' ? describeNoConnection(error) : failures[reached];
    throw new PackshotError('source_fetch_failed', message, { cause: error });
  } finally {
    signal.removeEventListener('abort', endClient);
    endClient();
  }
}

/**
 * Connects to the checked addresses only; the Host header, SNI and the certificate check use the name. Closes the
 * socket of an abandoned connection after `connectTimeoutMs`, coarsely: undici's timer ticks once a second. The caller
 * has timers of its own, which are exact and cover the whole call. Loads undici only here, because loading it takes a
 * tenth of the service's startup time, and many services never fetch a URL.
 */
export async function openClient({ url, addresses }: Target, connectTimeoutMs: number): Promise<Client> {
  const { Client } = await import('undici');
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
  return new Client(url.origin, {
    connect: {
      ...{ lookup, timeout: connectTimeoutMs },
      ...{ rejectUnauthorized: true, maxCachedSessions: 0, allowH2: false },
    },
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 500,
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function readAnswer(response: Dispatcher.ResponseData, url: URL, maxBytes: number): Promise<HopResult> {
  const { statusCode, headers, body } = response;
  // Destroying the connection before the body is read emits an error on the body; ignore it.
  body.on('error', () => undefined);
  if (redirectStatuses.has(statusCode) && typeof headers.location === 'string') {
    const location = URL.parse(headers.location, url.href);
    // A fragment does no harm, because fragments are never sent. A target that cannot be parsed is returned unchanged;
    // the check of the next URL then refuses it.
    return { redirectTo: location === null ? headers.location : location.href };
  }
  if (statusCode !== 200) {
    const advice = refusals.includes(statusCode)
      ? ' The host refuses this service: use a URL that opens without a login and has not expired, or upload the file.'
      : '';
    throw new PackshotError(
      'source_fetch_failed',
      `The URL responded with status ${statusCode} instead of 200.${advice}`,
    );
  }
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase();
  const decode = decoders[encoding];
  if ((!decode && encoding !== '' && encoding !== 'identity') || !isChunked(headers['transfer-encoding'])) {
    throw new PackshotError('source_fetch_failed', 'The URL responded with a body in an unknown encoding.');
  }
  const plain = decode ? body.pipe(decode()) : body;
  // Without this listener, an aborted fetch would be an uncaught error of the decoder.
  body.on('error', (error) => plain.destroy(error));
  return { body: await readBody(plain, headers['content-length'], maxBytes) };
}

async function readBody(
  body: Readable,
  declaredBytes: string | string[] | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const tooLarge = () =>
    new PackshotError('file_too_large', `The file at the URL is larger than ${maxBytes} bytes.`);
  if (Number(declaredBytes ?? 0) > maxBytes) throw tooLarge();
  const bytes = await collectBytes(body, maxBytes, tooLarge);
  if (bytes.length > 0) return bytes;
  throw new PackshotError('source_fetch_failed', 'The URL responded with an empty body.');
}

const isChunked = (header: string | string[] | undefined): boolean =>
  ['', 'chunked'].includes(String(header ?? '').toLowerCase());

export function tooSlow({ totalTimeoutMs }: Pick<Settings, 'totalTimeoutMs'>): PackshotError {
  return new PackshotError(
    'source_fetch_failed',
    `The host of the URL is too slow: it has ${totalTimeoutMs / 1000} s to send the picture.`,
  );
}

// The messages tell only what any visitor of the host would see; error codes, ports and addresses stay in the cause.
const failures = {
  host: 'The host of the URL does not respond with valid HTTP.',
  answer: 'The response of the URL was incomplete.',
};

function describeNoConnection(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /CERT|SELF_SIGNED|ALTNAME|ISSUER|UNABLE_TO_VERIFY/.test(code)
    ? 'The host of the URL has a certificate that is not trusted or is for another name.'
    : 'The host of the URL could not be reached.';
}
