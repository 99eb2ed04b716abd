/** Opens the model file behind a URL that the operator typed; what proves the file is its SHA-256, not this. */
import { Readable } from 'node:stream';
import { PackshotError } from '../../errors.ts';

/** Model hosts send a download to their store, and that to a mirror. */
const MAX_REDIRECTS = 5;

export async function openModelUrl(
  firstUrl: string,
  signal: AbortSignal,
): Promise<{ body: Readable; totalBytes: number | undefined }> {
  let url = parseUrl(firstUrl);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await get(url, signal);
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      url = parseUrl(new URL(location, url).href);
      continue;
    }
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      throw failed(`${url.origin} answers with status ${response.status}.`);
    }
    const length = Number(response.headers.get('content-length'));
    return { body: Readable.fromWeb(response.body), totalBytes: length > 0 ? length : undefined };
  }
  throw failed(`The URL redirects more than ${MAX_REDIRECTS} times.`);
}

async function get(url: URL, signal: AbortSignal): Promise<Response> {
  try {
    // Each hop is looked at here, so that none leaves https.
    return await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
    });
  } catch (error) {
    signal.throwIfAborted();
    throw failed(`${url.origin} cannot be reached.`, error);
  }
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  const loopback =
    url?.hostname === 'localhost' || url?.hostname === '127.0.0.1' || url?.hostname === '[::1]';
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback)) return url;
  throw new PackshotError('invalid_field', 'Models are fetched over https only, redirects included.');
}

function failed(message: string, cause?: unknown): PackshotError {
  return new PackshotError('source_fetch_failed', message, { cause });
}
