/**
 * The API key stored in this browser; and the key that the service makes at its first start, for a browser on the
 * same machine.
 */

import { keepStored, readStored } from './stored.ts';

const slot = 'packshot.apiKey';

export const findRememberedKey = (): string | null => readStored(slot);

/** Null forgets the key. */
export const rememberKey = (key: string | null): void => keepStored(slot, key);

/** `spent`: used or lapsed. `kept`: not redeemed, as this browser has a key. `failed`: the service did not answer. */
type Redeemed = { readonly key: string } | 'spent' | 'kept' | 'failed';

/** Redeems a one-time link, which brought the user here; undefined without one. */
export async function redeemPhoneLink(): Promise<Redeemed | undefined> {
  const [, token] = /^#\/phone\/([\w-]+)$/.exec(location.hash) ?? [];
  if (!token) return undefined;
  // Neither the history nor a bookmark keeps it.
  history.replaceState(null, '', location.pathname);
  // The operator may open the link beside the terminal, and must not lose the key with more scopes.
  if (findRememberedKey() !== null) return 'kept';
  try {
    const key = await fetchKey('/studio/phone-key', { token });
    return key === null ? 'spent' : { key };
  } catch {
    // For a reload.
    history.replaceState(null, '', `#/phone/${token}`);
    return 'failed';
  }
}

/** Requests the first key. The service returns it once, and only to a page on the same machine. Null otherwise. */
export async function findFirstKey(): Promise<string | null> {
  if (!['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) return null;
  return fetchKey('/studio/first-key').catch(() => null);
}

/** Null if there is none. Throws if the service does not answer. */
async function fetchKey(path: string, json?: object): Promise<string | null> {
  const response = await fetch(path, {
    method: 'POST',
    cache: 'no-store',
    ...(json && { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } }),
  });
  if (response.status === 204) return null;
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return ((await response.json()) as { key: string }).key;
}
