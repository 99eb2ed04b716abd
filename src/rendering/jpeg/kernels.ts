/** The inner loops of the encoder: `wasm/` compiled to WebAssembly with SIMD, their memory, and their calls with types. */
import { type Address, ensureMemory, type Kernels, openKernels } from '../../open-kernels.ts';

interface JpegKernels extends Kernels {
  readonly planeSettings: Address;
  readonly counts: Address;
  readonly codes: Address;
  resetTokens(): void;
  /** Returns the end of the tokens. */
  pushRow(rgb: number, flat: number, columns: number, tokens: number): number;
  /** Returns the end of what it wrote. */
  writeBits(from: number, to: number, target: number): number;
}

/** What the kernels are told about one plane; arrays of 64 are row-major. Levels are less 128. */
export interface PlaneSettings {
  /** The file's quantiser steps, 1 to 255. */
  readonly steps: Uint8Array;
  /** Blocks without flat pixels are quantised by these multiples of the steps. */
  readonly multiples: Uint8Array;
  /** Least and greatest whole value that flat pixels may decode to; infinite where the decoder clips. */
  readonly low: number;
  readonly high: number;
  /** The flat colour's own value. */
  readonly level: number;
  /** Whether blocks that the projections leave a level off are searched on. */
  readonly search: boolean;
  /** In steps: the DC of a block that is nothing but the flat colour. */
  readonly flatDc: number;
}

/** How `wasm/plane-settings.ts` lays a plane out: floats. */
const FLOATS_PER_PLANE = 256;

/** Of each pixel of a row of blocks: 3 bytes of colour and a flag. */
const BYTES_PER_COLUMN = 8 * 8 * 4;

/** At most 64 tokens of 4 bytes for a block of each plane. */
const TOKEN_BYTES_PER_COLUMN = 3 * 64 * 4;

/** A full version takes 10 to 20 MB and leaves them to the next; an instance grown beyond this by noise is dropped. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

const makeKernels = openKernels<JpegKernels>(new URL('./jpeg-kernels.wasm', import.meta.url));

/** Between encodes; all of one encode is synchronous, so no two ever share it. */
let idle: JpegKernels | undefined;

/** Pictures of one size: rows of blocks go in from top to bottom, a file's entropy-coded bytes come out. */
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

  /** How often each symbol occurs: 256 for the DC of luma, its AC, the DC of chroma, its AC. */
  get counts(): Uint32Array {
    return new Uint32Array(this.#kernels.memory.buffer, this.#kernels.counts.value, 1024);
  }

  /**
   * `codes` are in the order of `counts`: the code, shifted left by the bits of its value, times 32, plus the bits of
   * both. `byteLength` is what they come to without stuffing. Ends the use of this object.
   */
  finish(codes: Uint32Array, byteLength: number): Buffer {
    // Each byte can need a stuffed one.
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
    // The kernels' transform leaves its coefficients by columns.
    const natural = 8 * (k & 7) + (k >> 3);
    const [step, multiple] = [plane.steps[natural]!, plane.multiples[natural]!];
    target[k] = 1 / (step * multiple);
    target[64 + k] = multiple;
    target[128 + k] = step;
  }
  target.set([plane.low, plane.high, plane.level, plane.search ? 1 : 0, plane.flatDc], 192);
}
