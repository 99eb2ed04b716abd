import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Batch, BatchItem } from './batch.ts';
import { readZip } from './testing/read-zip.ts';
import { zipResults } from './zip-results.ts';

const batch: Batch = {
  id: 'bat_a',
  accountId: 'acc_own',
  keyId: 'key_1',
  sandbox: false,
  state: 'completed',
  events: [],
  createdAt: new Date('2026-01-01T00:00:00Z'),
  endedAt: new Date('2026-01-01T01:00:00Z'),
  expiresAt: null,
};
const item = (position: number, bytes: number): BatchItem => ({
  position,
  state: 'done',
  fileName: `${position}.jpeg`,
  recipe: { recipeId: 'Solid1_1_0035', variant: '1:1', format: 'jpeg' },
  designId: `dsg_${position}`,
  result: { bytes, etag: '""', warnings: [{ code: 'upscaled', detail: '' }] },
  failure: undefined,
});
const failed: BatchItem = {
  ...item(1, 0),
  state: 'failed',
  result: undefined,
  failure: { code: 'no_subject_found', detail: 'none' },
};

describe('a ZIP of results', () => {
  it('contains the finished pictures, and a manifest of all items', async () => {
    const zip = await buffer(zipResults(batch, [item(0, 3), failed], async () => Buffer.from('abc')));
    const [manifest, ...files] = await readZip(zip);
    expect(files.map(({ name, bytes }) => [name, String(bytes)])).toEqual([['0.jpeg', 'abc']]);
    const recipe = { recipeId: 'Solid1_1_0035', variant: '1:1' };
    expect(JSON.parse(String(manifest?.bytes))).toEqual({
      id: 'bat_a',
      createdAt: '2026-01-01T00:00:00.000Z',
      endedAt: '2026-01-01T01:00:00.000Z',
      items: [
        {
          item: 0,
          status: 'done',
          file: '0.jpeg',
          designId: 'dsg_0',
          ...recipe,
          warnings: [{ code: 'upscaled', detail: '' }],
        },
        {
          item: 1,
          status: 'failed',
          file: null,
          designId: 'dsg_1',
          ...recipe,
          error: { code: 'no_subject_found', detail: 'none' },
        },
      ],
    });
  });

  it('has the same bytes each time it is created', async () => {
    const make = () => buffer(zipResults(batch, [item(0, 3)], async () => Buffer.from('abc')));
    const first = await make();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await make()).equals(first)).toBe(true);
  });

  it('fails if a picture cannot be read, or does not have the recorded number of bytes', async () => {
    const items = [item(0, 3), item(1, 3)];
    const gone = zipResults(batch, items, async ({ position }) => {
      if (position === 1) throw new Error('it is gone');
      return Buffer.from('abc');
    });
    await expect(buffer(gone)).rejects.toThrow('it is gone');
    const longer = zipResults(batch, items, async () => Buffer.from('abcd'));
    await expect(buffer(longer)).rejects.toThrow('unexpected number of bytes');
  });

  it('reads each picture only when the stream has room for it', async () => {
    const big = Buffer.alloc(1_000_000);
    let read = 0;
    const items = Array.from({ length: 30 }, (_, position) => item(position, big.length));
    const zip = zipResults(batch, items, async () => {
      read++;
      return big;
    });
    const taken = zip[Symbol.asyncIterator]();
    for (let bytes = 0; bytes < 5_000_000; ) bytes += (await taken.next()).value.length;
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(read).toBeGreaterThanOrEqual(5);
    expect(read).toBeLessThanOrEqual(8);
    zip.destroy();
  });
});
