/** Where a picture's arrays lie: in fresh memory, or in blocks that threads share and the next picture uses again. */

/** Arrays come with whatever they held before: a pass writes all that a later one reads. */
export interface PictureMemory {
  /** A second request by the same name may give the same memory. */
  float32(name: string, length: number): Float32Array;
  uint8(name: string, length: number): Uint8Array;
  /** Values that exist already, where all threads can read them. */
  place<T extends Float32Array | Uint8Array>(name: string, values: T): T;
}

export const ownMemory: PictureMemory = {
  float32: (_name, length) => new Float32Array(length),
  uint8: (_name, length) => new Uint8Array(length),
  place: (_name, values) => values,
};

/**
 * V8 does not count shared memory towards its next collection: a picture's 110 MB would stay until some other work
 * fills the heap, and each picture would add its own. So blocks are kept and used again, and only ever grow.
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
