/**
 * `npm run package`: writes the tarballs of the service, the client and the cutout library, and the folders from which
 * they are published, to out/packages.
 *
 * The service is published compiled, because Node does not strip types below node_modules, and with a
 * separate package.json: npm ignores the `overrides` and `allowScripts` of a dependency.
 */
import { spawnSync } from 'node:child_process';
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pointHome } from './home.ts';
import { type Manifest, pickImported, planBundle, toPublished } from './published-manifest.ts';

/** Files that are copied unchanged. */
const beside = [
  'bin',
  'models',
  'samples',
  'web/dist',
  'docs',
  'integrations',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'THIRD_PARTY.md',
];

const root = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'out/packages') },
    // For tests: without the native libraries of other systems, which are most of the package's bytes.
    'only-this-system': { type: 'boolean', default: false },
  },
});
const out = resolve(values.out);

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
for (const folder of [await stageService(), await stageClient(), await stageCutout()]) {
  run('npm', ['pack', '--pack-destination', out, '--loglevel', 'error'], folder);
}

async function stageService(): Promise<string> {
  const stage = join(out, 'packshot');
  const manifest = await readManifest(root);
  run(tool('tsc'), ['--project', 'tsconfig.package.json', '--outDir', stage], root);
  await nameCompiledModules(stage);
  for await (const read of glob('{src,packages/*/src}/**/*.{wasm,sql,json}', { cwd: root }))
    await copy(read, stage);
  run(tool('vite'), ['build', 'web', '--logLevel', 'error'], root);
  for (const path of beside) await copy(path, stage);
  await writeManifest(stage, { ...toPublished(manifest), ...pointHome() });
  await bundle(stage);
  return stage;
}

/** The client, built, with the fields that only its published package.json has. */
async function stageClient(): Promise<string> {
  const client = join(root, 'clients/typescript');
  const stage = join(out, 'packshot-client');
  // Not in the checkout: others may be packing the client there.
  run(process.execPath, ['scripts/build.js', join(stage, 'dist')], client);
  for (const path of ['LICENSE', 'README.md'])
    await cp(join(client, path), join(stage, path), { recursive: true });
  const { scripts: _, ...manifest } = await readManifest(client);
  await writeManifest(stage, { ...manifest, ...pointHome() });
  return stage;
}

/** The cutout library: its entry file and what that imports, without the types of inner modules. */
async function stageCutout(): Promise<string> {
  const library = join(root, 'packages/cutout');
  const stage = join(out, 'packshot-cutout');
  run(tool('tsc'), ['--project', 'packages/cutout/tsconfig.json', '--outDir', stage], root);
  await nameCompiledModules(stage);
  for await (const types of glob('packages/{*/src,errors,photos,pixels}/**/*.d.ts', { cwd: stage }))
    await rm(join(stage, types));
  for await (const kernels of glob('packages/{cutout,pixels}/**/*.wasm', { cwd: root }))
    await copy(kernels, stage);
  await copy('LICENSE', stage);
  await cp(join(library, 'README.md'), join(stage, 'README.md'));
  const published = toPublished(await readManifest(root));
  const dependencies = pickImported(published.dependencies!, await listImports(stage));
  await writeManifest(stage, {
    ...(await readManifest(library)),
    main: './packages/cutout/index.js',
    types: './packages/cutout/index.d.ts',
    exports: {
      '.': { types: './packages/cutout/index.d.ts', default: './packages/cutout/index.js' },
      './engine-contract': {
        types: './packages/cutout/engine-contract.d.ts',
        default: './packages/cutout/engine-contract.js',
      },
      './package.json': './package.json',
    },
    ...pointHome(),
    dependencies,
    bundleDependencies: published.bundleDependencies,
  });
  await bundle(stage);
  return stage;
}

/** The packages that the compiled modules import or resolve. */
async function listImports(stage: string): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const name of glob('{src,packages}/**/*.js', { cwd: stage })) {
    const code = await readFile(join(stage, name), 'utf8');
    const imports = code.matchAll(/(?:from |import |import\(|resolve\()'((?:@[\w.-]+\/)?[\w.-]+)[^':]*'/g);
    for (const [, imported] of imports) names.add(imported!);
  }
  return names;
}

/**
 * Names files where the compiler leaves names as they are: `.js` in the URLs of worker scripts, and the relative path of
 * our other packages, which are folders of the published one.
 */
async function nameCompiledModules(stage: string): Promise<void> {
  for await (const name of glob('{src,packages}/**/*.js', { cwd: stage })) {
    const path = join(stage, name);
    const code = await readFile(path, 'utf8');
    const up = '../'.repeat(name.split('/').length - 1);
    const named = code
      .replaceAll(/new URL\('(\.[^']*)\.ts', import\.meta\.url\)/g, "new URL('$1.js', import.meta.url)")
      .replaceAll(
        /(from |import |import\()'packshot-(\w+)(?:\/([\w-]+))?'/g,
        (_, before, folder, door = 'index') => `${before}'${up}packages/${folder}/${door}.js'`,
      );
    if (named !== code) await writeFile(path, named);
    const left = /['"`]\.{1,2}\/[^'"`]*\.ts['"`]/.exec(named);
    if (left) throw new Error(`${name} still names ${left[0]}, which is not in the package`);
  }
}

/** Copies the bundled dependencies without their install scripts, which must not run. */
async function bundle(stage: string): Promise<void> {
  const installed = (name: string) => readManifest(join(root, 'node_modules', name));
  for (const { name, manifest } of await planBundle(installed)) {
    const home = join(stage, 'node_modules', name);
    await cp(join(root, 'node_modules', name), home, { recursive: true, filter: isIncluded });
    await rm(join(home, 'package.json'));
    await writeManifest(home, manifest);
  }
}

/** Whether the published package includes this path of a bundled dependency. */
function isIncluded(path: string): boolean {
  const [, system, processor] = /\/bin\/napi-v\d+\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  return (
    !values['only-this-system'] || !system || (system === process.platform && processor === process.arch)
  );
}

async function copy(path: string, stage: string): Promise<void> {
  await mkdir(dirname(join(stage, path)), { recursive: true });
  await cp(join(root, path), join(stage, path), { recursive: true });
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

async function writeManifest(folder: string, manifest: object): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function tool(name: string): string {
  return join(root, 'node_modules/.bin', name);
}

function run(command: string, input: readonly string[], cwd: string): void {
  // The client's build script calls the compiler by name.
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` };
  const { status } = spawnSync(command, input, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
