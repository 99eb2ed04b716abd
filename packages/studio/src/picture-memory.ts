/**
 * Memory for a picture's arrays, which all threads that draw it share, and which is reused for the next picture. Arrays are
 * not cleared: each pass must write everything that a later one reads.
 *
 * V8 ignores shared memory when it schedules garbage collection, so that the 95 MB of a picture would remain allocated
 * while the next ones are drawn. Therefore, blocks are reused, and are replaced only by larger ones.
 */
export class PictureMemory {
  readonly #blocks = new Map<string, SharedArrayBuffer>();

  /** Returns an array. A second request with the same name may return the same memory. */
  float32(name: string, length: number): Float32Array {
    return new Float32Array(this.#blockOf(name, length * 4), 0, length);
  }

  int16(name: string, length: number): Int16Array {
    return new Int16Array(this.#blockOf(name, length * 2), 0, length);
  }

  uint8(name: string, length: number): Uint8Array {
    return new Uint8Array(this.#blockOf(name, length), 0, length);
  }

  /** Returns a copy that all threads can read. */
  place<T extends Float32Array | Uint8Array>(name: string, values: T): T {
    const { length, byteLength } = values;
    const make = values.constructor as new (block: SharedArrayBuffer, offset: number, length: number) => T;
    const shared = new make(this.#blockOf(name, byteLength), 0, length);
    shared.set(values);
    return shared;
  }

  #blockOf(name: string, bytes: number): SharedArrayBuffer {
    const kept = this.#blocks.get(name);
    if (kept !== undefined && kept.byteLength >= bytes) return kept;
    const block = new SharedArrayBuffer(bytes);
    this.#blocks.set(name, block);
    return block;
  }
}
