/** Rules for the packages in the lock file: their origin, install scripts and licenses. */

/** An entry of `packages` in the lock file; the keys are paths such as `node_modules/sharp`. */
export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
}

/** The package's own package.json, if it is installed. */
export interface InstalledPackage {
  readonly license?: string | { readonly type?: string };
  readonly scripts?: Readonly<Record<string, string>>;
}

export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: object;
  /** Whether a package may run its install script, by the package's name. */
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

interface Evidence {
  readonly manifest: Manifest;
  readonly locked: Readonly<Record<string, LockedPackage>>;
  /** Finds an installed package by its path; undefined if the package is not installed on this platform. */
  readonly findInstalled: (path: string) => InstalledPackage | undefined;
  /** Text of THIRD_PARTY.md, whose table of libraries names those with a license that is not permissive. */
  readonly thirdParty: string;
}

/** SPDX ids of licenses that at most require copies to include the license text. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

export function findFaults(evidence: Evidence): string[] {
  const { manifest, locked } = evidence;
  const packages = Object.entries(locked).filter(([path]) => path !== '');
  if (packages.length === 0) return ['the lock file names no packages'];
  return [
    ...findLoosePins(manifest),
    ...packages.flatMap(([path, one]) => findOriginFaults(path, one)),
    ...packages.flatMap(([path, one]) => findScriptFaults(path, one, evidence)),
    ...findLicenceFaults(packages, evidence),
  ];
}

function findLoosePins({
  dependencies,
  devDependencies,
  optionalDependencies,
  overrides,
}: Manifest): string[] {
  const pins = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  return [...pins, ...listLeaves(overrides ?? {})]
    .filter(([, version]) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|\$[\w@/-]+)$/.test(version))
    .map(([name, version]) => `${name}: ${version} is not an exact version`);
}

function listLeaves(tree: object): [string, string][] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'object' ? listLeaves(value) : [[name, String(value)] as [string, string]],
  );
}

/** Our own packages are in the repository; npm links them as workspaces. */
const isOwn = (path: string | undefined): boolean => /^packages\/\w+$/.test(path ?? '');

/** Without `resolved`, the package comes from npm's configured registry; the hash is required in any case. */
function findOriginFaults(path: string, { resolved, integrity, link }: LockedPackage): string[] {
  if (isOwn(link ? resolved : path)) return [];
  if (link) return [`${path} is a link`];
  return [
    ...(integrity?.startsWith('sha512-') ? [] : [`${path} has no SHA-512`]),
    ...(resolved === undefined || resolved.startsWith('https://') ? [] : [`${path} comes from ${resolved}`]),
  ];
}

const installing = ['preinstall', 'install', 'postinstall'];

function findScriptFaults(path: string, one: LockedPackage, { manifest, findInstalled }: Evidence): string[] {
  const scripts = findInstalled(path)?.scripts ?? {};
  const runs = one.hasInstallScript || installing.some((name) => name in scripts);
  if (!runs || manifest.allowScripts?.[nameOf(path)] !== undefined) return [];
  return [`${path} has an install script; allowScripts neither allows nor forbids it`];
}

function findLicenceFaults(
  packages: readonly (readonly [string, LockedPackage])[],
  { findInstalled, thirdParty }: Evidence,
): string[] {
  const named = readNamed(thirdParty);
  const unused = new Set(named);
  const faults = packages.flatMap(([path, one]) => {
    const row = named.find(({ pattern }) => pattern.test(nameOf(path)));
    if (row) unused.delete(row);
    if (one.dev) return [];
    const stated = findInstalled(path)?.license ?? one.license;
    const licence = typeof stated === 'object' ? stated.type : stated;
    const asking = listAsking(licence ?? 'no license');
    // A package in the table may have only the licenses that its row names.
    const isTold = row && (licence?.startsWith('SEE LICENSE') || asking.every((id) => row.ids.has(id)));
    return asking.length === 0 || isTold
      ? []
      : [`${path} is under ${licence ?? 'no license'}; THIRD_PARTY.md does not say so`];
  });
  return [
    ...faults,
    ...[...unused].map(({ name }) => `THIRD_PARTY.md names ${name}, which is not installed`),
  ];
}

/** The SPDX ids in a license expression that are not permissive; none if the expression offers a permissive choice. */
function listAsking(expression: string): string[] {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ');
  const asked = choices.map((choice) => choice.split(' AND ').filter((id) => !permissive.has(id)));
  return asked.find((ids) => ids.length === 0) ?? asked.flat();
}

interface NamedPackage {
  readonly name: string;
  readonly pattern: RegExp;
  /** All words of the package's row, including the ids of licenses. */
  readonly ids: ReadonlySet<string>;
}

/** Rows of the table whose first column is `Package`. A row has one or more names, in which `*` is a wildcard. */
function readNamed(page: string): NamedPackage[] {
  const table = /^\| Package \|.*\n(?:\|.*\n?)*/m.exec(page)?.[0] ?? '';
  return table.split('\n').flatMap((text) =>
    [...(text.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({
      name,
      pattern: new RegExp(`^${name.replaceAll(/[.+^$(){}[\]\\/]/g, '\\$&').replaceAll('*', '.*')}$`),
      ids: new Set(text.match(/[\w.+-]+/g)),
    })),
  );
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);
