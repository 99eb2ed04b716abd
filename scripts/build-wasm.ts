/** `npm run build:wasm`: compiles `wasm/` to the modules committed beside the code that calls them. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = new URL('../', import.meta.url);

/**
 * Sources and their compiled modules. The modules are committed, because the service runs without a build; a test
 * checks that they match their sources.
 */
export const modules = [
  ['wasm/distance-kernels.ts', new URL('packages/pixels/src/distance-kernels.wasm', root)],
  ['wasm/jpeg-kernels.ts', new URL('src/rendering/jpeg/jpeg-kernels.wasm', root)],
  ['wasm/matting-kernels.ts', new URL('packages/cutout/src/steps/matting-kernels.wasm', root)],
  ['wasm/resample-kernels.ts', new URL('src/rendering/resample-kernels.wasm', root)],
  ['wasm/ray-kernels.ts', new URL('packages/studio/src/ray-kernels.wasm', root)],
] as const;

const flags = [
  '-O3',
  // No garbage collector and no allocator: the kernels manage their memory themselves.
  ...['--runtime', 'stub'],
  ...['--enable', 'simd'],
  // The modules must import nothing, not even an abort function.
  ...['--use', 'abort='],
  '--noAssert',
  // Treats warnings as errors.
  '--pedantic',
];

export async function compileModule(source: string): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [source, '--outFile', 'module.wasm', '--baseDir', fileURLToPath(root), ...flags],
    {
      writeFile: (_name, contents) => {
        binary = Buffer.from(contents as Uint8Array);
      },
    },
  );
  const said = stderr.toString();
  if (error !== null || binary === undefined || said !== '') {
    throw new Error(`${source} does not compile:\n${said}`, { cause: error });
  }
  return binary;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [source, file] of modules) {
    const binary = await compileModule(source);
    await writeFile(file, binary);
    console.log(`wrote ${binary.length} bytes to ${fileURLToPath(file)}`);
  }
}
