/** What the page must know of projects before their code is loaded. */

const slot = 'packshot.projects';

/** Remembers whether there are projects, so that the next visit leaves room for their list. */
export function noteProjects(some: boolean): void {
  try {
    if (some) localStorage.setItem(slot, 'some');
    else localStorage.removeItem(slot);
  } catch {
    // Storage is disabled.
  }
}

export function hadProjects(): boolean {
  try {
    return localStorage.getItem(slot) !== null;
  } catch {
    return false;
  }
}
