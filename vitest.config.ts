import module from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findGivenPostgres, findPostgres } from './src/storage/testing/postgres-server.ts';
import { needsS3 } from './src/storage/testing/s3-server.ts';

// Test processes, and the services and children that they start, reuse compiled code from earlier starts.
const { directory } = module.enableCompileCache();
if (directory) process.env.NODE_COMPILE_CACHE ??= directory;

/** The slowest files, slowest first. If a slow file were started last, the other cores would be idle until it ends. */
const longest = [
  'golden',
  'draw-set-sheet',
  'package',
  'flows',
  'rig-faults',
  'rig-untimed',
  'engine-failures',
  'looks',
  'photos',
  'readme',
  'accessibility',
  'minimal-clients',
  'engine-variants',
  'remove',
  'illustration-engines',
  'batches',
  'scene-durability',
  'photo-tools',
  'part-one',
  'faults',
  'client',
  'credits',
  'scene',
  's3',
  's3-faults',
  'disk-budget',
  'suggest',
  'mcp-flow',
  'metadata',
  'shared-queue',
  'queue-restart',
];
function rankOf(path: string): number {
  const rank = longest.findIndex((name) => path.endsWith(`/${name}.test.ts`));
  return rank === -1 ? longest.length : rank;
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}

/** Tests of code that reads or writes rows; they run on both databases. */
const rowTests = [
  'src/{accounts,batches,events,transfer}/**/*.test.ts',
  'src/cutout/improve-cutout.test.ts',
  'src/designs/{create-design,design-store,erase-designs}.test.ts',
  'src/illustrations/{illustration-store,keep-backdrop,resolve-illustration}.test.ts',
  'src/illustrations/painting/{ask-engine,paint-illustration,painting-store}.test.ts',
  'src/looks/**/*.test.ts',
  'src/storage/{database,migrate,notices,secret-store,snapshot,stored-bytes}.test.ts',
];
/** Tests that run only on PostgreSQL. */
const postgresTests = [
  'src/storage/postgres*.test.ts',
  'src/jobs/{shared-queue,queue-restart}.test.ts',
  'src/accounts/shared-rates.test.ts',
];
const s3Tests = ['src/storage/blobs/s3*.test.ts'];
const postgres = findGivenPostgres() !== undefined || findPostgres() !== undefined;
const acceptance = (name: string) => `test/acceptance/${name}.test.ts`;
/**
 * Files that run only in the setting with SQLite and a folder, not also in the setting with PostgreSQL and S3. They
 * test a disk, an SQLite file, the death of the only process, a command without a service, or a layer that never uses
 * the stores directly; for such a layer, other files make the same calls in both settings.
 */
const embeddedOnly = [
  'account-share', // The rows that count stored bytes have tests on both databases.
  'batch-command', // `batches` and `batch-files` make the same HTTP calls as this command.
  'behind-a-proxy',
  'checks',
  'engines',
  'image-upload-from-url',
  'minimal-clients',
  'product-kind',
  'segment',
  'service-pages',
  'cancelled-work',
  'command-line',
  'completion',
  'data-folder',
  'disk-budget',
  'doctor',
  'doctor-dialect',
  'dialect-limits', // The rates that processes share have tests on PostgreSQL (`shared-rates`).
  'durability',
  'engine-failures',
  'engine-variants',
  'heic',
  'hidden-environment',
  'launcher',
  'log',
  // Looks, presets and backdrops: their rows have tests on both databases; `mcp-flow` and `batches` draw with them.
  'looks',
  'own-backdrop',
  'presets',
  'mcp',
  'mcp-conformance',
  'mcp-stdio',
  'metadata', // Tests the bytes of pictures, which are the same whether a worker or the only process draws them.
  'metrics',
  'no-telemetry',
  'pace',
  'package',
  'part-one',
  'readiness',
  'readme',
  'remove',
  'remove-runs',
  'remove-server',
  'rembg', // `dialect-clients` uses this interface in both settings.
  'removebg',
  'removebg-pictures',
  'rig',
  'rig-faults',
  'rig-untimed',
  'scene',
  'scene-durability',
  'secrets',
  'storage-faults',
  'suggest', // `mcp-flow` suggests and renders scenes in both settings.
  'tracing',
].map(acceptance);
/**
 * Files that run only in the setting with PostgreSQL and S3. If one of these servers is missing, they run in the other
 * setting. `engine-variants` and `engine-failures` test illustration engines in the other setting in any case.
 */
const scaledOnly = postgres && needsS3 === '' ? [acceptance('illustration-engines')] : [];
const rigTest = 'test/acceptance/rig.test.ts';
/** Whether all tests run; CONTRIBUTING.md lists the tests that run only in CI. */
const inCi = Boolean(process.env.CI);
/**
 * Files that run only in CI, because they take long and a change rarely breaks only them: the rig, faults, tests of
 * publishing, and variants of calls that other files make.
 */
