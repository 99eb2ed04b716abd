/** The API key that this browser remembers, and the first start's key where the page runs beside its service. */

const slot = 'packshot.apiKey';

export function findRememberedKey(): string | null {
  try {
    return localStorage.getItem(slot);
  } catch {
    // Storage is off; the key then lives as long as the page.
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

/** The service hands its first key out once, and only to a page on the same machine. */
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
