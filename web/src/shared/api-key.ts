/**
 * The API key stored in this browser; and the key that the service makes at its first start, for a browser on the
 * same machine.
 */

const slot = 'packshot.apiKey';

export function findRememberedKey(): string | null {
  try {
    return localStorage.getItem(slot);
  } catch {
    // Storage is disabled; then only this page holds the key, until it is closed.
    return null;
  }
}

export function rememberKey(key: string): void {
  try {
    localStorage.setItem(slot, key);
  } catch {
    // Storage is disabled; the key is then forgotten when the page is closed.
  }
}

export function forgetKey(): void {
  try {
    localStorage.removeItem(slot);
  } catch {
    // Storage is disabled, so there is no stored key.
  }
}

/** Redeems a one-time link, which brought the user here. Null if it was used or has lapsed; undefined without one. */
export async function redeemPhoneLink(): Promise<string | null | undefined> {
  const [, token] = /^#\/phone\/([\w-]+)$/.exec(location.hash) ?? [];
  if (!token) return undefined;
  // Neither the history nor a bookmark keeps it.
  history.replaceState(null, '', location.pathname);
  return findKeyAt('/studio/phone-key', { token });
}

/** Requests the first key. The service returns it once, and only to a page on the same machine. Null otherwise. */
export async function findFirstKey(): Promise<string | null> {
  if (!['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) return null;
  return findKeyAt('/studio/first-key');
}

async function findKeyAt(path: string, json?: object): Promise<string | null> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      cache: 'no-store',
      ...(json && { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } }),
    });
    if (response.status !== 200) return null;
    return ((await response.json()) as { key: string }).key;
  } catch {
    return null;
  }
}
