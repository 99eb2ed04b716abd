/**
 * `npm run bench:scale`: compares the service on PostgreSQL and S3 with a single process; writes
 * lab/benchmarks-scale.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { startPostgres } from '../src/storage/testing/postgres-server.ts';
import { startS3 } from '../src/storage/testing/s3-server.ts';
import { makeStores } from '../src/storage/testing/scaled-stores.ts';
import { benchDispatch, type DispatchBench } from './scale-dispatch.ts';
import {
  benchLatency,
  benchPictures,
  benchThroughput,
  type LatencyBench,
  type PictureBench,
  type Stores,
  type ThroughputBench,
} from './scale-fleet.ts';

const root = new URL('../', import.meta.url);
const postgres = await startPostgres();
const s3 = await startS3();
if (!s3) throw new Error('No S3 is available here: see src/storage/testing/s3-server.ts.');
const stores: Stores = { make: () => makeStores(postgres, s3) };
/** A photo of 2 megapixels on plain paper, so that both engines can cut out the product. */
const photo = await readFile(new URL('samples/chair-white.jpg', root));

const progress = (what: string) => process.stderr.write(`${what}\n`);
try {
  const dispatch: DispatchBench[] = [];
  for (const workers of [1, 2]) {
    progress(`dispatch, ${workers} workers`);
    dispatch.push(
      await benchDispatch(await postgres.createDatabase(), { workers, jobs: 6_000, singles: 300 }),
    );
  }
  progress('latency');
  const stub = await benchLatency(stores, photo, { engine: 'keyer', rounds: 40 });
  const model = await benchLatency(stores, photo, { engine: 'isnet', rounds: 9 });
  progress('pictures');
  const pictures = await benchPictures(stores, photo, 20);
  const sizes = [
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
  ] as const;
  const grids: Record<string, ThroughputBench[]> = { keyer: [], isnet: [] };
  for (const [engine, photos] of [
    ['keyer', 60],
    ['isnet', 16],
  ] as const) {
    for (const [apis, workers] of sizes) {
      progress(`throughput, ${engine}, ${apis} × ${workers}`);
      grids[engine]!.push(await benchThroughput(stores, photo, { engine, apis, workers, photos }));
    }
  }
  const page = describe(dispatch, { stub, model }, pictures, grids);
  await writeFile(new URL('lab/benchmarks-scale.md', root), page);
  console.log(page);
} finally {
  await postgres.stop();
  await s3.stop();
}

function describe(
  dispatch: readonly DispatchBench[],
  latency: Readonly<Record<'stub' | 'model', readonly LatencyBench[]>>,
  pictures: readonly PictureBench[],
  grids: Readonly<Record<string, readonly ThroughputBench[]>>,
): string {
  const cpu = cpus();
  const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  const latencyTable = (rows: readonly LatencyBench[]) => `| setting | upload to cutout | median added time |
|---|---|---|
${rows.map(({ setting, medianMs, addedMs }, index) => `| ${setting} | ${ms(medianMs)} | ${index === 0 ? '' : ms(addedMs)} |`).join('\n')}`;
  const grid = (
    rows: readonly ThroughputBench[],
  ) => `| api × workers | photos per second | relative to 1 × 1 | CPU s per photo, api | CPU s per photo, workers | transactions per photo |
|---|---|---|---|---|---|
${rows
  .map(
    (row) =>
      `| ${row.apis} × ${row.workers} | ${row.photosPerS.toFixed(2)} | **${(row.photosPerS / rows[0]!.photosPerS).toFixed(2)}** | ${row.apiCpuS.toFixed(2)} | ${row.workerCpuS.toFixed(2)} | ${row.transactions.toFixed(1)} |`,
  )
  .join('\n')}`;
  return `# Benchmarks with several processes

Written by \`npm run bench:scale\` on ${new Date().toISOString().slice(0, 10)}: ${cpu.length} × ${cpu[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB,
Node ${process.versions.node}, no GPU; PostgreSQL and an S3-compatible server (OpenStack Swift) on the same machine, all processes on
its ${cpu.length} cores. The machine is shared and noisy, so compare only ratios and differences within a table.

## Dispatch: jobs that do nothing

Each job is enqueued in its own transaction, by 8 concurrent callers, while the workers claim, run and complete jobs.

| worker processes | jobs per second | commit to handler, median | 95th percentile |
|---|---|---|---|
${dispatch.map(({ workers, jobsPerS, medianMs, p95Ms }) => `| ${workers} | **${Math.round(jobsPerS)}** | ${ms(medianMs)} | ${ms(p95Ms)} |`).join('\n')}

## Cutouts: from upload to ready, one at a time

With the engine that has no weights (\`keyer\`), so that the overhead of everything else is visible:

${latencyTable(latency.stub)}

With the neural network (\`isnet\`, fast, one thread):

${latencyTable(latency.model)}

## Pictures: drawn in one process, and by a worker for an api process

| picture | one process | PostgreSQL and S3 | CPU s per picture, api | CPU s per picture, worker |
|---|---|---|---|---|
${pictures.map((row) => `| ${row.picture} | ${ms(row.embeddedMs)} | ${ms(row.fleetMs)} | ${row.apiCpuS.toFixed(3)} | ${row.workerCpuS.toFixed(3)} |`).join('\n')}

## Throughput: from the first upload to the last cutout, PostgreSQL and S3

Each worker's engine runs on one thread. With \`keyer\`, which itself takes little time, so that the overhead is visible:

${grid(grids.keyer!)}

With \`isnet\`, fast:

${grid(grids.isnet!)}
`;
}
