import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { measureSpace, reserveOf, watchStorage } from './disk-space.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-unit-'));
  await mkdir(join(folder, 'tmp'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const MiB = 1024 ** 2;

describe('the health check of the data folder', () => {
  it('finds no fault in a writable folder, and leaves no file there', async () => {
    const watch = watchStorage(folder, { minFreeBytes: 0 });
    expect(await watch.findObstacles()).toEqual([]);
    await watch.admitUpload();
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  it('refuses uploads below the reserve, with Retry-After', async () => {
    const watch = watchStorage(folder, { minFreeBytes: 2 ** 60 });
    await expect(watch.admitUpload()).rejects.toMatchObject({ code: 'storage_full', retryAfterS: 10 });
    expect(await watch.findObstacles()).toEqual([expect.stringMatching(/^the disk has \d+ MiB free/)]);
  });

  it('distinguishes an unwritable folder from a missing folder', async () => {
    await rm(join(folder, 'tmp'), { recursive: true });
    await writeFile(join(folder, 'tmp'), '');
    expect(await watchStorage(folder, { minFreeBytes: 0 }).findObstacles()).toEqual([
      'the data folder cannot be written',
    ]);
    const gone = watchStorage(join(folder, 'gone'), { minFreeBytes: 0 });
    expect(await gone.findObstacles()).toEqual(['the data folder does not exist']);
    await expect(gone.admitUpload()).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  it('reserves 256 MiB by default, and less on a small disk', async () => {
    const disk = (totalBytes: number) => ({ freeBytes: 0, totalBytes });
    expect(reserveOf(disk(100_000 * MiB), undefined)).toBe(256 * MiB);
    expect(reserveOf(disk(200 * MiB), undefined)).toBe(10 * MiB);
    expect(reserveOf(disk(200 * MiB), 100 * MiB)).toBe(100 * MiB);
    const { freeBytes, totalBytes } = await measureSpace(folder);
    expect(freeBytes).toBeLessThanOrEqual(totalBytes);
  });
});
