/** The client as a stranger gets it: packed, installed into an empty project, imported and type-checked there. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const clientFolder = join(root, 'clients/typescript');
const tsc = join(root, 'node_modules/.bin/tsc');

let project: string;
let packed: readonly string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'packshot-client-'));
  // `prepack` needs the compiler, which is installed two folders up.
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: clientFolder,
    env,
  });
  const [tarball] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    { filename: string; files: { path: string }[] },
  ];
  packed = tarball.files.map(({ path }) => path);
  const home = join(project, 'node_modules/packshot-client');
  await mkdir(home, { recursive: true });
  await run('tar', ['-xzf', join(project, tarball.filename), '-C', home, '--strip-components=1']);
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
}, 120_000);
afterAll(() => rm(project, { recursive: true, force: true }));

it('holds compiled files, types and a README, and nothing else', () => {
  expect(packed).toContain('dist/packshot-client.js');
  expect(packed).toContain('dist/packshot-client.d.ts');
  expect(packed).toContain('README.md');
  expect(
    packed.filter((path) => !/^(dist\/[\w-]+\.(js|d\.ts)|package\.json|README\.md)$/.test(path)),
  ).toEqual([]);
});

it('is imported by its name', async () => {
  const script = `import { createPackshotClient, PackshotError } from 'packshot-client';
    const client = createPackshotClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k', maxRetries: 0 });
    try { await client.limits() } catch (error) { console.log(error instanceof PackshotError, error.code) }`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project });
  expect(stdout.trim()).toBe('true network_error');
});

it('brings types that the compiler of a stranger agrees with', async () => {
  await writeFile(
    join(project, 'use.ts'),
    `import { createPackshotClient, type Design, type PackshotError, type Picture } from 'packshot-client';
    const client = createPackshotClient({ baseUrl: '', apiKey: '' });
    export const design: Promise<Design> = client.getDesign('x', { wait: true });
    export const picture: Promise<Picture> = client.generate({ id: '', recipeId: '', variant: '1:1' }, { format: 'avif' });
    export const codeOf = (error: PackshotError): string => error.code;
    // @ts-expect-error a recipe is needed
    client.preview({ id: '', variant: '1:1' });`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
  await run(tsc, [...options, '--lib', 'es2022,dom,dom.iterable', '--types', '', 'use.ts'], { cwd: project });
});
