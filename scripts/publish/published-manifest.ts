/** The package.json of the published service, derived from that of the checkout. */

export interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: object;
  readonly allowScripts?: object;
  readonly [field: string]: unknown;
}

/**
 * Packages that the published package includes. When onnxruntime-node is installed by itself, it downloads 300 MB of
 * CUDA libraries without verifying them. The installation fails if the network blocks the libraries' host, which many
 * networks do.
 */
const bundled = ['onnxruntime-node'] as const;

/**
 * Packages that are replaced by others. The replacement contains the same chunks of the model's weights as the replaced
 * package, and its installation needs neither a compiler nor a further download. The replaced package depends on an old
 * version of sharp. Only `overrides` can remove it, and these have no effect in a package that is installed as a
 * dependency.
 */
const replaced: Readonly<Record<string, string>> = {
  '@imgly/background-removal-node': '@imgly/background-removal-data',
};

/**
 * The published package.json. Throws if any package of `replaced` or `bundled` is missing from the checkout's
 * dependencies.
 */
export function toPublished(manifest: Manifest): Manifest {
  const {
    scripts: _,
    devDependencies: __,
    overrides: ___,
    allowScripts: ____,
    workspaces: _____,
    ...published
  } = manifest;
  const dependencies = { ...manifest.dependencies };
  for (const [from, to] of Object.entries(replaced)) {
    dependencies[to] = dependencies[from] ?? fail(`${from} is no dependency`);
    delete dependencies[from];
  }
  for (const name of bundled) if (!dependencies[name]) fail(`${name} is no dependency`);
  return { ...published, dependencies, bundleDependencies: bundled };
}

/** The dependencies that a part of the program imports. */
export const pickImported = (
  dependencies: Readonly<Record<string, string>>,
  imported: ReadonlySet<string>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(dependencies).filter(([name]) => imported.has(name)));

/** The bundled packages and all their dependencies, each without its install script. */
export async function planBundle(
  readInstalled: (name: string) => Promise<Manifest>,
): Promise<{ readonly name: string; readonly manifest: Manifest }[]> {
  const planned = new Map<string, Manifest>();
  const due: string[] = [...bundled];
  for (let name = due.pop(); name !== undefined; name = due.pop()) {
    if (planned.has(name)) continue;
    const { scripts: _, devDependencies: __, ...manifest } = await readInstalled(name);
    planned.set(name, manifest);
    due.push(...Object.keys(manifest.dependencies ?? {}));
  }
  return [...planned].map(([name, manifest]) => ({ name, manifest }));
}

function fail(why: string): never {
  throw new Error(why);
}
