/** Memory for a picture's arrays: newly allocated, or shared blocks that are reused for the next picture. */

/** Arrays are not cleared: each pass must write everything that a later one reads. */
export interface PictureMemory {
  /** Returns an array. A second request with the same name may return the same memory. */
  float32(name: string, length: number): Float32Array;
  uint8(name: string, length: number): Uint8Array;
  /**
   * Returns the values in this memory: `SharedMemory` copies them to where all threads can read them, `ownMemory`
   * returns them as they are.
   */
  place<T extends Float32Array | Uint8Array>(name: string, values: T): T;
}

export const ownMemory: PictureMemory = {
  float32: (_name, length) => new Float32Array(length),
  uint8: (_name, length) => new Uint8Array(length),
  place: (_name, values) => values,
};

/**
 * V8 ignores shared memory when it schedules garbage collection, so the 110 MB of each picture would remain allocated
 * until other objects fill the heap. To prevent this, blocks are reused, and are replaced only by larger ones.
 */
export class SharedMemory implements PictureMemory {
  readonly #blocks = new Map<string, SharedArrayBuffer>();

  float32(name: string, length: number): Float32Array {
    return new Float32Array(this.#blockOf(name, length * 4), 0, length);
  }

  uint8(name: string, length: number): Uint8Array {
    return new Uint8Array(this.#blockOf(name, length), 0, length);
  }

  place<T extends Float32Array | Uint8Array>(name: string, values: T): T {
    const { length, byteLength } = values;
    const make = values.constructor as new (block: SharedArrayBuffer, offset: number, length: number) => T;
    const shared = new make(this.#blockOf(name, byteLength), 0, length);
    shared.set(values);
    return shared;
  }

  #blockOf(name: string, bytes: number): SharedArrayBuffer {
    const kept = this.#blocks.get(name);
    if (kept !== undefined && kept.byteLength >= bytes) {
      return kept;
    }
    const block = new SharedArrayBuffer(bytes);
    this.#blocks.set(name, block);
    return block;
  }
}
