/** What all model files have in common, wherever they come from: the size limit, checksums and the folder. */
import { readdir } from 'node:fs/promises';
import { PackshotError } from 'packshot-errors';
import { hashFile } from './hash-file.ts';

/** Maximum size of a model file. ONNX allows 2 GiB in one file; the larger limit leaves room for future formats. */
export const MAX_MODEL_BYTES = 8 * 1024 ** 3;

export type OnProgress = (bytes: number, totalBytes: number | undefined) => void;

/** Returns the SHA-256 of the file. Rejects with `invalid_field` if another one is expected. */
export async function checkFile(file: string, expected: string | undefined): Promise<string> {
  const sha256 = await hashFile(file);
  if (expected !== undefined && expected !== sha256)
    throw refused(`The file has the SHA-256 ${sha256}, not ${expected}.`);
  return sha256;
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
