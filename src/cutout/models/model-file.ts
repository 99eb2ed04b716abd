/** What all model files have in common, wherever they come from: the size limit, checksums and the folder. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PackshotError } from '../../errors.ts';

/** Maximum size of a model file. ONNX allows 2 GiB in one file; the larger limit leaves room for future formats. */
export const MAX_MODEL_BYTES = 8 * 1024 ** 3;

/** Checksums in lowercase hex. */
export interface Checksums {
  readonly sha256?: string | undefined;
  readonly md5?: string | undefined;
}

export type OnProgress = (bytes: number, totalBytes: number | undefined) => void;

/** Returns the SHA-256 of the file. Rejects with `invalid_field` if a checksum differs. */
export async function checkFile(file: string, { sha256, md5 }: Checksums): Promise<string> {
  const hashes = { sha256: createHash('sha256'), md5: createHash('md5') };
  await pipeline(
    createReadStream(file, { highWaterMark: 1 << 20 }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hashes.sha256.update(chunk);
        if (md5 !== undefined) hashes.md5.update(chunk);
      }
    },
  );
  const found = { sha256: hashes.sha256.digest('hex'), md5: hashes.md5.digest('hex') };
  if (sha256 !== undefined && sha256 !== found.sha256)
    throw refused(`The file has the SHA-256 ${found.sha256}, not ${sha256}.`);
  if (md5 !== undefined && md5 !== found.md5) throw refused(`The file has the MD5 ${found.md5}, not ${md5}.`);
  return found.sha256;
}

/**
 * Lists the file names in a folder; empty if the folder does not exist. Rejects with `storage_unavailable` if the
 * folder cannot be read.
 */
export async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new PackshotError('storage_unavailable', `The folder ${folder} cannot be read.`, { cause: error });
  }
}

export function refused(message: string): PackshotError {
  return new PackshotError('invalid_field', message);
}
