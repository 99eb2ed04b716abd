import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cratePhoto, emptyPhoto } from './service.ts';

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-remove-'));
  await writeFile(join(folder, 'one.jpg'), await cratePhoto());
  await writeFile(join(folder, 'two.PNG'), await cratePhoto({ format: 'png', width: 400 }));
  await writeFile(join(folder, 'notes.txt'), 'not a photo');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const packshot = (...input: string[]) =>
  run(process.execPath, ['bin/packshot.js', ...input], {
    env: { ...process.env, REMOVAL_ENGINE: 'keyer', DATA_DIR: join(folder, 'data') },
  });

describe('packshot remove', () => {
  it("writes transparent PNGs of the photos' own size, named like them", async () => {
    const out = join(folder, 'cutouts');
    await packshot('remove', folder, '-o', out);
    expect((await readdir(out)).sort()).toEqual(['one.png', 'two.png']);
    const metadata = await sharp(join(out, 'two.png')).metadata();
    expect(metadata).toMatchObject({ format: 'png', width: 400, height: 240, channels: 4 });
  });

  it('puts a photo on a recipe', async () => {
    const out = join(folder, 'white');
    await packshot('remove', join(folder, 'one.jpg'), '-o', out, '--recipe', 'Solid4_5_0035');
    expect(await sharp(join(out, 'one.jpeg')).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1600,
      height: 2000,
    });
  });

  it('goes on past a photo without a product, and ends with exit code 1', async () => {
    await writeFile(join(folder, 'empty.jpg'), await emptyPhoto());
    const out = join(folder, 'some');
    await expect(packshot('remove', folder, '-o', out)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/FAILED {2}\S+empty\.jpg[\s\S]*2 of 3 pictures/),
    });
    expect((await readdir(out)).sort()).toEqual(['one.png', 'two.png']);
  });

  it('says what is wrong with a path or a recipe that is none', async () => {
    await expect(packshot('remove', join(folder, 'gone.jpg'), '-o', folder)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('gone.jpg'),
    });
    await expect(packshot('remove', folder, '-o', folder, '--recipe', 'Nope')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown_recipe'),
    });
  });
});
