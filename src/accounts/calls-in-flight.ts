/** Limits the concurrent calls of each API key. */
export class CallsInFlight {
  readonly #most: number;
  readonly #running = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a slot; returns false if there is none. After a true result, call `leave` exactly once. */
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
