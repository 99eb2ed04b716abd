/** The packages as published: their contents, and that they can be installed from npm's registry alone. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Message, publint } from 'publint';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAgplCode } from '../../scripts/publish/keep-weights.ts';
import { endProcess, spawnService } from './process.ts';
import { cratePhoto, jsonOf, white } from './service.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
const quietly = { ...process.env, PATH: path, npm_config_audit: 'false', npm_config_fund: 'false' };

let out: string;
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'packshot-package-'));
  const staging = ['scripts/publish/package.ts', '--only-this-system', '--out', join(out, 'packages')];
  await run(process.execPath, staging, { cwd: root, env: quietly });
}, 600_000);
afterAll(() => rm(out, { recursive: true, force: true }));

/** Lists the files of a tarball, which `npm publish` would send. */
async function listTarball(name: string): Promise<string[]> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { stdout } = await run('tar', ['-tzf', join(out, 'packages', `${name}-${version}.tgz`)], {
    maxBuffer: 64e6,
  });
  return stdout
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''));
}

describe('the package of the service', () => {
  it('contains the compiled program with its kernels and its page, and neither tests nor sources', async () => {
    const files = await listTarball('packshot');
    const own = files.filter((file) => !file.startsWith('node_modules/'));
    expect(own).toEqual(
      expect.arrayContaining([
        'bin/packshot.js',
        'src/main.js',
        'src/workers/cutout-worker.js',
        'packages/studio/src/studio-thread.js',
        'src/rendering/jpeg/jpeg-kernels.wasm',
        'packages/cutout/src/steps/matting-kernels.wasm',
        'src/storage/migrations/0001-schema.sql',
        'clients/typescript/src/packshot-client.js',
        'models/manifest.json',
        'web/dist/index.html',
        'LICENSE',
        'README.md',
        'docs/client.md',
        'THIRD_PARTY.md',
      ]),
    );
    const expected =
      /^((src|packages|clients)\/[\w./-]+\.(js|wasm|sql)|packages\/sets\/src\/[\w./-]+\.json|src\/[\w-]+\/[\w-]+\.json|src\/cutouts\/photo-kind\/kind-model\.json|(samples|models|docs|integrations|web\/dist)\/.*|bin\/packshot\.js|package\.json|LICENSE|(README|SECURITY|THIRD_PARTY)\.md)$/;
    expect(own.filter((file) => !expected.test(file))).toEqual([]);
    expect(own.filter((file) => /(\.test|\.contract)\.|\/testing\/|^(wasm|bench|test)\//.test(file))).toEqual(
      [],
    );
    expect(files).toContain('node_modules/onnxruntime-node/package.json');
  });

  it('passes publint', async () => {
    const { messages } = await publint({ pkgDir: join(out, 'packages/packshot'), pack: false, strict: true });
    // Publint's pattern for ES modules misses a minified `}export{`, so it takes a part of the page for CommonJS.
    const isOfPage = ({ args }: Message): boolean =>
      'actualFilePath' in args && String(args.actualFilePath).startsWith('/web/dist/');
    expect(messages.filter((message) => !isOfPage(message))).toEqual([]);
  });

  it('cannot be built by `npm pack` in the checkout; the error names the right command', async () => {
    const packing = run('npm', ['pack', '--dry-run'], { cwd: root, env: quietly });
    await expect(packing).rejects.toThrow('npm run package');
  });
});

it('the package of the client contains its program for both module systems', async () => {
  const files = await listTarball('packshot-client');
  expect(files).toEqual(
    expect.arrayContaining(['dist/packshot-client.js', 'dist/cjs/packshot-client.js', 'LICENSE']),
  );
});

describe('the package of the cutout library', () => {
  it('contains what its entry files need, their types, and no second copy of the service', async () => {
    const files = (await listTarball('packshot-cutout')).filter((file) => !file.startsWith('node_modules/'));
    expect(files).toEqual(
      expect.arrayContaining([
        'packages/cutout/index.js',
        'packages/cutout/index.d.ts',
        'packages/cutout/engine-contract.js',
        'packages/cutout/src/cut-subject.js',
        'packages/cutout/src/steps/matting-kernels.wasm',
        'models/manifest.json',
        'README.md',
        'LICENSE',
      ]),
    );
    const expected =
      /^(packages\/(cutout|errors|photos|pixels)\/[\w./-]+\.(js|wasm)|packages\/cutout\/[\w-]+\.d\.ts|models\/\w+\.json|package\.json|README\.md|LICENSE)$/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
  });

  it('passes publint, and its types stand alone', async () => {
    const pkgDir = join(out, 'packages/packshot-cutout');
    expect((await publint({ pkgDir, pack: false, strict: true })).messages).toEqual([]);
    for (const types of ['index.d.ts', 'engine-contract.d.ts'])
      expect(await readFile(join(pkgDir, 'packages/cutout', types), 'utf8')).not.toMatch(/\bimport\b|from '/);
  });
});

// Runs only in CI, because it installs about 200 packages.
describe.skipIf(!process.env.CI)('the packages in an empty folder (in CI only)', () => {
  it('install from the registry alone, remove a background, and serve a preview, a scene and the page', async (context) => {
    const reached = await run('npm', ['view', '@imgly/background-removal-data', 'version'], {
      env: { ...quietly, npm_config_fetch_retries: '0' },
    }).then(
      () => true,
      () => false,
    );
    if (!reached) context.skip('npm reaches no registry');
    const folder = join(out, 'project');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const tarballs = ['packshot', 'packshot-client', 'packshot-cutout'].map((name) =>
      join(out, 'packages', `${name}-${version}.tgz`),
    );
    await run('npm', ['install', ...tarballs], { cwd: folder, env: quietly });
    expect(await findAgplCode(join(folder, 'node_modules'))).toEqual([]);

    await copyFile(join(root, 'samples/mug-clutter.jpg'), join(folder, 'mug.jpg'));
    await run('npx', ['packshot', 'remove', 'mug.jpg', '-o', 'out/'], {
      cwd: folder,
      env: { ...quietly, REMOVAL_ENGINE: 'isnet', REMOVAL_QUALITY: 'fast' },
    });
    const { channels } = await sharp(join(folder, 'out/mug.png')).stats();
    expect(channels[3]!.min).toBe(0);
    expect(channels[3]!.max).toBe(255);

    await serveThere(folder);
    await runExamplesThere(folder);
  }, 900_000);
});

/**
 * Starts the installed service and makes its calls. `spawnService` sets `keyer`, an engine without a model. That is
 * enough, because the test has already run the model with `packshot remove`.
 */
async function serveThere(folder: string): Promise<void> {
  const program = join(folder, 'node_modules/packshot/bin/packshot.js');
  const service = await spawnService(join(folder, 'data'), {}, [], { program });
  try {
    expect(await (await fetch(service.url)).text()).toContain('<title>');
    const id = await service.upload(await cratePhoto());
    const preview = await service.call('/v1/design/preview.webp', { json: { id, ...white } });
    expect(preview.headers.get('content-type')).toBe('image/webp');
    const words = { id, recipePreset: 'AI_STUDIO', prompt: 'oak table' };
    const { suggestedRecipeLists } = await jsonOf(service.call('/v1/design/suggest', { json: words }));
    const { recipeId, variant, mutations } = suggestedRecipeLists[0].recipes[0];
    const scene = await service.call('/v1/design/preview.webp', {
      json: { id, recipeId, variant, mutations },
    });
    expect(scene.headers.get('content-type')).toBe('image/webp');
  } finally {
    await endProcess(service.child, 'SIGTERM');
  }
}

/** Runs the examples of the library's README, a program with its own engine, and one that requires the library. */
async function runExamplesThere(folder: string): Promise<void> {
  const readme = await readFile(join(root, 'packages/cutout/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!);
  expect(examples).toHaveLength(3);
  for (const [number, code] of examples.entries()) {
    await writeFile(join(folder, `example-${number}.mjs`), code);
    await run(process.execPath, [`example-${number}.mjs`], { cwd: folder, env: quietly });
  }
  for (const name of ['mug.png', 'mug.webp']) {
    const { channels } = await sharp(join(folder, name)).stats();
    expect([channels[3]!.min, channels[3]!.max]).toEqual([0, 255]);
  }
  const white = await sharp(join(folder, 'mug-white.webp')).stats();
  expect(white.isOpaque).toBe(true);
  await copyFile(
    join(root, 'packages/cutout/src/engines/testing/darkness-engine.mjs'),
    join(folder, 'own-engine.mjs'),
  );
  await writeFile(join(folder, 'own.mjs'), ownEngine);
  const own = await run(process.execPath, ['own.mjs'], { cwd: folder, env: quietly });
  expect(own.stdout.trim()).toBe('5 kept promises, true');
  const required = `require('packshot-cutout').openCutter({ model: 'keyer' })
    .then((cutter) => cutter.cut(Buffer.from('no photo'))).catch(({ code }) => console.log(code));`;
  const { stdout } = await run(process.execPath, ['-e', required], { cwd: folder, env: quietly });
  expect(stdout.trim()).toBe('unsupported_image_format');
}

/** A stranger's engine: checked by the published contract, then used. */
const ownEngine = `
import { readFile } from 'node:fs/promises';
import { openCutter } from 'packshot-cutout';
import { engineContract } from 'packshot-cutout/engine-contract';
import engine from './own-engine.mjs';
for (const { check } of engineContract) await check(engine);
const cutter = await openCutter({ model: 'own-engine.mjs' });
const { width } = await cutter.cut(await readFile('mug.jpg'));
console.log(engineContract.length + ' kept promises, ' + (width > 0));
await cutter.close();
`;
