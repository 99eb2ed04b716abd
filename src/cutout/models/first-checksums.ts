/**
 * Checksums of downloads whose publisher states none. The first download is trusted, and every later one must
 * match it. They are kept when the model is removed.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileIn = (modelsDir: string): string => join(modelsDir, 'first-checksums.json');

/** The SHA-256 that this URL had at its first download; undefined if there was none. */
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
