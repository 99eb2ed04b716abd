/** Counts the calls of each key that are being answered, and lets no more than so many in at once. */
export class CallsInFlight {
  readonly #most: number;
  readonly #running = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether there was room; then `leave` must follow, once. */
  enter(keyId: string): boolean {
    const running = this.#running.get(keyId) ?? 0;
    if (running >= this.#most) return false;
    this.#running.set(keyId, running + 1);
    return true;
  }

  leave(keyId: string): void {
    const left = (this.#running.get(keyId) ?? 1) - 1;
    if (left > 0) this.#running.set(keyId, left);
    else this.#running.delete(keyId);
  }
}
