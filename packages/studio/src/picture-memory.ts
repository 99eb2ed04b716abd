/** Memory for a picture's arrays, which is reused for the next picture. */

/** Arrays are not cleared: each pass must write everything that a later one reads. */
export interface PictureMemory {
  /** Returns an array. A second request with the same name may return the same memory. */
  float32(name: string, length: number): Float32Array;
  int16(name: string, length: number): Int16Array;
  uint8(name: string, length: number): Uint8Array;
  /** Returns the values where all threads that draw the picture can read them: as they are, or copied. */
  place<T extends Float32Array | Uint8Array>(name: string, values: T): T;
}

/**
 * V8 ignores shared memory when it schedules garbage collection, and frees other large arrays late, so that the 95 MB
 * of a picture would remain allocated while the next ones are drawn. Therefore, blocks are reused, and are replaced
 * only by larger ones.
 */
abstract class BlockMemory<Block extends ArrayBufferLike> implements PictureMemory {
  readonly #blocks = new Map<string, Block>();

  protected abstract allocate(bytes: number): Block;
  abstract place<T extends Float32Array | Uint8Array>(name: string, values: T): T;

  float32(name: string, length: number): Float32Array {
    return new Float32Array(this.blockOf(name, length * 4), 0, length);
  }

  int16(name: string, length: number): Int16Array {
    return new Int16Array(this.blockOf(name, length * 2), 0, length);
  }

  uint8(name: string, length: number): Uint8Array {
    return new Uint8Array(this.blockOf(name, length), 0, length);
  }

  protected blockOf(name: string, bytes: number): Block {
    const kept = this.#blocks.get(name);
    if (kept !== undefined && kept.byteLength >= bytes) {
      return kept;
    }
    const block = this.allocate(bytes);
    this.#blocks.set(name, block);
    return block;
  }
}

/** Memory of one thread. */
export class OwnMemory extends BlockMemory<ArrayBuffer> {
  protected override allocate(bytes: number): ArrayBuffer {
    return new ArrayBuffer(bytes);
  }

  override place<T extends Float32Array | Uint8Array>(_name: string, values: T): T {
    return values;
  }
}

/** Memory that threads share. */
export class SharedMemory extends BlockMemory<SharedArrayBuffer> {
  protected override allocate(bytes: number): SharedArrayBuffer {
    return new SharedArrayBuffer(bytes);
  }

  override place<T extends Float32Array | Uint8Array>(name: string, values: T): T {
    const { length, byteLength } = values;
    const make = values.constructor as new (block: SharedArrayBuffer, offset: number, length: number) => T;
    const shared = new make(this.blockOf(name, byteLength), 0, length);
    shared.set(values);
    return shared;
  }
}
