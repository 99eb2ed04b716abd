/** Reads a batch's ZIP while it arrives, with one picture in memory at a time (APPNOTE.TXT, 4.3). */
import { crc32 } from 'node:zlib';
import { PackshotError } from '../../errors.ts';

export interface ResultFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const entryMark = 0x04034b50;
const descriptorMark = 0x08074b50;
const headerBytes = 30;
const descriptorBytes = 16;

/**
 * Reads a ZIP as the service writes it, with uncompressed entries. If an entry states its size only after its bytes, in
 * a data descriptor, the size comes from `sizeOf`. Throws `internal` for a ZIP that is damaged or cut off.
 */
export async function* readResults(
  zip: AsyncIterable<Uint8Array>,
  sizeOf: (name: string) => number | undefined,
): AsyncGenerator<ResultFile, void> {
  const { take } = createTaker(zip);
  for (;;) {
    const mark = (await take(4)).readUInt32LE();
    // The central directory follows the last entry and repeats known information.
    if (mark !== entryMark) return;
    const header = await take(headerBytes - 4);
    const [flags, method] = [header.readUInt16LE(2), header.readUInt16LE(4)];
    const name = (await take(header.readUInt16LE(22))).toString('utf8');
    await take(header.readUInt16LE(24));
    const sizeFollows = (flags & 8) !== 0;
    const size = sizeFollows ? sizeOf(name) : header.readUInt32LE(18);
    if (method !== 0 || size === undefined) throw damaged();
    const bytes = await take(size);
    const descriptor = sizeFollows ? await take(descriptorBytes) : undefined;
    if (descriptor && descriptor.readUInt32LE() !== descriptorMark) throw damaged();
    if (crc32(bytes) !== (descriptor ? descriptor.readUInt32LE(4) : header.readUInt32LE(10))) throw damaged();
    yield { name, bytes };
  }
}

function createTaker(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return {
    async take(bytes: number): Promise<Buffer> {
      const parts = [rest];
      for (let have = rest.length; have < bytes; ) {
        const { value, done } = await chunks.next();
        if (done) throw damaged();
        parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
        have += value.byteLength;
      }
      const all = parts.length === 1 ? rest : Buffer.concat(parts);
      rest = all.subarray(bytes);
      return all.subarray(0, bytes);
    },
  };
}

const damaged = (): PackshotError =>
  new PackshotError('internal', 'The results of the batch arrived damaged. Run the same command again.');
