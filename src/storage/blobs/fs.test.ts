import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeBlobStore } from '../blob-store.contract.ts';
import { openFsBlobStore } from './fs.ts';

describeBlobStore('fs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-unit-'));
  return {
    blobs: await openFsBlobStore(folder, { alone: true }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('blobs as files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packshot-unit-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('survive the store that wrote them', async () => {
    await (await openFsBlobStore(folder, { alone: true })).put('designs/a/source', Buffer.from('x'));
    expect(String(await (await openFsBlobStore(folder, { alone: true })).get('designs/a/source'))).toBe('x');
  });

  it('are removed if a killed process left them half written', async () => {
    await openFsBlobStore(folder, { alone: true });
    await writeFile(join(folder, 'tmp', 'torn'), 'half a pho');
    const blobs = await openFsBlobStore(folder, { alone: true });
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    for await (const { key } of blobs.list('designs')) expect.unreachable(`listed ${key}`);
  });

  it('that other processes are still writing are kept for an hour', async () => {
    await openFsBlobStore(folder, { alone: false });
    for (const name of ['new', 'old']) await writeFile(join(folder, 'tmp', name), 'half a pho');
    const hourAgo = Date.now() / 1000 - 3_700;
    await utimes(join(folder, 'tmp', 'old'), hourAgo, hourAgo);
    await openFsBlobStore(folder, { alone: false });
    expect(await readdir(join(folder, 'tmp'))).toEqual(['new']);
  });

  it('are readable by the owner only', async () => {
    await (await openFsBlobStore(folder, { alone: true })).put('designs/a/source', Buffer.from('x'));
    expect((await stat(join(folder, 'blobs/designs/a/source'))).mode & 0o077).toBe(0);
  });

  it('have their last use as modification time, to the hour', async () => {
    const blobs = await openFsBlobStore(folder, { alone: true });
    const path = join(folder, 'blobs/designs/a/source');
    await blobs.put('designs/a/source', Buffer.from('x'));
    const ageAfterUse = async (ageS: number) => {
      const then = Date.now() / 1000 - ageS;
      await utimes(path, then, then);
      await blobs.get('designs/a/source');
      return Date.now() / 1000 - (await stat(path)).mtimeMs / 1000;
    };
    expect(await ageAfterUse(3_700)).toBeLessThan(60);
    // However many reads there are, at most one write per hour.
    expect(await ageAfterUse(3_000)).toBeGreaterThan(2_900);
  });

  it('keep the old bytes, and leave no temporary file behind, when a put fails', async () => {
    const blobs = await openFsBlobStore(folder, { alone: true });
    await blobs.put('designs/a', Buffer.from('a blob where a folder is needed'));
    await expect(blobs.put('designs/a/source', Buffer.from('x'))).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    expect(await readFile(join(folder, 'blobs/designs/a'), 'utf8')).toContain('a blob');
  });

  it('fail with storage_unavailable while their folders are missing, and recover', async () => {
    const blobs = await openFsBlobStore(folder, { alone: true });
    await blobs.put('designs/a/source', Buffer.from('x'));
    for (const name of ['blobs', 'tmp']) {
      await rename(join(folder, name), join(folder, `${name}-away`));
      await writeFile(join(folder, name), 'not a folder');
    }
    const unavailable = { code: 'storage_unavailable' };
    await expect(blobs.put('designs/b/source', Buffer.from('y'))).rejects.toMatchObject(unavailable);
    await expect(blobs.get('designs/a/source')).rejects.toMatchObject(unavailable);
    for (const name of ['blobs', 'tmp']) {
      await rm(join(folder, name));
      await rename(join(folder, `${name}-away`), join(folder, name));
    }
    expect(String(await blobs.get('designs/a/source'))).toBe('x');
  });

  it('fail with storage_unavailable when the folder for temporary files was removed', async () => {
    const blobs = await openFsBlobStore(folder, { alone: true });
    await rm(join(folder, 'tmp'), { recursive: true });
    await expect(blobs.put('designs/a/source', Buffer.from('x'))).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    await mkdir(join(folder, 'tmp'));
    await blobs.put('designs/a/source', Buffer.from('x'));
  });
});
