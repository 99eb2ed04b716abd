/**
 * `npm run bench:scale`: compares the service on PostgreSQL and S3 with a single process; writes
 * docs/benchmarks-scale.md.
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
if (!s3) throw new Error('There is no S3 to be had here: see src/storage/testing/s3-server.ts.');
const stores: Stores = { make: () => makeStores(postgres, s3) };
/** 2 megapixels, on plain paper: both engines can cut it out. */
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
  await writeFile(new URL('docs/benchmarks-scale.md', root), page);
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
  const latencyTable = (rows: readonly LatencyBench[]) => `| setting | upload to cutout | more than embedded |
|---|---|---|
${rows.map(({ setting, medianMs, addedMs }, index) => `| ${setting} | ${ms(medianMs)} | ${index === 0 ? '' : ms(addedMs)} |`).join('\n')}`;
  const grid = (
    rows: readonly ThroughputBench[],
  ) => `| api × workers | photos a second | over 1 × 1 | CPU s a photo, api | CPU s a photo, workers | transactions a photo |
|---|---|---|---|---|---|
${rows
  .map(
    (row) =>
      `| ${row.apis} × ${row.workers} | ${row.photosPerS.toFixed(2)} | **${(row.photosPerS / rows[0]!.photosPerS).toFixed(2)}** | ${row.apiCpuS.toFixed(2)} | ${row.workerCpuS.toFixed(2)} | ${row.transactions.toFixed(1)} |`,
  )
  .join('\n')}`;
  return `# Benchmarks past one machine

Written by \`npm run bench:scale\` on ${new Date().toISOString().slice(0, 10)}: ${cpu.length} × ${cpu[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB,
Node ${process.versions.node}, no GPU; PostgreSQL and an S3-compatible server (OpenStack Swift) on the same machine, all processes on
its ${cpu.length} cores. The machine is shared and noisy: compare ratios and differences, whose sides ran in turn.

## Dispatch: jobs that do nothing

Each job is enqueued in a transaction of its own, 8 callers side by side, while the workers take, run and settle them.

| worker processes | jobs a second | commit to handler, median | 95 % |
|---|---|---|---|
${dispatch.map(({ workers, jobsPerS, medianMs, p95Ms }) => `| ${workers} | **${Math.round(jobsPerS)}** | ${ms(medianMs)} | ${ms(p95Ms)} |`).join('\n')}

## A cutout: upload until it is ready, one at a time

With the engine without weights (\`keyer\`), which leaves the rest of the way to be seen:

${latencyTable(latency.stub)}

With the neural network (\`isnet\`, fast, one thread):

${latencyTable(latency.model)}

## A picture: one process, and an api process that has a worker draw

| picture | embedded | PostgreSQL and S3 | CPU s a picture, api | CPU s a picture, worker |
|---|---|---|---|---|
${pictures.map((row) => `| ${row.picture} | ${ms(row.embeddedMs)} | ${ms(row.fleetMs)} | ${row.apiCpuS.toFixed(3)} | ${row.workerCpuS.toFixed(3)} |`).join('\n')}

## Throughput: uploads until the last cutout, PostgreSQL and S3

One thread for each worker's engine. \`keyer\`, the stub that shows what the way costs:

${grid(grids.keyer!)}

\`isnet\`, fast:

${grid(grids.isnet!)}
`;
}
