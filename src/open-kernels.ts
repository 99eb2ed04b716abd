/** Loads the WebAssembly modules that `npm run build:wasm` compiles and that are committed beside their users. */
import { readFileSync } from 'node:fs';

/** The part of the WebAssembly interface used here, which Node's types leave to the browser types. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => { readonly exports?: never };
  readonly Instance: new (module: { readonly exports?: never }) => { readonly exports: unknown };
};

/** Exports of every module; addresses are byte offsets into its memory. */
export interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Start of the memory available to the caller. */
  readonly freeMemory: Address;
}

export interface Address {
  readonly value: number;
}

const PAGE_BYTES = 65536;

/** Minimum growth, since each growth invalidates all views of the memory. */
const GROWTH_PAGES = 16;

/** Compiles immediately; each call of the returned function creates an instance with its own memory. */
export function openKernels<Exports extends Kernels>(file: URL): () => Exports {
  const compiled = new WebAssembly.Module(readFileSync(file));
  return () => new WebAssembly.Instance(compiled).exports as Exports;
}

/** Grows the memory to at least this size. Earlier views may be invalid afterwards. */
export function ensureMemory({ memory }: Kernels, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
  if (missing > 0) {
    memory.grow(Math.max(missing, GROWTH_PAGES));
  }
}
