/** Posts to a receiver's URL, with protection against SSRF: addresses are checked, redirects not followed. */
import { withinTime } from '../deadline.ts';
import { openClient } from '../designs/fetch-hop.ts';
import { packageVersion } from '../version.ts';
import { createReceiverRules, type ReceiverRules } from './receivers.ts';

export interface PosterConfig extends ReceiverRules {
  /** Total timeout of the call. Default 15,000, the minimum that Standard Webhooks recommends. */
  readonly timeoutMs?: number;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The status of the response, or a description of the failure. */
export type PostOutcome = { readonly status: number } | PostFailure;

export interface PostFailure {
  readonly failure: string;
  /** Whether the call timed out. */
  readonly hung?: true;
}

/** Rejects only with the signal's reason. */
export type Poster = (post: Post, signal: AbortSignal) => Promise<PostOutcome>;

/** Throws an Error that names a malformed entry of `allow`. */
export function createPoster(config: PosterConfig): Poster {
  const { timeoutMs = 15_000 } = config;
  const { findAddresses } = createReceiverRules(config);

  async function send({ url: text, headers, body }: Post, signal: AbortSignal): Promise<PostOutcome> {
    const url = new URL(text);
    const addresses = await findAddresses(url, signal).catch(() => undefined);
    if (!addresses) return { failure: 'the name of its host does not resolve' };
    if (addresses.length === 0) return { failure: 'calls to its host are not allowed' };
    const client = await openClient({ url, addresses }, timeoutMs);
    signal.throwIfAborted();
    // A signal passed to the request would take effect only once the connection is open, so end the whole client.
    const endClient = () => void client.destroy();
    signal.addEventListener('abort', endClient, { once: true });
    try {
      const response = await client.request({
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        headers: {
          'content-type': 'application/json',
          'user-agent': `Packshot/${packageVersion} (webhooks)`,
          ...headers,
        },
        body,
      });
      // Destroying the body with its connection emits an error; ignore it.
      response.body.on('error', () => undefined);
      return { status: response.statusCode };
    } catch {
      signal.throwIfAborted();
      return { failure: 'there was no connection, or no valid HTTP response' };
    } finally {
      signal.removeEventListener('abort', endClient);
      endClient();
    }
  }

  return async function post(message, signal) {
    const lapse = { failure: `there was no response within ${timeoutMs / 1000} s`, hung: true } as const;
    try {
      return await withinTime({ timeoutMs, signal, lapse: () => lapse }, (inTime) => send(message, inTime));
    } catch (error) {
      if (error !== lapse) throw error;
      return lapse;
    }
  };
}
