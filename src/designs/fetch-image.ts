/** Fetches a photo from a caller's URL, with protection against SSRF. */
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import { PackshotError } from '../errors.ts';
import { type AddressGuard, createAddressGuard } from './address-guard.ts';
import { createHostResolver, type LookUpHost } from './resolve-host.ts';

export interface ImageFetcherConfig {
  /** Allowed targets beyond the public internet: host, host:port, IP, IP:port or CIDR. */
  readonly allow: readonly string[];
  /** Allowed ports on public addresses; default 80 and 443. Allowlisted targets have their own rules. */
  readonly ports?: readonly number[];
  /** Per hop, for resolving the name and again for the connection with its TLS handshake; default 3,000. */
  readonly connectTimeoutMs?: number;
  /** Per hop, from the connection to the end of the response headers; default 5,000. */
  readonly firstByteTimeoutMs?: number;
  /** For the whole fetch; default 15,000. */
  readonly totalTimeoutMs?: number;
  /** Default 3; 0 refuses every redirect. */
  readonly maxRedirects?: number;
  readonly maxBytes: number;
  /** A refusal is delayed to a whole multiple of this after its hop began; default 300. */
  readonly refusalStepMs?: number;
  /** Defaults to `createHostResolver`. Called once per hop; its addresses are checked and connected to. */
  readonly lookup?: LookUpHost;
}

export interface ImageFetcher {
  /**
   * The body at the URL: 1 to `maxBytes` bytes, not yet validated. Throws `source_url_blocked`,
   * `source_fetch_failed` or `file_too_large`; rejects with the signal's reason once aborted.
   */
  fetchImage(url: string, options: { readonly signal: AbortSignal }): Promise<Buffer>;
  /** Aborts running fetches with `not_ready`; later calls fail the same way. */
  close(): Promise<void>;
}

/**
 * Time limits, redirects and ports follow the security policy's table. Step: most public resolvers answer
 * within it.
 */
const defaults = {
  ports: [80, 443],
  connectTimeoutMs: 3_000,
  firstByteTimeoutMs: 5_000,
  totalTimeoutMs: 15_000,
  maxRedirects: 3,
  refusalStepMs: 300,
  lookup: createHostResolver(),
} satisfies Omit<ImageFetcherConfig, 'allow' | 'maxBytes'>;

/** The longest URL that browsers and proxies reliably support. */
const MAX_URL_LENGTH = 2_048;
/** Node's own default; limits the cost of response headers. */
const MAX_HEADER_BYTES = 16_384;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

const requestHeaders = {
  'user-agent': 'Packshot/1 (product photo fetch)',
  accept: 'image/*',
  // A compressed body could expand to any size past the byte limit.
  'accept-encoding': 'identity',
};

type Settings = Required<ImageFetcherConfig>;

