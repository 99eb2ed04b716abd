/** The encoder's inner loops: SIMD WebAssembly compiled from `wasm/`, with the memory layout and typed calls. */
import { type Address, ensureMemory, type Kernels, openKernels } from 'packshot-pixels';

interface JpegKernels extends Kernels {
  readonly planeSettings: Address;
  readonly counts: Address;
  readonly codes: Address;
  resetTokens(): void;
  /** Returns the address after the last token. */
  pushRow(rgb: number, flat: number, columns: number, tokens: number): number;
  /** Returns the address after the last byte written. */
  writeBits(from: number, to: number, target: number): number;
}

/** Settings of one plane for the kernels. Arrays of 64 are row-major; levels are values of 0 to 255, minus 128. */
export interface PlaneSettings {
  /** The file's quantization steps, 1 to 255. */
  readonly steps: Uint8Array;
  /** Factors of `steps` with which blocks without flat pixels are quantized. */
  readonly multiples: Uint8Array;
  /** Smallest and largest integer to which flat pixels may decode; infinite where the decoder clips. */
  readonly low: number;
  readonly high: number;
  /** Level of the flat color. */
  readonly level: number;
  /** Whether to search further in blocks that are still off by a level after the projections in `wasm/hold-flat.ts`. */
  readonly search: boolean;
  /** DC coefficient of a fully flat block, in quantization steps. */
  readonly flatDc: number;
}

/** Floats per plane in the layout of `wasm/plane-settings.ts`. */
const FLOATS_PER_PLANE = 256;

/** Bytes per column of blocks: each of its 64 pixels has 3 color bytes and a flag. */
const BYTES_PER_COLUMN = 8 * 8 * 4;

/** A block has at most 64 tokens of 4 bytes in each of the 3 planes. */
const TOKEN_BYTES_PER_COLUMN = 3 * 64 * 4;

/**
 * Maximum memory, in bytes, of an instance that is kept for the next encode. A full version takes 10 to 20 MB. An
 * instance that a noisy picture made larger than the maximum is dropped.
 */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

const makeKernels = openKernels<JpegKernels>(new URL('./jpeg-kernels.wasm', import.meta.url));

/** The instance that waits for the next encode. An encode is synchronous, so no two encodes share an instance. */
let idle: JpegKernels | undefined;

/** Encodes one picture: takes rows of blocks from top to bottom, and returns entropy-coded bytes. */
export class BlockRows {
  readonly #kernels: JpegKernels;
  readonly #columns: number;
  readonly #rgb: number;
  readonly #flat: number;
  readonly #tokens: number;
  #end: number;

  constructor(columns: number, planes: readonly [PlaneSettings, PlaneSettings, PlaneSettings]) {
    this.#kernels = idle ?? makeKernels();
    idle = undefined;
    this.#columns = columns;
    this.#rgb = this.#kernels.freeMemory.value;
    this.#flat = this.#rgb + 192 * columns;
    this.#tokens = this.#rgb + BYTES_PER_COLUMN * columns;
    this.#end = this.#tokens;
    this.#kernels.resetTokens();
    for (const [n, plane] of planes.entries()) {
      const at = this.#kernels.planeSettings.value + 4 * FLOATS_PER_PLANE * n;
      writeSettings(plane, new Float32Array(this.#kernels.memory.buffer, at, FLOATS_PER_PLANE));
    }
  }

  /** Views of the next row of blocks, `8 * columns` by 8 pixels, to be filled before `push`. */
  openRow(): { readonly rgb: Uint8Array; readonly flat: Uint8Array } {
    ensureMemory(this.#kernels, this.#end + TOKEN_BYTES_PER_COLUMN * this.#columns);
    const { buffer } = this.#kernels.memory;
    return {
      rgb: new Uint8Array(buffer, this.#rgb, 192 * this.#columns),
      flat: new Uint8Array(buffer, this.#flat, 64 * this.#columns),
    };
  }

  push(): void {
    this.#end = this.#kernels.pushRow(this.#rgb, this.#flat, this.#columns, this.#end);
  }

  /** Occurrences of each symbol: 256 numbers each for luma DC, luma AC, chroma DC and chroma AC. */
  get counts(): Uint32Array {
    return new Uint32Array(this.#kernels.memory.buffer, this.#kernels.counts.value, 1024);
  }

  /**
   * Writes the entropy-coded bytes; the object must not be used afterwards. `codes` are in the order of `counts`. Each
   * is `(code << valueBits) * 32 + bits`, where `bits` counts the bits of the code and of its value. `byteLength` is
   * the number of these bytes without the zeros that JPEG inserts (stuffs) after each byte of 255.
   */
  finish(codes: Uint32Array, byteLength: number): Buffer {
    // In the worst case, every byte is followed by a stuffed byte.
    ensureMemory(this.#kernels, this.#end + 2 * byteLength + 8);
    const { memory } = this.#kernels;
    new Uint32Array(memory.buffer, this.#kernels.codes.value, 1024).set(codes);
    const end = this.#kernels.writeBits(this.#tokens, this.#end, this.#end);
    const bytes = Buffer.from(new Uint8Array(memory.buffer, this.#end, end - this.#end));
    idle = memory.buffer.byteLength > MAX_KEPT_BYTES ? undefined : this.#kernels;
    return bytes;
  }
}

function writeSettings(plane: PlaneSettings, target: Float32Array): void {
  for (let k = 0; k < 64; k++) {
    // The kernels' DCT stores coefficients column by column.
    const natural = 8 * (k & 7) + (k >> 3);
    const [step, multiple] = [plane.steps[natural]!, plane.multiples[natural]!];
    target[k] = 1 / (step * multiple);
    target[64 + k] = multiple;
    target[128 + k] = step;
  }
  target.set([plane.low, plane.high, plane.level, plane.search ? 1 : 0, plane.flatDc], 192);
}
