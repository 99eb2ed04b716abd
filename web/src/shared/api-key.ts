/**
 * The API key stored in this browser, and the first start's key if the page runs on the service's machine.
 */

const slot = 'packshot.apiKey';

export function findRememberedKey(): string | null {
  try {
    return localStorage.getItem(slot);
  } catch {
    // Storage is disabled; the key is then kept until the page is closed.
    return null;
  }
}

export function rememberKey(key: string): void {
  try {
    localStorage.setItem(slot, key);
  } catch {
    // As above.
  }
}

export function forgetKey(): void {
  try {
    localStorage.removeItem(slot);
  } catch {
    // As above.
  }
}

/** The service returns its first key once, and only to a page on the same machine. */
export async function findFirstKey(): Promise<string | null> {
  if (!['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) return null;
  try {
    const response = await fetch('/studio/first-key', { method: 'POST', cache: 'no-store' });
    if (response.status !== 200) return null;
    return ((await response.json()) as { key: string }).key;
  } catch {
    return null;
  }
}
