/** Loads WebAssembly modules. `npm run build:wasm` compiles them; they are committed beside the files that use them. */
import { readFileSync } from 'node:fs';

/** The part of the WebAssembly interface that is used here. Node's type definitions do not include it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => { readonly exports?: never };
  readonly Instance: new (module: { readonly exports?: never }) => { readonly exports: unknown };
};

/** Exports that every module has. Addresses are byte offsets into the module's memory. */
export interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Start of the memory available to the caller. */
  readonly freeMemory: Address;
}

export interface Address {
  readonly value: number;
}

const PAGE_BYTES = 65536;

/** Minimum pages per growth. Growth is made rare, because it invalidates all views of the memory. */
const GROWTH_PAGES = 16;

/** Compiles the module now; each call of the returned function creates an instance with its own memory. */
export function openKernels<Exports extends Kernels>(file: URL): () => Exports {
  const compiled = new WebAssembly.Module(readFileSync(file));
  return () => new WebAssembly.Instance(compiled).exports as Exports;
}

/** Grows the memory to at least `bytes`. This may invalidate existing views of the memory. */
export function ensureMemory({ memory }: Kernels, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
  if (missing > 0) memory.grow(Math.max(missing, GROWTH_PAGES));
}
