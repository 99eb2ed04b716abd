/** The partial file of a download, and a stamp beside it that identifies the download. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';

interface Part {
  readonly url: string;
  readonly partialFile: string;
  readonly sha256: string | undefined;
}

/** The download that the partial file belongs to. */
interface Stamp {
  readonly url: string;
  readonly etag?: string;
}

const stampOf = (partialFile: string): string => `${partialFile}.json`;

/**
 * Returns the partial file's stamp if the download can continue the file. Undefined if the file is from another URL, or
 * if neither an ETag nor a checksum will prove that the file belongs to this download.
 */
export async function readStamp({ url, partialFile, sha256 }: Part): Promise<Stamp | undefined> {
  try {
    const stamp: Stamp = JSON.parse(await readFile(stampOf(partialFile), 'utf8'));
    const provable = stamp.etag !== undefined || sha256 !== undefined;
    return stamp.url === url && provable ? stamp : undefined;
  } catch {
    return undefined;
  }
}

export async function writeStamp({ url, partialFile }: Part, etag: string | null): Promise<void> {
  // A weak ETag does not guarantee identical bytes (RFC 9110, 13.1.5).
  const stamp: Stamp = { url, ...(etag !== null && !etag.startsWith('W/') && { etag }) };
  await writeFile(stampOf(partialFile), JSON.stringify(stamp));
}

/** Returns the file's size in bytes; 0 if there is no file. */
export async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.size ?? 0;
}

export async function removePartial(partialFile: string): Promise<void> {
  await rm(partialFile, { force: true });
  await rm(stampOf(partialFile), { force: true });
}

/** Deletes only the stamp, because the file is complete. */
export async function removeStamp(partialFile: string): Promise<void> {
  await rm(stampOf(partialFile), { force: true });
}