const ciOnly = [
  rigTest,
  'clients/typescript/test/package.test.ts',
  ...[
    // Kills, full disks, slow machines and other faults.
    'account-share',
    'cancelled-work',
    'disk-budget',
    'durability',
    'engine-failures',
    'pace',
    'rig-faults',
    'rig-untimed',
    'scene-durability',
    'storage-faults',
    'readiness',
    // Secrets, traces and logs.
    'hidden-environment',
    'log',
    'no-telemetry',
    'secrets',
    'tracing',
    // The published package, the launcher, removal engines as users set them up, and shell completion.
    'completion',
    'engines',
    'launcher',
    'package',
    // Runs of commands over many photos; `remove` and `batch-files` test single calls.
    'batch-command',
    'remove-runs',
    'remove-server',
    'scene',
    // Variants and long flows: `part-one`, `client`, `mcp`, `removebg` and `batch-files` make the same calls.
    'batches',
    'dialect-clients',
    'dialect-limits',
    'doctor-dialect',
    'minimal-clients',
    'mcp-flow',
    'mcp-stdio',
    'metadata',
    'removebg-pictures',
    'transfer',
    // Unit tests next to the sources cover these, too: engines with simulated servers, measurements, rules, decoders.
    'checks',
    'engine-variants',
    'heic',
    'illustration-engines',
    'looks',
  ].map(acceptance),
];
/**
 * Files that run on PostgreSQL and S3 even outside CI: uploads, what becomes of them, and jobs. The other files test
 * layers above the stores; only in CI, they also run on PostgreSQL and S3.
 */
const scaledSmoke = ['design', 'image-upload', 'jobs'].map(acceptance);
/** Tests in which PostgreSQL or S3 fails or restarts; they run only in CI. */
const faultsInCi = ['src/jobs/queue-restart.test.ts', 'src/storage/blobs/s3-faults.test.ts'];
/** Browser tests of the Studio page that run only in CI; `flows` and `page` test what most visitors do. */
const pageInCi = ['accessibility', 'faults', 'photo-tools', 'photos'].map(
  (name) => `test/browser/${name}.test.ts`,
);
if (!postgres)
  process.emitWarning(
    'No tests run on PostgreSQL: its server programs are not installed, and PACKSHOT_TEST_POSTGRES_URL is not set.',
  );

if (!inCi)
  process.emitWarning('The slowest tests are left out, such as the rig; CI=true npm test runs them as well.');
if (needsS3 !== '') process.emitWarning(`Tests of a service with several processes do not run${needsS3}.`);

/**
 * A few processes run all files of a project. Each process loads the program only once, because loading takes longer than most
 * files. There are more processes than the two cores of a small machine, because most files spend half of their time waiting for
 * a command or a service to start, a deadline or a database. In CI there is one process less, because the machine may be busy.
 */
const sharedProcesses = {
  maxWorkers: inCi ? 3 : 4,
  isolate: false,
  setupFiles: ['test/restore-process.ts'],
  // CI runs thousands of tests on a machine that others use. The report names each test that needed its second try.
  retry: inCi ? 1 : 0,
};
/** For tests of whole services. */
const keptChildren = { ...sharedProcesses, setupFiles: ['test/restore-process.ts', 'test/keep-children.ts'] };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      // Projects with the same `groupOrder` form a group, and run at the same time: each group has files that compute
      // and files that wait. The groups run one after the other. When all projects ran at the same time, the cutouts of
      // `golden` took so much processor time that scenes in `browser` missed their deadlines.
      {
        test: {
          name: 'unit',
          include: ['{src,scripts,evals,bench,web/src}/**/*.test.ts'],
          exclude: [...postgresTests, ...s3Tests],
          ...sharedProcesses,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      ...(postgres
        ? [
            {
              test: {
                name: 'postgres',
                include: [...rowTests, ...postgresTests],
                exclude: inCi ? [] : faultsInCi,
                env: { PACKSHOT_TEST_DATABASE: 'postgres' },
                globalSetup: ['src/storage/testing/postgres-setup.ts'],
                ...sharedProcesses,
                testTimeout: 60_000,
                hookTimeout: 60_000,
                sequence: { groupOrder: 0 },
              },
            },
          ]
        : []),
      {
        test: {
          name: 's3',
          include: s3Tests,
          exclude: inCi ? [] : faultsInCi,
          globalSetup: ['src/storage/testing/s3-setup.ts'],
          ...sharedProcesses,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'acceptance',
          include: ['test/acceptance/**/*.test.ts', 'clients/**/*.test.ts'],
          globalSetup: ['test/acceptance/shared-service.ts'],
          exclude: inCi ? [rigTest, ...scaledOnly] : ciOnly,
          ...keptChildren,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      ...(inCi
        ? [
            {
              test: {
                name: 'rig',
                include: [rigTest],
                ...sharedProcesses,
                testTimeout: 300_000,
                // The rig runs alone, because it sets time limits for the service.
                sequence: { groupOrder: 3 },
              },
            },
          ]
        : []),
      ...(postgres && needsS3 === ''
        ? [
            {
              test: {
                name: 'scaled',
                include: inCi ? ['test/acceptance/**/*.test.ts'] : scaledSmoke,
                exclude: embeddedOnly,
                env: { PACKSHOT_TEST_SETTING: 'scaled' },
                globalSetup: ['test/acceptance/fleet.ts'],
                ...keptChildren,
                testTimeout: 180_000,
                hookTimeout: 120_000,
                sequence: { groupOrder: 2 },
              },
            },
          ]
        : []),
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          exclude: inCi ? [] : pageInCi,
          globalSetup: ['test/browser/build-page.ts'],
          ...keptChildren,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      ...(inCi
        ? [
            {
              test: {
                name: 'integrations',
                include: ['test/integrations/**/*.test.ts'],
                ...keptChildren,
                testTimeout: 180_000,
                hookTimeout: 120_000,
                sequence: { groupOrder: 2 },
              },
            },
          ]
        : []),
      {
        test: {
          name: 'golden',
          include: ['test/golden/**/*.test.ts'],
          ...sharedProcesses,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});
