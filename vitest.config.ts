import module from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findGivenPostgres, findPostgres } from './src/storage/testing/postgres-server.ts';
import { needsS3 } from './src/storage/testing/s3-server.ts';

// Where and when a file runs is part of its name; CONTRIBUTING.md describes the suffixes.

// Test processes, and the services and children that they start, reuse compiled code from earlier starts.
const { directory } = module.enableCompileCache();
if (directory) process.env.NODE_COMPILE_CACHE ??= directory;

/** If a slow file were started last, the other cores would be idle until it ends. */
const slowest =
  /\/(golden|draw-set-sheet|package|flows|rig-faults|rig-untimed|engine-failures|looks|photos|projects|readme|accessibility|minimal-clients)\./;

/** Elsewhere than in CI, vitest knows from earlier runs how long the other files take. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isQuick = ({ moduleId }: TestSpecification) => Number(!slowest.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => isQuick(a) - isQuick(b));
  }
}

const inCi = Boolean(process.env.CI);
const ciOnly = inCi ? [] : ['**/*.ci.test.ts'];
const postgres = findGivenPostgres() !== undefined || findPostgres() !== undefined;
const scaled = postgres && needsS3 === '';
/** Tests of code that reads or writes rows; they run on both databases. */
const rowTests = ['src/{accounts,batches,events,looks,transfer}/**/*.test.ts', 'src/**/*.rows.test.ts'];
const postgresTests = ['src/**/postgres*.test.ts', 'src/**/*.postgres{,.ci}.test.ts'];
const s3Tests = ['src/storage/blobs/s3*.test.ts'];
const rigTest = 'test/acceptance/rig.embedded.ci.test.ts';

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
const shared = {
  maxWorkers: inCi ? 3 : 4,
  isolate: false,
  setupFiles: ['test/restore-process.ts'],
  exclude: ciOnly,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // CI runs thousands of tests on a machine that others use. The report names each test that needed its second try.
  retry: inCi ? 1 : 0,
};
/** For tests of whole services. */
const services = {
  ...shared,
  setupFiles: ['test/restore-process.ts', 'test/keep-children.ts'],
  testTimeout: 180_000,
  hookTimeout: 120_000,
};

/**
 * Projects with the same `groupOrder` form a group, and run at the same time: each group has files that compute and files
 * that wait. The groups run one after the other. When all projects ran at the same time, the cutouts of `golden` took so
 * much processor time that scenes in `browser` missed their deadlines.
 */
const projects = [
  {
    ...shared,
    name: 'unit',
    include: ['{src,packages,scripts,evals,bench,web/src}/**/*.test.ts'],
    exclude: [...ciOnly, ...postgresTests, ...s3Tests],
    sequence: { groupOrder: 0 },
  },
  postgres && {
    ...shared,
    name: 'postgres',
    include: [...rowTests, ...postgresTests],
    env: { PACKSHOT_TEST_DATABASE: 'postgres' },
    globalSetup: ['src/storage/testing/postgres-setup.ts'],
    sequence: { groupOrder: 0 },
  },
  {
    ...shared,
    name: 's3',
    include: s3Tests,
    globalSetup: ['src/storage/testing/s3-setup.ts'],
    testTimeout: 120_000,
    sequence: { groupOrder: 0 },
  },
  {
    ...services,
    name: 'acceptance',
    include: ['test/acceptance/**/*.test.ts', 'clients/**/*.test.ts'],
    globalSetup: ['test/acceptance/shared-service.ts'],
    exclude: [...ciOnly, rigTest, ...(scaled ? ['**/*.scaled{,.ci}.test.ts'] : [])],
    sequence: { groupOrder: 1 },
  },
  // Alone, because it sets time limits for the service.
  inCi && { ...shared, name: 'rig', include: [rigTest], testTimeout: 300_000, sequence: { groupOrder: 3 } },
  scaled && {
    ...services,
    name: 'scaled',
    // The other files test layers above the stores; only in CI, they also run on PostgreSQL and S3.
    include: [`test/acceptance/${inCi ? '**/*' : '{design,image-upload,jobs}'}.test.ts`],
    exclude: ['**/*.embedded{,.ci}.test.ts'],
    env: { PACKSHOT_TEST_SETTING: 'scaled' },
    globalSetup: ['test/acceptance/fleet.ts'],
    sequence: { groupOrder: 2 },
  },
  {
    ...services,
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/build-page.ts'],
    sequence: { groupOrder: 2 },
  },
  inCi && {
    ...services,
    name: 'integrations',
    include: ['test/integrations/**/*.test.ts'],
    sequence: { groupOrder: 2 },
  },
  {
    ...shared,
    name: 'golden',
    include: ['test/golden/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    sequence: { groupOrder: 0 },
  },
];

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: projects.flatMap((test) => (test ? [{ test }] : [])),
  },
});
