/** Packs compressed files into a ZIP, in the given order and without compressing them again (APPNOTE 6.3). */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A fixed date, so that the same files always give the same bytes. */
const mtime = new Date(1980, 0, 1);

export async function packZip(files: readonly (readonly [name: string, bytes: Buffer])[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of files) zip.addBuffer(bytes, name, { compress: false, mtime });
  zip.end();
  return buffer(zip.outputStream);
}
