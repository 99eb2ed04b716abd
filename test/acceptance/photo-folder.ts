/** A folder with two photos and two other files, for tests of commands. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll } from 'vitest';
import { cratePhoto } from './service.ts';

/** Returns a function that resolves paths in a temporary folder. All four files are in its subfolder `few`. */
export function usePhotoFolder(): (...parts: string[]) => string {
  let folder: string;
  const at = (...parts: string[]) => join(folder, ...parts);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packshot-remove-'));
    await mkdir(at('few'));
    await writeFile(at('few', 'one.jpg'), await cratePhoto());
    await writeFile(at('few', 'two.PNG'), await cratePhoto({ format: 'png', width: 400 }));
    await writeFile(at('few', 'notes.txt'), 'not a photo');
    await writeFile(at('few', '._one.jpg'), 'what macOS leaves');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return at;
}

/** Names of the files that a user sees in a folder. */
export const visible = async (path: string) =>
  (await readdir(path)).filter((name) => !name.startsWith('.')).sort();

export const sizeOf = async (path: string | Buffer) => {
  const { format, width, height, channels } = await sharp(path).metadata();
  return { format, width, height, channels };
};
