import { access, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { readManifest } from './archive.ts';
import {
  expectSample,
  rowsOf,
  type TestService,
  type TransferHouse,
  textsOf,
  useFilledSource,
} from './testing/transfer-house.ts';

let house: TransferHouse;
let source: TestService;
useFilledSource((opened, filled) => {
  house = opened;
  source = filled;
});

describe('an export', () => {
  it('is readable by its owner only', async () => {
    await house.exportFrom(source);
    const modeOf = async (path: string) => (await stat(join(house.folder, path))).mode & 0o777;
    for (const path of ['.', 'rows', 'blobs/designs/dsg_a']) expect(await modeOf(path)).toBe(0o700);
    for (const path of ['manifest.json', 'rows/secrets.jsonl', 'jobs.jsonl', 'blobs/designs/dsg_a/source'])
      expect(await modeOf(path)).toBe(0o600);
  });

  it('into the same folder copies new and changed blobs, and removes deleted ones', async () => {
    expect((await house.exportFrom(source)).copied).toBe(7);
    expect((await house.exportFrom(source)).copied).toBe(0);
    await source.blobs.put('designs/dsg_b/cutout.png', Buffer.from('new'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await source.blobs.put('designs/dsg_a/cutout.png', Buffer.from('as long..!'));
    await source.blobs.deleteAll('designs/dsg_a/illustrations');
    await source.database.database.deleteFrom('backdrops').execute();
    await source.blobs.deleteAll('backdrops/bdp_a');
    expect((await house.exportFrom(source)).copied).toBe(2);
    for (const gone of ['backdrops/bdp_a', 'designs/dsg_a/illustrations/ill_a/plate-1'])
      await expect(access(join(house.folder, 'blobs', gone)), gone).rejects.toThrow('ENOENT');
    const there = await house.openService();
    await house.importInto(there);
    expect(await textsOf(there.blobs)).toEqual(await textsOf(source.blobs));
    expect(await rowsOf(there, 'backdrops')).toEqual([]);
  });

  it('reports blobs that rows need and that are missing', async () => {
    await source.blobs.deleteAll('designs/dsg_a/cutout.png');
    await source.blobs.deleteAll('backdrops/bdp_a');
    const { manifest } = await house.exportFrom(source);
    expect(manifest.missing).toEqual({
      count: 2,
      some: ['designs/dsg_a/cutout.png', 'backdrops/bdp_a/source'],
    });
  });

  it('that was interrupted is not an archive, and the next one continues it', async () => {
    const reads: string[] = [];
    const failing: BlobStore = {
      ...source.blobs,
      async get(key) {
        reads.push(key);
        if (reads.length > 3) throw new PackshotError('storage_unavailable', 'It went away.');
        return source.blobs.get(key);
      },
    };
    await expect(house.exportFrom({ ...source, blobs: failing })).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    await expect(readManifest(house.folder)).rejects.toThrow('unfinished');
    expect((await house.exportFrom(source)).copied).toBeLessThanOrEqual(4);
    const there = await house.openService();
    await house.importInto(there);
    await expectSample(there);
  });

  it('does not touch a folder that contains other files', async () => {
    await writeFile(join(house.folder, 'thesis.txt'), 'all of it');
    await expect(house.exportFrom(source)).rejects.toThrow('contains no archive');
  });

  it('is refused for stores without an account, which are probably the wrong ones', async () => {
    const empty = await house.openService('sqlite');
    await expect(house.exportFrom(empty)).rejects.toThrow('nothing to export');
  });

  it('does not mix two services', async () => {
    await house.exportFrom(source);
    const other = await house.openService('sqlite');
    await other.database.database
      .insertInto('accounts')
      .values({ id: 'acc_b', name: 'b', created_at: 1 })
      .execute();
    await expect(house.exportFrom(other)).rejects.toThrow('another service');
    expect((await readManifest(house.folder)).service).toBe('acc_a');
  });
});
