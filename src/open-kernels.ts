/** Opens the WebAssembly modules that `npm run build:wasm` makes and that are committed beside their users. */
import { readFileSync } from 'node:fs';

/** As much of the WebAssembly interface as is used here; the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => { readonly exports?: never };
  readonly Instance: new (module: { readonly exports?: never }) => { readonly exports: unknown };
};

/** What every module of ours exports; addresses are bytes into its memory. */
export interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Where the caller's part of the memory begins. */
  readonly freeMemory: Address;
}

export interface Address {
  readonly value: number;
}

const PAGE_BYTES = 65536;

/** Memory grows by at least this, since each growth makes all views of it anew. */
const GROWTH_PAGES = 16;

/** Compiles at once; each call of what it returns makes an instance with a memory of its own. */
export function openKernels<Exports extends Kernels>(file: URL): () => Exports {
  const compiled = new WebAssembly.Module(readFileSync(file));
  return () => new WebAssembly.Instance(compiled).exports as Exports;
}

/** Makes the memory at least so long. Views from before may be dead afterwards. */
export function ensureMemory({ memory }: Kernels, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
  if (missing > 0) {
    memory.grow(Math.max(missing, GROWTH_PAGES));
  }
}
