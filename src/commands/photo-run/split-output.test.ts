import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitOutput } from './split-output.ts';

let folder: string;
const at = (...parts: string[]) => join(folder, ...parts);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-split-'));
  for (const name of ['photos', 'more', 'earlier', 'empty', 'texts']) await mkdir(at(name));
  await writeFile(at('a.jpg'), 'a');
  await writeFile(at('b.jpg'), 'b');
  await writeFile(at('old.png'), 'old');
  await writeFile(at('photos', 'a.jpg'), 'a');
  await writeFile(at('more', 'b.JPG'), 'b');
  await writeFile(at('earlier', 'a.png'), 'made here');
  await writeFile(at('earlier', '.packshot.jsonl'), '');
  await writeFile(at('texts', 'notes.txt'), 'no photo');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const split = (words: string[], out?: string) =>
  splitOutput(words, out, (why) => {
    throw new Error(why);
  });
const output = async (...words: string[]) => (await split(words)).out;

describe('the last argument of a list of photos', () => {
  it('is the output file if it does not exist and has a picture’s extension', async () => {
    expect(await split([at('a.jpg'), at('new.png')])).toEqual({ photos: [at('a.jpg')], out: at('new.png') });
    expect(await output('-', at('new.webp'))).toBe(at('new.webp'));
    expect(await output('https://shop.example/a.jpg', at('new.webp'))).toBe(at('new.webp'));
  });

  it('is the output folder if it does not exist, and has no extension or ends with a slash', async () => {
    expect(await output(at('photos'), at('new'))).toBe(at('new'));
    expect(await output(at('a.jpg'), at('b.jpg'), at('new'))).toBe(at('new'));
    expect(await output(at('photos'), `${at('new.png')}/`)).toBe(`${at('new.png')}/`);
  });

  it('is the output folder if it exists and is empty, contains no photos, or was written by an earlier run', async () => {
    expect(await output(at('photos'), at('empty'))).toBe(at('empty'));
    expect(await output(at('a.jpg'), at('texts'))).toBe(at('texts'));
    expect(await output(at('photos'), at('earlier'))).toBe(at('earlier'));
  });

  it('is a photo if it is an existing file, a URL, standard input, or the only argument', async () => {
    for (const last of [at('b.jpg'), 'https://shop.example/b.jpg', '-']) {
      expect(await split([at('a.jpg'), last])).toEqual({ photos: [at('a.jpg'), last], out: undefined });
    }
    expect(await output(at('photos'))).toBeUndefined();
    expect(await output(at('gone.jpg'))).toBeUndefined();
  });

  it('is always a photo if -o names the output', async () => {
    const words = [at('photos'), at('earlier')];
    expect(await split(words, 'out')).toEqual({ photos: words, out: 'out' });
  });

  it('is refused if it could be a photo or the output; the error shows both possible commands', async () => {
    const two = split([at('photos'), at('more')]);
    await expect(two).rejects.toThrow(`packshot remove ${at('photos')} -o ${at('more')}`);
    const existing = split([at('a.jpg'), at('old.png')]);
    await expect(existing).rejects.toThrow(`packshot remove ${at('a.jpg')} -o ${at('old.png')}`);
  });

  it('is refused if it names a single new file for several photos, or a file in an unsupported format', async () => {
    const several = split([at('a.jpg'), at('b.jpg'), at('new.png')]);
    await expect(several).rejects.toThrow(/There is no file or folder .*new\.png.*-o/);
    await expect(split([at('photos'), at('new.png')])).rejects.toThrow(/There is no file or folder/);
    await expect(split([at('a.jpg'), at('new.tif')])).rejects.toThrow('png, webp, jpg or avif');
  });
});
