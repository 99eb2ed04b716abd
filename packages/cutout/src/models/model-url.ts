/**
 * Opens the model file at a URL chosen by the operator. The caller verifies the file's checksum if one is known;
 * otherwise, the first download is trusted, so only https is allowed for other machines than this one.
 */

import { PackshotError } from 'packshot-errors';
import { type Dispatcher, fetch, type Response } from 'undici';

/** Model hosts redirect a download to their storage service, which may redirect it to a mirror. */
const MAX_REDIRECTS = 5;

export interface ModelUrlRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
  /** Whether http is allowed for other machines than this one. Default: no. */
  readonly allowHttp?: boolean;
}

/**
 * Returns the response after all redirects, whatever its status. Rejects with `source_fetch_failed` or `invalid_field`.
 */
export async function openModelUrl(request: ModelUrlRequest): Promise<Response> {
  const { headers, dispatcher, signal, allowHttp = false } = request;
  let url = parseUrl(request.url, allowHttp);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(url, {
      // Each redirect is checked here, so that none leads away from https.
      redirect: 'manual',
      // A compressed response could be neither measured nor resumed.
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
      dispatcher,
      signal,
    }).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw unreachable(`${url.origin} cannot be reached.`, cause);
    });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    url = parseUrl(new URL(location, url).href, allowHttp);
  }
  throw unreachable(`The URL redirects more than ${MAX_REDIRECTS} times.`);
}

function parseUrl(text: string, allowHttp: boolean): URL {
  const url = URL.parse(text);
  const loopback =
    url?.hostname === 'localhost' || url?.hostname === '127.0.0.1' || url?.hostname === '[::1]';
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && (loopback || allowHttp))) return url;
  throw new PackshotError('invalid_field', 'Models are downloaded over https only, redirects included.');
}

const unreachable = (message: string, cause?: unknown) =>
  new PackshotError('source_fetch_failed', message, { cause });
