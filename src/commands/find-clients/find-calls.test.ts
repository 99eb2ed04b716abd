import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientPatterns } from './client-patterns.ts';
import { type FoundCall, findCalls } from './find-calls.ts';

/** Each file, and what is found in it: line, service, and the changed line, or null if it has none. */
const tree: Record<string, readonly [content: string, ...found: [number, string, string | null][]]> = {
  'web/cut.js': [
    "const url =\n  'https://api.remove.bg/v1.0/removebg';\nhttps.request({ host: 'api.remove.bg' });\n",
    [2, 'remove.bg', "'http://shop.local:8080/v1.0/removebg';"],
    [3, 'remove.bg', "https.request({ host: 'shop.local:8080' });"],
  ],
  'web/package.json': [
    '{ "dependencies": { "remove.bg": "^1.3.0", "remove.bg-types": "1" } }',
    [
      1,
      'remove.bg',
      '{ "dependencies": { "remove.bg": "file:PATH/TO/packshot/integrations/remove.bg", "remove.bg-types": "1" } }',
    ],
  ],
  'py/cut.py': [
    'from removebg import RemoveBg\nfrom rembg import remove\nfrom withoutbg import WithoutBG\nimport removebg2\n',
    [1, 'remove.bg', null],
    [2, 'rembg', null],
    [3, 'withoutBG', null],
  ],
  'py/requirements.txt': [
    'removebg==0.4\nrembg[gpu]\nrembg-client\n',
    [1, 'remove.bg', null],
    [2, 'rembg', null],
  ],
  Gemfile: ["gem 'remove_bg', '1.3.0'\n", [1, 'remove.bg', null]],
  'composer.json': ['{ "require": { "mtownsend/remove-bg": "^2" } }', [1, 'remove.bg', null]],
  'app/Photoroom.swift': [
    'let url = "https://sdk.photoroom.com/v1/segment"\nlet host = "image-api.photoroom.com"',
    [1, 'Photoroom', 'let url = "http://shop.local:8080/v1/segment"'],
    [2, 'Photoroom', 'let host = "shop.local:8080"'],
  ],
  'app/clipdrop.go': [
    'a := "https://clipdrop-api.co/remove-background/v1"\nb := "https://clipdrop-api.co/cleanup/v1"',
    [1, 'Clipdrop', 'a := "http://shop.local:8080/v1/segment"'],
    [2, 'Clipdrop', null],
  ],
  Makefile: [
    'cut:\n\trembg p in out\nserve:\n\trembg s\nup:\n\tdocker run danielgatis/rembg s\n',
    [2, 'rembg', 'npx packshot remove in out'],
    [4, 'rembg', 'npx packshot serve --rembg'],
    [6, 'rembg', null],
  ],
  'compose.yaml': ['image: danielgatis/rembg:latest', [1, 'rembg', null]],
  'fn/without.ts': [
    "fetch('https://api.withoutbg.com/v1.0/image/remove-background');\nfetch('https://api.withoutbg.com/v1.0/alpha-channel-base64');",
    [1, 'withoutBG', "fetch('http://shop.local:8080/v1/remove-background');"],
    [2, 'withoutBG', null],
  ],
  // No calls of ours to change.
  'node_modules/remove.bg/index.js': ["'https://api.remove.bg/v1.0/removebg'"],
  'package-lock.json': ['"https://api.remove.bg"'],
  'photo.bin': ['\0https://api.remove.bg'],
  'README.md': ['We removed the background with our own server; see my-api.remove.bgs.example.'],
};

let folder: string;
const found: FoundCall[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-clients-'));
  for (const [path, [content]] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  for await (const call of findCalls(folder, 'http://shop.local:8080')) found.push(call);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(Object.entries(tree))(
  'the calls in %s are found, with the line to change',
  (path, [, ...expected]) => {
    const here = found.filter(({ file }) => file === join(folder, path));
    expect(here.map(({ line, service, change }) => [line, service, change])).toEqual(expected);
  },
);

it('every pattern of the table is found in the tree', () => {
  const missed = clientPatterns.filter(({ call }) => !found.some(({ text }) => call.test(text)));
  expect(missed).toEqual([]);
});
