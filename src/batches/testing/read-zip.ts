/** For tests: reads a ZIP as an unpacker does. Throws for an archive that an unpacker would reject. */
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

export async function readZip(zip: Buffer): Promise<ZipEntry[]> {
  const archive = await fromBufferPromise(zip);
  const entries: ZipEntry[] = [];
  for await (const entry of archive.eachEntry()) {
    const bytes = await buffer(await archive.openReadStreamPromise(entry));
    if (crc32(bytes) !== entry.crc32) throw new Error(`${entry.fileName} is damaged`);
    entries.push({ name: entry.fileName, bytes });
  }
  return entries;
}
