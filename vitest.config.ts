import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findGivenPostgres, findPostgres } from './src/storage/testing/postgres-server.ts';
import { needsS3 } from './src/storage/testing/s3-server.ts';

/** The files that take longest, the longest first: started last, one would keep a core idle while it ends alone. */
const longest = [
  'rig',
  'remove',
  'package',
  'removebg',
  'engine-variants',
  'minimal-clients',
  'part-one',
  'readme',
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

/** Everything that reads and writes rows runs on both databases. */
const rowTests = [
  'src/{accounts,batches,events,transfer}/**/*.test.ts',
  'src/cutout/improve-cutout.test.ts',
  'src/designs/{create-design,design-store,erase-designs}.test.ts',
  'src/illustrations/{illustration-store,keep-backdrop,resolve-illustration}.test.ts',
  'src/illustrations/painting/{ask-engine,paint-illustration,painting-store}.test.ts',
  'src/storage/{database,migrate,notices,secret-store,snapshot,stored-bytes}.test.ts',
];
/** What only PostgreSQL has. */
const postgresTests = [
  'src/storage/postgres*.test.ts',
  'src/jobs/{shared-queue,queue-restart}.test.ts',
  'src/accounts/shared-rates.test.ts',
];
const s3Tests = ['src/storage/blobs/s3*.test.ts'];
/**
 * Files that do not run on PostgreSQL and S3 as well: they test a disk, an SQLite file, the death of the only process or a
 * command without a service; or a layer that never touches the stores directly, and whose calls other files make in both settings.
 */
const embeddedOnly = [
  'behind-a-proxy',
  'checks',
  'dialect-clients',
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
  'durability',
  'engine-variants',
  'heic',
  'hidden-environment',
  'launcher',
  'log',
  'mcp',
  'mcp-conformance',
  'mcp-stdio',
  'metrics',
  'no-telemetry',
  'package',
  'part-one',
  'readiness',
  'readme',
  'remove',
  'removebg',
  'rig',
  'scene',
  'scene-durability',
  'secrets',
  'storage-faults',
  'tracing',
].map((name) => `test/acceptance/${name}.test.ts`);
const rigTest = 'test/acceptance/rig.test.ts';
/** The rig takes minutes. */
const withRig = Boolean(process.env.CI);
const postgres = findGivenPostgres() !== undefined || findPostgres() !== undefined;
if (!postgres)
  process.emitWarning(
    'No tests run on PostgreSQL: its server programs are not here, nor is PACKSHOT_TEST_POSTGRES_URL set.',
  );

if (!withRig)
  process.emitWarning('The rig is left out, because it takes minutes; CI=true npm test runs it as well.');
if (needsS3 !== '') process.emitWarning(`The service of several processes is not tested${needsS3}.`);

/** Two processes run all files of a project, and each loads the program once: loading takes longer than most files. */
const twoProcesses = { maxWorkers: 2, isolate: false };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      // One group after the other: two cores and the memory of one model are not to be shared.
      {
        test: {
          name: 'unit',
          include: ['{src,scripts,evals,bench,web/src}/**/*.test.ts'],
          exclude: [...postgresTests, ...s3Tests],
          ...twoProcesses,
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
                env: { PACKSHOT_TEST_DATABASE: 'postgres' },
                globalSetup: ['src/storage/testing/postgres-setup.ts'],
                ...twoProcesses,
                testTimeout: 60_000,
                hookTimeout: 60_000,
                sequence: { groupOrder: 1 },
              },
            },
          ]
        : []),
      {
        test: {
          name: 's3',
          include: s3Tests,
          globalSetup: ['src/storage/testing/s3-setup.ts'],
          ...twoProcesses,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'acceptance',
          include: ['test/acceptance/**/*.test.ts', 'clients/**/*.test.ts'],
          exclude: [rigTest],
          // Each file starts a service of its own; two cores hold no more than two at once.
          ...twoProcesses,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      // Beside the acceptance tests.
      ...(withRig
        ? [
            {
              test: {
                name: 'rig',
                include: [rigTest],
                ...twoProcesses,
                testTimeout: 300_000,
                sequence: { groupOrder: 2 },
              },
            },
          ]
        : []),
      ...(postgres && needsS3 === ''
        ? [
            {
              test: {
                name: 'scaled',
                include: ['test/acceptance/**/*.test.ts'],
                exclude: embeddedOnly,
                env: { PACKSHOT_TEST_SETTING: 'scaled' },
                globalSetup: ['test/acceptance/fleet.ts'],
                ...twoProcesses,
                testTimeout: 180_000,
                hookTimeout: 120_000,
                sequence: { groupOrder: 3 },
              },
            },
          ]
        : []),
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/build-page.ts'],
          maxWorkers: 1,

          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'golden',
          include: ['test/golden/**/*.test.ts'],
          maxWorkers: 1,
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
