/** Fetches a photo from a caller's URL, with protection against SSRF. */
import { PackshotError } from 'packshot-errors';
import { type AddressGuard, createAddressGuard } from './address-guard.ts';
import { checkUrl } from './check-url.ts';
import { fetchHop, tooSlow } from './fetch-hop.ts';
import { createHostResolver, type LookUpHost } from './resolve-host.ts';

export interface ImageFetcherConfig {
  /** Allowed targets beyond the public internet: host, host:port, IP, IP:port or CIDR. */
  readonly allow: readonly string[];
  /** Default `Packshot/1`. */
  readonly userAgent?: string;
  /** Allowed ports on public addresses; default 80 and 443. Allowlist entries state their own ports. */
  readonly ports?: readonly number[];
  /** Limit per hop for resolving the name, in milliseconds; default 10,000. A name that takes longer is refused. */
  readonly lookupTimeoutMs?: number;
  /** Limit for the whole fetch, in milliseconds; default 15,000. */
  readonly totalTimeoutMs?: number;
  /** Maximum number of redirects; default 3; 0 refuses every redirect. */
  readonly maxRedirects?: number;
  readonly maxBytes: number;
  /** A refusal is delayed until a multiple of this many milliseconds has passed since its hop began; default 300. */
  readonly refusalStepMs?: number;
  /** Default `createHostResolver`. Called once per hop; the fetcher checks the addresses and connects only to them. */
  readonly lookup?: LookUpHost;
}

export interface ImageFetcher {
  /**
   * Returns the body at the URL: 1 to `maxBytes` bytes, not yet validated. Throws `source_url_blocked`,
   * `source_fetch_failed` or `file_too_large`. Rejects with the signal's reason once the signal aborts.
   */
  fetchImage(url: string, options: { readonly signal: AbortSignal }): Promise<Buffer>;
  /** Aborts running fetches with `not_ready`; later calls fail the same way. */
  close(): Promise<void>;
}

/** `refusalStepMs` is so long that most lookups end within the first step, which then hides how long they took. */
const defaults = {
  userAgent: 'Packshot/1',
  ports: [80, 443],
  lookupTimeoutMs: 10_000,
  totalTimeoutMs: 15_000,
  maxRedirects: 3,
  refusalStepMs: 300,
  lookup: createHostResolver(),
} satisfies Omit<ImageFetcherConfig, 'allow' | 'maxBytes'>;

type FetchSettings = Required<ImageFetcherConfig>;

/** Throws an Error that names a malformed entry of `allow`. */
export function createImageFetcher(config: ImageFetcherConfig): ImageFetcher {
  const settings: FetchSettings = { ...defaults, ...config };
  const guard = createAddressGuard(settings);
  const running = new Map<AbortController, Promise<Buffer>>();
  let closed = false;
  return {
    async fetchImage(url, { signal }) {
      signal.throwIfAborted();
      if (closed) throw stopping();
      // Every early end (the caller leaves, shutdown, a timeout) aborts this one controller, and the call rejects with
      // its reason. `AbortSignal.any` would do the same, but nested signals leak in Node 24.
      const stop = new AbortController();
      const onAbort = () => stop.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const timer = setTimeout(() => stop.abort(tooSlow(settings)), settings.totalTimeoutMs);
      const fetching = followUrl(url, settings, guard, stop.signal);
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
  settings: FetchSettings,
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<Buffer> {
  try {
    let url = firstUrl;
    for (let redirects = 0; redirects <= settings.maxRedirects; redirects++) {
      const target = await checkUrl(url, settings, guard, signal);
      const result = await fetchHop(target, settings, signal);
      if ('body' in result) return result.body;
      url = result.redirectTo;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  throw new PackshotError(
    'source_fetch_failed',
    `The URL redirects more than ${settings.maxRedirects} times.`,
  );
}

function stopping(): PackshotError {
  return new PackshotError('not_ready', 'The service is stopping.');
}
