import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PackshotError } from '../../../packages/errors/index.ts';
import type { Photo } from './find-photos.ts';
import { createNamer } from './place-outputs.ts';
import { createSettler, retryWhilePassing, watchFolder } from './watch-folder.ts';

const photo = (path: string, bytes = 1, changedMs = 1): Photo => ({
  kind: 'file',
  name: path,
  path,
  version: { bytes, changedMs },
  identity: path,
});

it('watching yields a file once, after its size and time have not changed for a while', () => {
  const settle = createSettler(2_000);
  expect(settle([photo('a.jpg', 10)], 0)).toEqual([]);
  expect(settle([photo('a.jpg', 20)], 1_500)).toEqual([]);
  expect(settle([photo('a.jpg', 20)], 3_000)).toEqual([]);
  const whole = photo('a.jpg', 20);
  expect(settle([whole], 3_500)).toEqual([whole]);
  expect(settle([whole], 9_000)).toEqual([]);
});

it('watching yields a file again after a change, and after it was removed and restored', () => {
  const settle = createSettler(0);
  const [old, changed] = [photo('a.jpg', 1, 1), photo('a.jpg', 1, 2)];
  settle([old], 0);
  expect(settle([old], 1)).toEqual([old]);
  expect(settle([changed], 2)).toEqual([]);
  expect(settle([changed], 3)).toEqual([changed]);
  settle([], 4);
  settle([changed], 5);
  expect(settle([changed], 6)).toEqual([changed]);
});

it('watching never yields an empty file', () => {
  const settle = createSettler(0);
  settle([photo('a.jpg', 0)], 0);
  expect(settle([photo('a.jpg', 0)], 10)).toEqual([]);
});

it('watching reports a missing folder, waits for it, and ends on request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-watch-'));
  await rm(folder, { recursive: true });
  const ending = new AbortController();
  const told: string[] = [];
  const tell = (line: string) => {
    told.push(line);
    ending.abort();
  };
  const arrived = [];
  const watch = { folder, recursive: false, leaveOut: undefined, tell, ending: ending.signal };
  for await (const one of watchFolder(watch)) arrived.push(one);
  expect(arrived).toEqual([]);
  expect(told).toEqual([expect.stringContaining('waiting for it')]);
});

it('watching yields existing files, and ignores unfinished copies', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-watch-'));
  for (const name of ['a.jpg', 'b.jpg.part', '.c.jpg', 'd.tmp']) await writeFile(join(folder, name), 'x');
  const ending = new AbortController();
  const watch = {
    folder,
    recursive: false,
    leaveOut: undefined,
    tell: () => undefined,
    ending: ending.signal,
  };
  const arrived: string[] = [];
  for await (const { path } of watchFolder(watch)) {
    arrived.push(path);
    ending.abort();
  }
  await rm(folder, { recursive: true });
  expect(arrived).toEqual(['a.jpg']);
});

it('a faulty photo is not retried, and nothing is retried after a stop', async () => {
  const stopping = new AbortController();
  const options = { tell: () => undefined, stopping: stopping.signal };
  let tries = 0;
  const fail = (code: 'no_subject_found' | 'queue_full') => async () => {
    tries++;
    throw new PackshotError(code, 'No.');
  };
  await expect(retryWhilePassing(fail('no_subject_found'), options)).rejects.toThrow('No.');
  stopping.abort();
  await expect(retryWhilePassing(fail('queue_full'), options)).rejects.toThrow('No.');
  expect(tries).toBe(2);
});

it('pictures get their names as their photos arrive, and keep the names from an earlier run', () => {
  const journal = new Map([['mug.png', 'mug.jpg']]);
  const output = { photoOf: (picture: string) => journal.get(picture) };
  const nameOf = createNamer(output, undefined, { recipe: undefined, format: 'png' });
  expect(['mug.png', 'mug.jpg', 'cup.jpg', 'CUP.webp', 'cup.jpg'].map((name) => nameOf(photo(name)))).toEqual(
    ['mug.png.png', 'mug.png', 'cup.png', 'CUP.webp.png', 'cup.png'],
  );
});
