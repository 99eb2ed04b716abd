/** Texts that this browser keeps for the page. Where storage is disabled or full, they are lost when the page is closed. */

export function readStored(slot: string): string | null {
  try {
    return localStorage.getItem(slot);
  } catch {
    return null;
  }
}

/** Null forgets the text. */
export function keepStored(slot: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(slot);
    else localStorage.setItem(slot, text);
  } catch {
    // Then only the open page knows it.
  }
}
