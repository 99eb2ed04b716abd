import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { Batch, BatchItem } from '../../batches/batch.ts';
import { zipResults } from '../../batches/zip-results.ts';
import { type ResultFile, readResults } from './read-results.ts';

const batch = { id: 'bat_1', createdAt: new Date(0), endedAt: new Date(0) } as Batch;
const pictures = [Buffer.from('a mug'), Buffer.alloc(70_000, 7), Buffer.of()];
const items = pictures.map(
  ({ length }, position) =>
    ({
      position,
      state: 'done',
      fileName: `größe ${position}.jpeg`,
      recipe: {},
      result: { bytes: length, warnings: [] },
    }) as unknown as BatchItem,
);
const sizeOf = (name: string) => items.find(({ fileName }) => fileName === name)?.result?.bytes;
const zip = await buffer(zipResults(batch, items, async ({ position }) => pictures[position]!));

function inPieces(bytes: Buffer, size: number): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
  );
}

async function readAll(stream: Readable): Promise<ResultFile[]> {
  const files: ResultFile[] = [];
  for await (const file of readResults(stream, sizeOf)) files.push(file);
  return files;
}

it.each([1, 13, 4_096, 1e6])(
  'every picture is read from a service’s ZIP that arrives in pieces of %i bytes',
  async (size) => {
    const read = await readAll(inPieces(zip, size));
    expect(read.map(({ name }) => name)).toEqual(['manifest.json', ...items.map(({ fileName }) => fileName)]);
    expect(
      read
        .slice(1)
        .map(({ bytes }) =>
          bytes.equals(pictures[items.findIndex(({ result }) => result!.bytes === bytes.length)]!),
        ),
    ).toEqual([true, true, true]);
  },
);

it('a truncated or modified ZIP is rejected', async () => {
  const altered = Buffer.from(zip);
  altered[altered.indexOf('a mug')] = 0x62;
  for (const bad of [zip.subarray(0, 5_000), altered]) {
    await expect(readAll(inPieces(bad, 999))).rejects.toMatchObject({
      message: expect.stringContaining('damaged'),
    });
  }
});
