/** `npm run build:wasm`: compiles `wasm/` to the module that is committed beside the JPEG encoder. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = new URL('../', import.meta.url);

/** Committed, since the service is run without a build; `build-wasm.test.ts` holds it against its source. */
export const committedKernels = new URL('src/rendering/jpeg/kernels.wasm', root);

const flags = [
  '-O3',
  // No collector and no allocator: the kernels lay their memory out themselves.
  ...['--runtime', 'stub'],
  ...['--enable', 'simd'],
  // Nothing is imported, not even a function to fail with.
  ...['--use', 'abort='],
  '--noAssert',
  // A warning is an error: there are none.
  '--pedantic',
];

export async function compileKernels(): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    ['wasm/jpeg-kernels.ts', '--outFile', 'kernels.wasm', '--baseDir', fileURLToPath(root), ...flags],
    {
      writeFile: (_name, contents) => {
        binary = Buffer.from(contents as Uint8Array);
      },
    },
  );
  const said = stderr.toString();
  if (error !== null || binary === undefined || said !== '') {
    throw new Error(`wasm/ does not compile:\n${said}`, { cause: error });
  }
  return binary;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const binary = await compileKernels();
  await writeFile(committedKernels, binary);
  console.log(`wrote ${binary.length} bytes to ${fileURLToPath(committedKernels)}`);
}
