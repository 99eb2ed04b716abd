/**
 * Tests the client as a user installs it: packed, unpacked into an empty project, imported, required and
 * type-checked there.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const clientFolder = join(root, 'clients/typescript');
// `prepack` needs the compiler, which is installed two folders up.
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };

let project: string;
let tarball: string;
let packed: readonly string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'packshot-client-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: clientFolder,
    env,
  });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    { filename: string; files: { path: string }[] },
  ];
  packed = files.map(({ path }) => path);
  tarball = join(project, filename);
  const home = join(project, 'node_modules/packshot-client');
  await mkdir(home, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', home, '--strip-components=1']);
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
}, 300_000);
afterAll(() => rm(project, { recursive: true, force: true }));

it('the package contains compiled files, types, a README and the license, and nothing else', () => {
  for (const path of ['dist/packshot-client.js', 'dist/packshot-client.d.ts', 'README.md', 'LICENSE'])
    expect(packed).toContain(path);
  const expected = /^(dist\/(cjs\/)?[\w-]+\.(js|d\.ts)|(dist\/cjs\/)?package\.json|README\.md|LICENSE)$/;
  expect(packed.filter((path) => !expected.test(path))).toEqual([]);
});

it('the package passes publint and arethetypeswrong, whatever the module resolution', async () => {
  const pkgDir = join(project, 'node_modules/packshot-client');
  const { messages } = await publint({ pkgDir, pack: false, strict: true });
  expect(messages).toEqual([]);
  const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))));
  expect(checked.types && 'problems' in checked && checked.problems).toEqual([]);
});

const use = `
  const client = createPackshotClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k', maxRetries: 0 });
  client.limits().catch((error) => console.log(error instanceof PackshotError, error.code));`;

it('the package can be imported and required by its name', async () => {
  const imported = `import { createPackshotClient, PackshotError } from 'packshot-client';${use}`;
  const required = `const { createPackshotClient, PackshotError } = require('packshot-client');${use}`;
  for (const [type, script] of Object.entries({ module: imported, commonjs: required })) {
    const { stdout } = await run(process.execPath, [`--input-type=${type}`, '-e', script], { cwd: project });
    expect(stdout.trim()).toBe('true network_error');
  }
});

/** A user's program; the types must reject each line marked as an expected error. */
const program = `
import { writeFile } from 'node:fs/promises';
import { createPackshotClient, type Batch, type Design, type PackshotError, type Picture } from 'packshot-client';
const client = createPackshotClient({ baseUrl: '', apiKey: '' });
export const design: Promise<Design> = client.getDesign('x', { wait: true });
export const picture: Promise<Picture> = client.generate({ id: '', recipeId: '', variant: '1:1' }, { format: 'avif' });
export const codeOf = (error: PackshotError): string => error.code;
// @ts-expect-error a recipe is needed
client.preview({ id: '', variant: '1:1' });
export async function shoot(photo: Buffer): Promise<Batch> {
  const made = await client.make(photo, { recipeId: 'Solid1_1_0035', variant: '1:1' }, { format: 'png' });
  await writeFile('mug.png', await made.bytes());
  await writeFile('mug.png', (await client.cutout(made.designId)).stream());
  for (const recipe of await client.scenes(made.designId, 'oak table', { aspectRatio: '4:5' })) {
    const scene = await client.preview({ id: made.designId, ...recipe });
    for await (const chunk of scene.stream()) console.log(chunk.byteLength);
  }
  for await (const event of client.designEvents(made.designId)) {
    if (event.type === 'design') console.log(event.design.status);
    else console.log(event.state);
  }
  const item = { file: 'mug.jpg', recipeId: 'Transp001', variant: '1:1', format: 'png' } as const;
  const { id } = await client.createBatch({ items: [item] }, { files: { 'mug.jpg': photo } });
  await client.batchResults(id).then(async (zip) => writeFile('results.zip', zip.stream()));
  return client.waitForBatch(id, { onProgress: ({ counts }) => console.log(counts.done) });
}`;

const node16 = ['--module', 'node16', '--moduleResolution', 'node16'];
/**
 * Compiler options for each way to resolve modules. All of them include Node's types. The browser's types do not depend
 * on the resolution, so only one entry, the first, includes them.
 */
const flavours: Readonly<Record<string, readonly string[]>> = {
  'as an ES module, with node16, for browsers': [...node16, '--lib', 'es2022,dom,dom.iterable'],
  'as an ES module, with node16': [...node16, '--lib', 'es2022'],
  'with the resolution of bundlers': [
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2022',
  ],
  'with the oldest resolution': ['--module', 'commonjs', '--moduleResolution', 'node', '--lib', 'es2022'],
};

describe('the types of the package', () => {
  it('compile with the current compiler', async () => {
    await writeFile(join(project, 'use.ts'), program);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const types = ['--typeRoots', join(root, 'node_modules/@types')];
    for (const lib of ['es2022', 'es2022,dom,dom.iterable,dom.asynciterable'])
      await run(join(root, 'node_modules/.bin/tsc'), [...options, ...types, '--lib', lib, 'use.ts'], {
        cwd: project,
      });
  });

  // Only in CI, because this test has to download a compiler and run it four times.
  it.skipIf(!process.env.CI)(
    'compile with TypeScript 5.0 and @types/node 20, including library checks, whatever the module resolution (in CI only)',
    async (context) => {
      const old = join(project, 'old');
      await mkdir(old, { recursive: true });
      await writeFile(join(old, 'package.json'), '{ "type": "module" }');
      const install = [
        'install',
        'typescript@5.0.4',
        '@types/node@20.19.0',
        '--no-audit',
        '--no-fund',
        tarball,
      ];
      const installed = await run('npm', install, { cwd: old, env }).then(
        () => true,
        () => false,
      );
      if (!installed) context.skip('npm cannot fetch typescript@5.0.4');
      await writeFile(join(old, 'use.ts'), program);
      for (const [name, flavour] of Object.entries(flavours)) {
        const options = ['--noEmit', '--strict', '--target', 'es2022', ...flavour, 'use.ts'];
        const compiling = run(process.execPath, ['node_modules/typescript/bin/tsc', ...options], {
          cwd: old,
        });
        const said = await compiling.then(
          () => '',
          (error: { stdout: string }) => error.stdout,
        );
        expect(said, name).toBe('');
      }
    },
  );
});
