/**
 * Imports that the architecture allows: a folder below src/ ("room") imports only the rooms that it may import, each
 * library stays in its home, and there are no cycles.
 */

/** For each package, the packages that it may import; nothing in a package imports the service. */
const packages = {
  errors: [],
  pixels: [],
  photos: ['errors', 'pixels'],
  cutout: ['errors', 'pixels', 'photos'],
  studio: ['errors', 'pixels'],
  sets: ['errors', 'pixels', 'studio'],
};
/** Files through which a package is imported. */
const door = '^packages/\\w+/[\\w-]+\\.ts$';

/** For each room of the service, the rooms that it may import. It may always import itself, the packages and the `leaves`. */
const rooms = {
  storage: [],
  recipes: [],
  monitoring: [],
  config: [],
  remote: ['designs'],
  accounts: ['storage', 'recipes'],
  jobs: ['storage'],
  designs: ['storage', 'jobs'],
  cutouts: ['designs', 'storage', 'jobs'],
  understanding: ['designs', 'remote'],
  rendering: ['designs', 'cutouts', 'recipes'],
  illustrations: 'designs cutouts jobs recipes rendering storage understanding remote'.split(' '),
  looks: 'designs recipes rendering storage illustrations understanding'.split(' '),
  listing: ['designs', 'recipes', 'rendering', 'accounts'],
  'picture-urls': ['accounts', 'designs', 'recipes', 'rendering', 'storage'],
  mcp: ['recipes', 'listing'],
  events: ['storage', 'jobs', 'designs'],
  batches: 'storage jobs recipes rendering accounts designs events listing'.split(' '),
  dialects: ['accounts', 'designs', 'cutouts', 'rendering', 'storage'],
  transfer: ['storage', 'jobs'],
  workers: 'config listing designs cutouts dialects recipes rendering illustrations understanding'.split(' '),
  http: 'config accounts designs cutouts recipes rendering illustrations monitoring events batches listing looks dialects mcp picture-urls'.split(
    ' ',
  ),
  main: ['commands', 'config'],
};
/** Rooms that may import every other. */
const roots = ['commands', 'app', 'wiring'];
/** Files that every room may import, and that import no room. */
const leaves =
  'collect-bytes deadline etag fair-semaphore hide-environment ids loopback named-color optional single-flight tasks version'.split(
    ' ',
  );
/** The only places, below src/ or packages/, that may import a library. */
const homes = {
  '(fastify|@fastify/.*)': '^http/',
  'better-sqlite3': '^storage/',
  pg: '^storage/',
  '@aws-sdk/client-s3': '^storage/(blobs/s3|testing/s3-server)\\.',
  sharp:
    '^(photos/|cutout/|understanding/look-at-cutout|listing/measure-picture|rendering/|dialects/finish/|illustrations/(draw-scene|draw-set-sheet|plate-pixels|painting/finish-painting|engines/))',
  'libheif-js': '^photos/src/heic/libheif',
  'onnxruntime-node': '^cutout/src/onnxruntime',
  '@img/colour': '^named-color',
  ai: '^(understanding/language-model|illustrations/engines/)',
  yaml: '^commands/',
  'parse-exr': '^studio/src/places/read-panorama',
  'prom-client': '^monitoring/',
  undici: '^(designs/fetch-hop|cutout/src/(engines/http|models/(model-url|download-model)))',
  yauzl: '^(batches/testing|commands/batch-run)/',
  yazl: '^(batches|dialects/finish)/',
  papaparse: '^(batches|commands)/',
  '@modelcontextprotocol/server': '^mcp/',
  '@bufbuild/protobuf': '^cutout/src/engines/onnx-graph',
  commander: '^(main|commands/)',
};

const room = (names) => `^src/(${names.join('|')})(/|\\.[jt]s$)`;
const isTest = '(\\.(test|contract)\\.ts$|/testing/)';
const rule = (name, from, to) => ({
  name,
  severity: 'error',
  from: { ...from, pathNot: [isTest, ...(from.pathNot ?? [])] },
  to,
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    rule('no-cycle', { path: '^(src|packages)/' }, { circular: true }),
    rule(
      'known-room',
      { path: '^src/', pathNot: [room([...Object.keys(rooms), ...roots, ...leaves])] },
      { path: '.' },
    ),
    rule('leaf-imports-no-room', { path: room(leaves) }, { path: '^src/', pathNot: room(leaves) }),
    ...Object.entries(rooms).map(([name, allowed]) =>
      rule(
        `room-${name}`,
        { path: room([name]) },
        { path: '^src/', pathNot: room([name, ...allowed, ...leaves]) },
      ),
    ),
    ...Object.entries(packages).map(([name, allowed]) =>
      rule(
        `package-${name}`,
        { path: `^packages/${name}/` },
        { path: '^(src|packages)/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
      ),
    ),
    rule('packages-by-their-door', { path: '^src/' }, { path: '^packages/', pathNot: [door] }),
    rule(
      'packages-by-each-others-door',
      { path: '^packages/(\\w+)/' },
      { path: '^packages/', pathNot: ['^packages/$1/', door] },
    ),
    ...Object.entries(homes).map(([name, home]) =>
      rule(
        `home-of-${name}`,
        { path: '^(src|packages)/', pathNot: [home.replace('^', '^(src|packages)/')] },
        { path: `(^|/)node_modules/(@types/)?${name}/(?!package)` },
      ),
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
    skipAnalysisNotInRules: true,
  },
};
