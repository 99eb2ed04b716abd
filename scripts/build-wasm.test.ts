import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { compileModule, modules } from './build-wasm.ts';

// Loading the compiler takes a second or two.
it.each(modules)(
  'the committed WebAssembly has the exact bytes that %s compiles to',
  { timeout: 60_000 },
  async (source, file) => {
    const compiled = await compileModule(source);
    const committed = await readFile(file);
    expect(Buffer.compare(committed, compiled), 'run npm run build:wasm').toBe(0);
  },
);