/** A URL that passed the guard, with the addresses that were checked. */
interface Target {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

type HopResult = { readonly body: Buffer } | { readonly redirectTo: string };

/** Throws an Error that names a malformed entry of `allow`. */
export function createImageFetcher(config: ImageFetcherConfig): ImageFetcher {
  const settings: Settings = { ...defaults, ...config };
  const guard = createAddressGuard(settings);
  const running = new Map<AbortController, Promise<Buffer>>();
  let closed = false;
  return {
    async fetchImage(url, { signal }) {
      signal.throwIfAborted();
      if (closed) throw stopping();
      // Every early end (the caller's, shutdown, a timeout) goes through this one controller, whose reason
      // the call rejects with. `AbortSignal.any` would do, but nested ones leak in Node 24.
      const stop = new AbortController();
      const onAbort = () => stop.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const timer = setTimeout(() => stop.abort(tooSlow(settings)), settings.totalTimeoutMs);
      const fetching = followUrl(url, settings, guard, stop);
      running.set(stop, fetching);
      try {
        return await fetching;
      } finally {
        running.delete(stop);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      }
    },
    async close() {
      closed = true;
      const fetching = [...running.values()];
      for (const stop of running.keys()) stop.abort(stopping());
      await Promise.allSettled(fetching);
    },
  };
}

async function followUrl(
  firstUrl: string,
  settings: Settings,
  guard: AddressGuard,
  stop: AbortController,
): Promise<Buffer> {
  try {
    let url = firstUrl;
    for (let redirects = 0; redirects <= settings.maxRedirects; redirects++) {
      const target = await resolveAllowed(url, settings, guard, stop.signal);
      const result = await fetchHop(target, settings, stop);
      if ('body' in result) return result.body;
      url = result.redirectTo;
    }
  } catch (error) {
    stop.signal.throwIfAborted();
    throw error;
  }
  throw new PackshotError(
    'source_fetch_failed',
    `The URL redirects more than ${settings.maxRedirects} times.`,
  );
}

/**
 * Refuses all blocked targets with one message, and after a padded time: checking a literal address takes
 * microseconds, a name takes a lookup, and the difference would reveal which internal names exist. Padding
 * counts from the start of the hop, so that it also hides the timing from the sender of a redirect.
 */
async function resolveAllowed(
  text: string,
  settings: Settings,
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<Target> {
  const startedAt = performance.now();
  const target = await findTarget(text, settings, guard, signal);
  if (target !== null) return target;
  const elapsedMs = performance.now() - startedAt;
  const answerAtMs = Math.ceil(elapsedMs / settings.refusalStepMs) * settings.refusalStepMs;
  await sleep(answerAtMs - elapsedMs, undefined, { signal });
  throw new PackshotError(
    'source_url_blocked',
    'Only public http and https URLs without a user name, on the usual ports and at most 2,048 characters long, are fetched.',
  );
}

async function findTarget(
  text: string,
  settings: Settings,
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<Target | null> {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  if (url.username !== '' || url.password !== '') return null;
  // The URL parser has already normalized every numeric spelling (decimal, hex, octal, short, full-width) to
  // the canonical address, so anything else is a name.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const family = isIP(host);
  const isListed = guard.admitsHost(host, port);
  const addresses =
    family === 0 ? await findAddresses(host, isListed, settings, signal) : [{ address: host, family }];
  const admitted =
    addresses.length > 0 &&
    (isListed || addresses.every(({ address }) => guard.admitsAddress(address, port)));
  return admitted ? { url, addresses } : null;
}

async function findAddresses(
  host: string,
  isListed: boolean,
  settings: Settings,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const over = new AbortController();
  try {
    return await Promise.race([
      settings.lookup(host, { isListed, signal: over.signal }),
      sleep(settings.connectTimeoutMs, [], { signal, ref: false }),
    ]);
  } catch {
    signal.throwIfAborted();
    // A name that does not resolve is refused like any other blocked target.
    return [];
  } finally {
    over.abort();
  }
}

/** One request on its own connection: without pooling, no check is ever reused. */
async function fetchHop(target: Target, settings: Settings, stop: AbortController): Promise<HopResult> {
  stop.signal.throwIfAborted();
  const client = openClient(target, settings);
  // The request's own signal works only once it is connected. Do not await: destroying would wait for a hung
  // handshake, which the connector's own timer ends soon after.
  const endClient = () => void client.destroy();
  stop.signal.addEventListener('abort', endClient, { once: true });
  const endPhase = () => stop.abort(tooSlow(settings));
  let timer = setTimeout(endPhase, settings.connectTimeoutMs);
  let reached: 'nothing' | 'host' | 'answer' = 'nothing';
  client.once('connect', () => {
    reached = 'host';
    clearTimeout(timer);
    timer = setTimeout(endPhase, settings.firstByteTimeoutMs);
  });
  try {
    const response = await client.request({
      method: 'GET',
      path: `${target.url.pathname}${target.url.search}`,
      headers: requestHeaders,
    });
    reached = 'answer';
    clearTimeout(timer);
    return await readAnswer(response, target.url, settings.maxBytes);
  } catch (error) {
    if (error instanceof PackshotError) throw error;
    const message = reached === 'nothing' ? describeNoConnection(error) : failures[reached];
    throw new PackshotError('source_fetch_failed', message, { cause: error });
  } finally {
    clearTimeout(timer);
    stop.signal.removeEventListener('abort', endClient);
    endClient();
  }
}

/** Connects to the checked addresses only; the Host header, SNI and the certificate check use the name. */
function openClient({ url, addresses }: Target, settings: Settings): Client {
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
  return new Client(url.origin, {
    connect: {
      lookup,
      // Coarse (it ticks once a second), but it closes the socket of an abandoned connection.
      timeout: settings.connectTimeoutMs,
      rejectUnauthorized: true,
      maxCachedSessions: 0,
      allowH2: false,
    },
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 500,
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: -1,
    // Our own timers are exact and cover the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function readAnswer(response: Dispatcher.ResponseData, url: URL, maxBytes: number): Promise<HopResult> {
  const { statusCode, headers, body } = response;
  // Destroying the rest of the body with its connection emits an error; ignore it.
  body.on('error', () => undefined);
  if (redirectStatuses.has(statusCode) && typeof headers.location === 'string') {
    const location = URL.parse(headers.location, url.href);
    // The fragment is not sent, and an unparsable target is refused as text, like an initial URL.
    return { redirectTo: location === null ? headers.location : location.href };
  }
  if (statusCode !== 200) {
    throw new PackshotError(
      'source_fetch_failed',
      `The URL answers with status ${statusCode} where 200 is needed.`,
    );
  }
  if (
    !isPlain(headers['content-encoding'], 'identity') ||
    !isPlain(headers['transfer-encoding'], 'chunked')
  ) {
    throw new PackshotError(
      'source_fetch_failed',
      'The URL answers with a compressed body, though it was asked for a plain one.',
    );
  }
  return { body: await readBody(body, headers['content-length'], maxBytes) };
}

async function readBody(
  body: Dispatcher.ResponseData['body'],
  declaredBytes: string | string[] | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const tooLarge = () =>
    new PackshotError('file_too_large', `The file at the URL is larger than ${maxBytes} bytes.`);
  if (Number(declaredBytes ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  if (bytes === 0) throw new PackshotError('source_fetch_failed', 'The URL answers with an empty body.');
  return Buffer.concat(chunks, bytes);
}

function isPlain(header: string | string[] | undefined, plain: string): boolean {
  return (
    header === undefined || header === '' || (typeof header === 'string' && header.toLowerCase() === plain)
  );
}

function tooSlow({ connectTimeoutMs, firstByteTimeoutMs, totalTimeoutMs }: Settings): PackshotError {
  return new PackshotError(
    'source_fetch_failed',
    `The host of the URL is too slow: it has ${connectTimeoutMs / 1000} s to connect, ${firstByteTimeoutMs / 1000} s to begin its answer and ${totalTimeoutMs / 1000} s in all.`,
  );
}

function stopping(): PackshotError {
  return new PackshotError('not_ready', 'The service is stopping.');
}

// Messages say only what any visitor of the host would see; numbers and addresses stay in the cause.
const failures = {
  host: 'The host of the URL does not answer in valid HTTP.',
  answer: 'The answer of the URL broke off.',
};

function describeNoConnection(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /CERT|SELF_SIGNED|ALTNAME|ISSUER|UNABLE_TO_VERIFY/.test(code)
    ? 'The host of the URL has no certificate that is trusted here for its name.'
    : 'No connection could be made to the host of the URL.';
}
