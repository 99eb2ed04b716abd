/**
 * Checksums of downloads whose publisher states none. The first download is trusted, and every later one must
 * match it. The checksums are kept when the model is removed.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileIn = (modelsDir: string): string => join(modelsDir, 'first-checksums.json');

/** Returns the SHA-256 of the first file downloaded from this URL; undefined if nothing was downloaded from it yet. */
export async function readFirstChecksum(modelsDir: string, url: string): Promise<string | undefined> {
  return (await readAll(modelsDir))[url];
}

export async function keepFirstChecksum(modelsDir: string, url: string, sha256: string): Promise<void> {
  const unfinished = `${fileIn(modelsDir)}.part`;
  await writeFile(
    unfinished,
    `${JSON.stringify({ ...(await readAll(modelsDir)), [url]: sha256 }, null, 2)}\n`,
  );
  await rename(unfinished, fileIn(modelsDir));
}

async function readAll(modelsDir: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(fileIn(modelsDir), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
