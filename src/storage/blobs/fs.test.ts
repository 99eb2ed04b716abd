import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeBlobStore } from '../blob-store.contract.ts';
import { openFsBlobStore } from './fs.ts';

describeBlobStore('fs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-unit-'));
  return {
    blobs: await openFsBlobStore(folder),
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('blobs as files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packshot-unit-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('outlive the store that wrote them', async () => {
    await (await openFsBlobStore(folder)).put('designs/a/source', Buffer.from('x'));
    expect(String(await (await openFsBlobStore(folder)).get('designs/a/source'))).toBe('x');
  });

  it('are swept where a killed process left them half written', async () => {
    await openFsBlobStore(folder);
    await writeFile(join(folder, 'tmp', 'torn'), 'half a pho');
    const blobs = await openFsBlobStore(folder);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    for await (const { key } of blobs.list('designs')) expect.unreachable(`listed ${key}`);
  });

  it('are readable by nobody else', async () => {
    await (await openFsBlobStore(folder)).put('designs/a/source', Buffer.from('x'));
    expect((await stat(join(folder, 'blobs/designs/a/source'))).mode & 0o077).toBe(0);
  });

  it('leave nothing behind and the old bytes in place when a put fails', async () => {
    const blobs = await openFsBlobStore(folder);
    await blobs.put('designs/a', Buffer.from('a blob where a folder is needed'));
    await expect(blobs.put('designs/a/source', Buffer.from('x'))).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    expect(await readFile(join(folder, 'blobs/designs/a'), 'utf8')).toContain('a blob');
  });

  it('end in storage_unavailable while their folders are away, and come back with them', async () => {
    const blobs = await openFsBlobStore(folder);
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

  it('end in storage_unavailable when the folder for unfinished files was removed', async () => {
    const blobs = await openFsBlobStore(folder);
    await rm(join(folder, 'tmp'), { recursive: true });
    await expect(blobs.put('designs/a/source', Buffer.from('x'))).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    await mkdir(join(folder, 'tmp'));
    await blobs.put('designs/a/source', Buffer.from('x'));
  });
});
