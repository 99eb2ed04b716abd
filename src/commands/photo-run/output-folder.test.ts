import { appendFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Photo } from './find-photos.ts';
import { createFreshKeeper, openOutputFolder, writeWhole } from './output-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-unit-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const photo: Photo = {
  kind: 'file',
  name: 'in/mug.jpg',
  path: 'mug.jpg',
  version: { bytes: 100, changedMs: 5 },
  identity: '/in/mug.jpg',
};
const bytes = Buffer.from('a picture');
const open = (settings = 'white') => openOutputFolder(folder, { settings, overwrite: false });

describe('an output folder', () => {
  it('recognizes a picture from an earlier run, but only for the same photo, version and settings', async () => {
    await (await open()).keep('mug.png', photo, bytes);
    const again = await open();
    expect(await again.isDone('mug.png', photo)).toBe(true);
    expect(await again.isDone('mug.png', { ...photo, path: 'red/mug.jpg' })).toBe(false);
    expect(await again.isDone('mug.png', { ...photo, version: { bytes: 100, changedMs: 4 } })).toBe(false);
    expect(await (await open('green')).isDone('mug.png', photo)).toBe(false);
  });

  it('does not trust a journal entry whose picture was never put in place because the run was killed', async () => {
    await (await open('green')).keep('mug.png', photo, bytes);
    // The state that a run with the settings `white` leaves if it is killed before the last of `keep`'s four steps.
    const white = await mkdtemp(join(folder, 'white-'));
    await (await openOutputFolder(white, { settings: 'white', overwrite: false })).keep(
      'mug.png',
      photo,
      bytes,
    );
    await rm(join(folder, 'mug.png'));
    await appendFile(join(folder, '.packshot.jsonl'), await readFile(join(white, '.packshot.jsonl')));
    const after = await open('white');
    expect(await after.isDone('mug.png', photo)).toBe(false);
    await after.keep('mug.png', photo, bytes);
    expect(await after.isDone('mug.png', photo)).toBe(true);
  });

  it('tolerates a truncated line in its journal', async () => {
    await (await open()).keep('cup.png', photo, bytes);
    await appendFile(join(folder, '.packshot.jsonl'), '\n{"picture":"mu');
    const after = await open();
    await after.keep('mug.png', photo, bytes);
    const again = await open();
    expect([await again.isDone('cup.png', photo), await again.isDone('mug.png', photo)]).toEqual([
      true,
      true,
    ]);
  });

  it('replaces a symbolic link instead of writing through it', async () => {
    const victim = join(folder, 'victim');
    await writeFile(victim, 'precious');
    await symlink(victim, join(folder, '.mug.png.part'));
    await symlink(victim, join(folder, '.once.png.part'));
    await (await open()).keep('mug.png', photo, bytes);
    await writeWhole(join(folder, 'once.png'), bytes);
    expect(await readFile(victim, 'utf8')).toBe('precious');
    for (const name of ['mug.png', 'once.png'])
      expect(await readFile(join(folder, name), 'utf8')).toBe('a picture');
  });

  it('does not write its journal through a symbolic link', async () => {
    const victim = join(folder, 'victim');
    await writeFile(victim, 'precious');
    await symlink(victim, join(folder, '.packshot.jsonl'));
    await expect((await open()).keep('mug.png', photo, bytes)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    expect(await readFile(victim, 'utf8')).toBe('precious');
  });

  it('without `overwrite`, replaces no file that it did not create', async () => {
    await writeFile(join(folder, 'mug.png'), 'precious');
    await expect((await open()).keep('mug.png', photo, bytes)).rejects.toMatchObject({
      code: 'invalid_field',
    });
    expect(await readFile(join(folder, 'mug.png'), 'utf8')).toBe('precious');
  });
});

describe('pictures that would differ in a rerun', () => {
  it('get unused names, even if they are stored concurrently', async () => {
    await writeFile(join(folder, 'mug.png'), 'precious');
    const keepFresh = createFreshKeeper(folder);
    await Promise.all([keepFresh('mug', 'png', bytes), keepFresh('mug', 'png', bytes)]);
    expect((await readdir(folder)).sort()).toEqual(['mug-2.png', 'mug-3.png', 'mug.png']);
    expect(await readFile(join(folder, 'mug.png'), 'utf8')).toBe('precious');
  });
});
