import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { committedKernels, compileKernels } from './build-wasm.ts';

// The compiler alone takes a second or two to load.
it('commits the very bytes that wasm/ compiles to', { timeout: 60_000 }, async () => {
  const compiled = await compileKernels();
  const committed = await readFile(committedKernels);
  expect(Buffer.compare(committed, compiled), 'run npm run build:wasm').toBe(0);
});
