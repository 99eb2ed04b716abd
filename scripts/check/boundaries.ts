/**
 * Checks imports against the architecture: a folder ("room") imports only the rooms that it may import, a library is
 * used only where it may be used, and there are no cycles and no dead exports.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** For each room, the rooms that it may import. It may always import itself and the `leaves` below. `*`: every room. */
const rooms: Record<string, readonly string[]> = {
  storage: [],
  recipes: [],
  accounts: ['storage', 'recipes'],
  jobs: ['storage'],
  designs: ['storage', 'jobs'],
  cutout: ['designs', 'storage', 'jobs'],
  studio: ['recipes'],
  rendering: ['designs', 'cutout', 'recipes', 'studio'],
  remote: ['designs'],
  scenes: ['designs', 'recipes', 'studio', 'remote'],
  illustrations: [
    'designs',
    'cutout',
    'jobs',
    'recipes',
    'rendering',
    'storage',
    'studio',
    'scenes',
    'remote',
  ],
  looks: ['designs', 'recipes', 'rendering', 'storage', 'studio', 'scenes', 'illustrations'],
  listing: ['designs', 'recipes', 'rendering', 'accounts'],
  mcp: ['recipes', 'listing'],
  events: ['storage', 'jobs', 'designs'],
  batches: ['storage', 'jobs', 'recipes', 'rendering', 'accounts', 'designs', 'events', 'listing'],
  dialects: ['accounts', 'designs', 'cutout', 'rendering', 'studio'],
  transfer: ['storage', 'jobs'],
  monitoring: [],
  workers: [
    'listing',
    'designs',
    'dialects',
    'cutout',
    'recipes',
    'rendering',
    'scenes',
    'studio',
    'illustrations',
  ],
  http: [
    'accounts',
    'designs',
    'cutout',
    'recipes',
    'rendering',
    'scenes',
    'illustrations',
    'monitoring',
    'events',
    'batches',
    'listing',
    'looks',
    'dialects',
    'mcp',
  ],
  commands: ['*'],
  app: ['*'],
  wiring: ['*'],
  main: ['commands', 'config'],
  config: [],
};
/** Files that every room may import, and that import no room. */
const leaves = [
  'collect-bytes',
  'deadline',
  'errors',
  'etag',
  'fair-semaphore',
  'hide-environment',
  'ids',
  'loopback',
  'pixels',
  'single-flight',
  'srgb',
  'tasks',
  'step-clock',
  'version',
  'no-telemetry',
  'onnxruntime',
  'open-kernels',
];
/** Where a library may be used: patterns of paths below src/. */
const libraries: Record<string, RegExp> = {
  fastify: /^http\//,
  'better-sqlite3': /^storage\//,
  pg: /^storage\//,
  '@aws-sdk/client-s3': /^storage\/(blobs\/s3|testing\/s3-server)\./,
  sharp:
    /^(designs\/(read-image|encode-photo|write-photo-tags|testing\/tagged-photo|heic\/convert-heic)|listing\/measure-picture|cutout\/|rendering\/|dialects\/finish\/|scenes\/look-at-cutout|illustrations\/(draw-scene|plate-pixels|painting\/finish-painting|engines\/))/,
  'libheif-js': /^designs\/heic\/libheif/,
  'onnxruntime-node': /^onnxruntime/,
  '@img/colour': /^dialects\/colors/,
  ai: /^(scenes\/language-model|illustrations\/engines\/)/,
  yaml: /^commands\//,
  'parse-exr': /^studio\/places\/read-panorama/,
  workerpool: /^workers\//,
  'prom-client': /^monitoring\//,
  undici: /^(designs\/fetch-hop|cutout\/(engines\/http|models\/(model-url|download-model)))/,
  yazl: /^(batches|dialects\/finish)\//,
  '@modelcontextprotocol/server': /^mcp\//,
  '@bufbuild/protobuf': /^cutout\/engines\/onnx-graph/,
  commander: /^(main|commands\/)/,
};
/** The engines' files. Outside of `cutout/`, only their registry may be imported. */
const implementation = /^cutout\/engines\//;

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly { readonly from: string; readonly names: readonly string[] }[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const problems: string[] = [];

const all = (await Promise.all(['src', 'test', 'scripts', 'evals', 'bench', 'bin'].map(readSources))).flat();
const files = all.filter(({ path }) => path.startsWith('src/') && !/\.(test|contract)\.ts$/.test(path));
const byPath = new Map(files.map((file) => [file.path, file]));

for (const file of files) for (const { from } of file.imports) checkImport(file, from);
for (const room of Object.keys(rooms)) {
  if (!files.some(({ path }) => roomOf(path) === room)) problems.push(`the rule for ${room} matches no file`);
}
for (const name of Object.keys(libraries)) {
  if (!files.some(({ imports }) => imports.some(({ from }) => isLibrary(from, name)))) {
    problems.push(`the rule for the library ${name} matches no import`);
  }
}
findCycles();
findDeadExports();

for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;

async function readSources(folder: string): Promise<Source[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return Promise.all(
    names
      .filter((name) => /\.(ts|js)$/.test(name))
      .map(async (name) => {
        const path = join(folder, name).split(sep).join('/');
        const text = await readFile(join(root, path), 'utf8');
        return { path, text, imports: findImports(path, text) };
      }),
  );
}

function findImports(path: string, text: string): Source['imports'] {
  const found = [
    ...text.matchAll(/^(?:import|export)\s+(?:type\s+)?([^'";]*?)\s*from\s+'([^']+)'/gms),
    ...text.matchAll(/(?:import\(|new URL\()()'([^']+)'/g),
    ...text.matchAll(/^import()\s+'([^']+)'/gm),
  ];
  return found.map(([, clause = '', from = '']) => ({
    from: from.startsWith('.')
      ? relative(root, resolve(root, dirname(path), from))
          .split(sep)
          .join('/')
      : from,
    // A namespace import, a side-effect import or a URL may use any export.
    names: clause.includes('*')
      ? []
      : [...clause.matchAll(/(?:type\s+)?([\w$]+)(?:\s+as\s+[\w$]+)?/g)].map(([, name = '']) => name),
  }));
}

function roomOf(path: string): string {
  return path
    .replace(/^src\//, '')
    .split('/')[0]!
    .replace(/\.[jt]s$/, '');
}

function isLibrary(from: string, name: string): boolean {
  return from === name || from.startsWith(`${name}/`) || (name === 'fastify' && from.startsWith('@fastify/'));
}

function checkImport(file: Source, from: string): void {
  const where = file.path.replace(/^src\//, '');
  for (const [name, home] of Object.entries(libraries)) {
    if (isLibrary(from, name) && !home.test(where)) problems.push(`${file.path} imports ${name}`);
  }
  if (!from.startsWith('src/')) return;
  const own = roomOf(file.path);
  const other = roomOf(from);
  if (own === other) return;
  if (leaves.includes(other)) return;
  if (leaves.includes(own)) {
    problems.push(`the leaf ${file.path} imports ${from}`);
    return;
  }
  const allowed = rooms[own];
  if (!allowed) problems.push(`${file.path} is in no known room`);
  else if (!allowed.includes('*') && !allowed.includes(other)) problems.push(`${file.path} imports ${from}`);
  if (implementation.test(from.replace(/^src\//, '')) && !/registry\.ts$/.test(from)) {
    problems.push(`${file.path} imports the implementation ${from}`);
  }
}

function findCycles(): void {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      problems.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const { from } of byPath.get(path)?.imports ?? []) {
      if (byPath.has(from)) visit(from, [...trail, path]);
    }
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
}

function findDeadExports(): void {
  for (const file of files) {
    const exported = [
      ...file.text.matchAll(
        /^export (?:declare )?(?:async )?(?:const|function\*?|class|interface|type) ([\w$]+)/gm,
      ),
    ].map(([, name = '']) => name);
    for (const name of exported) {
      const used = all.some(({ imports }) =>
        imports.some(({ from, names }) => from === file.path && (names.includes(name) || names.length === 0)),
      );
      // An export that its own file mentions again, such as a type in a signature, does not count as dead.
      const inOwnSignatures = new RegExp(`\\b${name}\\b`, 'g');
      if (!used && (file.text.match(inOwnSignatures)?.length ?? 0) < 2)
        problems.push(`${file.path}: nothing uses ${name}`);
    }
  }
}
