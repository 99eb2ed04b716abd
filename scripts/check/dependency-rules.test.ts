import { describe, expect, it } from 'vitest';
import { findFaults, type InstalledPackage, type LockedPackage, type Manifest } from './dependency-rules.ts';

const sound: LockedPackage = { version: '1.2.3', integrity: 'sha512-abc', license: 'MIT' };
const thirdParty = `# What is not ours

| Package | Licence | Why |
|---|---|---|
| \`@img/lib-*\`, \`lonely\` | LGPL-3.0-or-later | a shared library |
| \`weights\` | AGPL-3.0 | see above |
`;
const named = {
  'node_modules/@img/lib-linux': { ...sound, license: 'LGPL-3.0-or-later' },
  'node_modules/lonely': sound,
  'node_modules/weights': { ...sound, license: 'SEE LICENSE IN LICENSE.md' },
};

const faultsOf = (
  one: LockedPackage,
  more: { manifest?: Manifest; installed?: InstalledPackage; locked?: Record<string, LockedPackage> } = {},
) =>
  findFaults({
    manifest: more.manifest ?? {},
    locked: { '': {}, ...(more.locked ?? named), 'node_modules/one': one },
    findInstalled: (path) => (path === 'node_modules/one' ? more.installed : undefined),
    thirdParty,
  });

describe('a package of the lock file', () => {
  it('is accepted with a hash and a permissive license', () => {
    expect(faultsOf(sound)).toEqual([]);
    expect(faultsOf({ ...sound, license: '(AFL-2.1 OR BSD-3-Clause)' })).toEqual([]);
  });

  it.each([
    ['no hash', { version: '1.2.3', license: 'MIT' }, 'has no SHA-512'],
    ['a weak hash', { ...sound, integrity: 'sha1-abc' }, 'has no SHA-512'],
    ['a source in git', { ...sound, resolved: 'git+ssh://git@example.com/a.git' }, 'comes from git'],
    ['a source without TLS', { ...sound, resolved: 'http://example.com/a.tgz' }, 'comes from http:'],
    ['a folder', { ...sound, link: true }, 'is a link'],
    ['a license that is not permissive', { ...sound, license: 'GPL-3.0' }, 'under GPL-3.0'],
    ['a partly non-permissive license', { ...sound, license: 'MIT AND GPL-2.0' }, 'under MIT AND GPL-2.0'],
    ['no license', { integrity: 'sha512-abc' }, 'under no license'],
    ['a reference to a license text', { ...sound, license: 'SEE LICENSE IN X' }, 'under SEE LICENSE'],
    ['an undecided install script', { ...sound, hasInstallScript: true }, 'has an install script'],
  ])('is rejected with %s', (_, one, fault) => {
    expect(faultsOf(one)).toEqual([expect.stringContaining(fault)]);
  });

  it('has the license and scripts that the installed package states, not those in the lock file', () => {
    expect(faultsOf(sound, { installed: { license: 'GPL-3.0' } })).toHaveLength(1);
    expect(faultsOf(sound, { installed: { license: { type: 'ISC' } } })).toEqual([]);
    expect(faultsOf(sound, { installed: { scripts: { postinstall: 'node x' } } })).toHaveLength(1);
    expect(faultsOf(sound, { installed: { scripts: { prepare: 'node x' } } })).toEqual([]);
  });

  it('may have an install script if our package.json says whether the script may run', () => {
    const manifest = { allowScripts: { one: false } };
    expect(faultsOf({ ...sound, hasInstallScript: true }, { manifest })).toEqual([]);
  });

  it('that is used only for development may have any license', () => {
    expect(faultsOf({ ...sound, dev: true, license: 'MPL-2.0' })).toEqual([]);
  });
});

describe('the page of third-party packages', () => {
  it('allows the packages that it names to have the license that it states, and no other', () => {
    const locked = { ...named, 'node_modules/@img/lib-linux': { ...sound, license: 'GPL-3.0' } };
    expect(faultsOf(sound, { locked })).toEqual([expect.stringContaining('@img/lib-linux is under GPL-3.0')]);
  });

  it('names no package that is missing', () => {
    const { 'node_modules/weights': _, ...locked } = named;
    expect(faultsOf(sound, { locked })).toEqual([expect.stringContaining('names weights')]);
  });
});

describe('our own package.json', () => {
  it.each(['^1.2.3', '~1.2.3', '1', 'latest', '*', 'git+https://example.com/a.git', 'file:../a'])(
    'does not accept %s as a version',
    (version) => {
      expect(faultsOf(sound, { manifest: { dependencies: { one: version } } })).toHaveLength(1);
      expect(faultsOf(sound, { manifest: { overrides: { other: { one: version } } } })).toHaveLength(1);
    },
  );

  it('may contain exact versions, and overrides that refer to them by name', () => {
    const manifest = { devDependencies: { one: '1.2.3-rc.1' }, overrides: { other: { one: '$one' } } };
    expect(faultsOf(sound, { manifest })).toEqual([]);
  });

  it('is not accepted with a lock file that names no packages', () => {
    expect(
      findFaults({ manifest: {}, locked: { '': {} }, findInstalled: () => undefined, thirdParty }),
    ).toHaveLength(1);
  });
});
