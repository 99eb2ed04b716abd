/**
 * Imports that the architecture allows: a folder below src/ ("room") imports only the rooms that it may import, each
 * library stays in its home, and there are no cycles.
 */

/** For each room, the rooms that it may import. It may always import itself and the `leaves` below. */
const rooms = {
  storage: [],
  recipes: [],
  monitoring: [],
  config: [],
  accounts: ['storage', 'recipes'],
  jobs: ['storage'],
  designs: ['storage', 'jobs'],
  cutout: ['designs', 'storage', 'jobs'],
  studio: ['recipes'],
  rendering: ['designs', 'cutout', 'recipes', 'studio'],
  remote: ['designs'],
  scenes: ['designs', 'recipes', 'studio', 'remote'],
  illustrations: 'designs cutout jobs recipes rendering storage studio scenes remote'.split(' '),
  looks: 'designs recipes rendering storage studio scenes illustrations'.split(' '),
  listing: ['designs', 'recipes', 'rendering', 'accounts'],
  'picture-urls': ['accounts', 'designs', 'recipes', 'rendering', 'storage'],
  mcp: ['recipes', 'listing'],
  events: ['storage', 'jobs', 'designs'],
  batches: 'storage jobs recipes rendering accounts designs events listing'.split(' '),
  dialects: ['accounts', 'designs', 'cutout', 'rendering', 'storage', 'studio'],
  transfer: ['storage', 'jobs'],
  workers: 'config listing designs dialects cutout recipes rendering scenes studio illustrations'.split(' '),
  http: 'config accounts designs cutout recipes rendering scenes illustrations monitoring events batches listing looks dialects mcp picture-urls'.split(
    ' ',
  ),
  main: ['commands', 'config'],
};
/** Rooms that may import every other. */
const roots = ['commands', 'app', 'wiring'];
/** Files that every room may import, and that import no room. */
const leaves =
  'collect-bytes deadline errors etag fair-semaphore hide-environment ids loopback named-color pixels single-flight srgb tasks step-clock version no-telemetry onnxruntime open-kernels'.split(
    ' ',
  );
/** The only places below src/ that may import a library. */
const homes = {
  '(fastify|@fastify/.*)': '^http/',
  'better-sqlite3': '^storage/',
  pg: '^storage/',
  '@aws-sdk/client-s3': '^storage/(blobs/s3|testing/s3-server)\\.',
  sharp:
    '^(designs/(read-image|known-loaders|encode-photo|write-photo-tags|testing/tagged-photo|heic/convert-heic)|listing/measure-picture|cutout/|rendering/|dialects/finish/|scenes/look-at-cutout|illustrations/(draw-scene|draw-set-sheet|plate-pixels|painting/finish-painting|engines/))',
  'libheif-js': '^designs/heic/libheif',
  'onnxruntime-node': '^onnxruntime',
  '@img/colour': '^named-color',
  ai: '^(scenes/language-model|illustrations/engines/)',
  yaml: '^commands/',
  'parse-exr': '^studio/places/read-panorama',
  'prom-client': '^monitoring/',
  undici: '^(designs/fetch-hop|cutout/(engines/http|models/(model-url|download-model)))',
  yauzl: '^(batches/testing|commands/batch-run)/',
  yazl: '^(batches|dialects/finish)/',
  papaparse: '^(batches|commands)/',
  '@modelcontextprotocol/server': '^mcp/',
  '@bufbuild/protobuf': '^cutout/engines/onnx-graph',
  commander: '^(main|commands/)',
};

const room = (names) => `^src/(${names.join('|')})(/|\\.[jt]s$)`;
const isTest = '\\.(test|contract)\\.ts$';
const rule = (name, from, to) => ({
  name,
  severity: 'error',
  from: { ...from, pathNot: [isTest, ...(from.pathNot ?? [])] },
  to,
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    rule('no-cycle', { path: '^src/' }, { circular: true }),
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
    rule(
      'engines-only-by-their-registry',
      { path: '^src/', pathNot: ['^src/cutout/'] },
      { path: '^src/cutout/engines/', pathNot: 'registry\\.ts$' },
    ),
    ...Object.entries(homes).map(([name, home]) =>
      rule(
        `home-of-${name}`,
        { path: '^src/', pathNot: [home.replace('^', '^src/')] },
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
