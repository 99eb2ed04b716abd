/** Fetches illustrations from other hosts: only from hosts on the operator's allowlist, and without redirects. */

import { PackshotError } from 'packshot-errors';
import { createImageFetcher, type ImageFetcherConfig } from '../designs/fetch-image.ts';

export interface ForeignSettings extends ImageFetcherConfig {
  /** Entries are `host` or `host:port`; an empty list allows no host. */
  readonly allow: readonly string[];
}

export function createForeignFetcher(settings: ForeignSettings) {
  const hosts = new Set(settings.allow.map((host) => host.toLowerCase()));
  // The fetcher needs the allowlist too, because a listed host may be in the operator's own network. Redirects could
  // leave the allowlist, so they are not followed.
  const fetcher = createImageFetcher({ ...settings, maxRedirects: 0 });

  return {
    /** Fetches the first URI; all hosts must be listed. Throws `mutation_uri_rejected`, and errors of fetching. */
    async fetchForeign(uris: readonly [string, ...string[]], signal: AbortSignal): Promise<Uint8Array> {
      if (!uris.every((uri) => isListed(uri, hosts))) {
        throw new PackshotError(
          'mutation_uri_rejected',
          'This service did not issue the illustration, and its host is not on the allowlist.',
        );
      }
      return fetcher.fetchImage(uris[0], { signal });
    },

    close: () => fetcher.close(),
  };
}

export type ForeignFetcher = ReturnType<typeof createForeignFetcher>;

function isListed(uri: string, hosts: ReadonlySet<string>): boolean {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return false;
  return hosts.has(url.host) || hosts.has(url.hostname);
}
