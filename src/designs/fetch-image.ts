/** Fetches a photo from a caller's URL, with protection against SSRF. */
import { PackshotError } from '../errors.ts';
import { type AddressGuard, createAddressGuard } from './address-guard.ts';
import { checkUrl } from './check-url.ts';
import { fetchHop, tooSlow } from './fetch-hop.ts';
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
 * Time limits, redirects and ports are those in the security policy's table. Most public resolvers respond
 * within one step of the delay.
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
  settings: FetchSettings,
  guard: AddressGuard,
  stop: AbortController,
): Promise<Buffer> {
  try {
    let url = firstUrl;
    for (let redirects = 0; redirects <= settings.maxRedirects; redirects++) {
      const target = await checkUrl(url, settings, guard, stop.signal);
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

function stopping(): PackshotError {
  return new PackshotError('not_ready', 'The service is stopping.');
}
