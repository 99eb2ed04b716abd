/** `npm run bench`: measures the service against bare baselines in the same run and writes lab/benchmarks.md. */
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchCutout, type CutoutBench } from './cutout-bench.ts';
import { benchDialects, type DialectBench } from './dialects.ts';
import { benchRendering, type RenderBenchRow } from './render-bench.ts';
import { benchScenes, type SceneBench, type SceneBenchRow } from './scene-bench.ts';

const root = new URL('../', import.meta.url);
// A photo of an ordinary product, and one of a tall product. In quality mode, the network's full pass over the tall
// product covers a tall part of the photo, and does not stretch it to a square.
const photos = ['chair-room', 'perfume-marbletop'];
const settings = [
  { REMOVAL_QUALITY: 'fast' },
  { REMOVAL_QUALITY: 'quality' },
  { REMOVAL_QUALITY: 'fast', REMOVAL_MEMORY: 'small', RENDER_WORKERS: '1' },
] as const;

const cutouts: CutoutBench[] = [];
for (const one of settings) {
  for (const name of photos) {
    const photo = fileURLToPath(new URL(`samples/${name}.jpg`, root));
    cutouts.push(await benchCutout({ photo, settings: one, rounds: 9, warmUp: 2 }));
  }
}
const dialects: DialectBench[] = [];
for (const name of photos) {
  const photo = fileURLToPath(new URL(`samples/${name}.jpg`, root));
  dialects.push(
    await benchDialects({ photo, settings: { REMOVAL_QUALITY: 'quality' }, rounds: 9, warmUp: 2 }),
  );
}
const page = describe({ cutouts, dialects }, await benchRendering(), await benchScenes());
await writeFile(new URL('lab/benchmarks.md', root), page);
console.log(page);

interface ServiceBench {
  readonly cutouts: readonly CutoutBench[];
  readonly dialects: readonly DialectBench[];
}

function describe(
  { cutouts: all, dialects }: ServiceBench,
  rows: readonly RenderBenchRow[],
  scenes: SceneBench,
): string {
  const cpu = cpus();
  return `# Benchmarks

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpu.length} × ${cpu[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB,
Node ${process.versions.node}, no GPU. The machine is shared and noisy: compare the ratios, not the times.
Both sides of each ratio were measured alternately.

## Upload to cutout against the bare model

Two times are compared, measured alternately. The first is that of a bare \`session.run\` of the same model on a prepared tensor of the
same size, in a separate process with ONNX Runtime's fastest settings. The second is the time from the start of an upload over HTTP
until the client has received the matte. All times are medians of ${all[0]!.rounds} pairs.

| settings | photo | bare model | upload to cutout | ratio | (process start to first cutout) ÷ bare model | four concurrent uploads ÷ (4 × one upload) |
|---|---|---|---|---|---|---|
${all.map(describeCutout).join('\n')}

| settings | peak memory of all processes | ready, very first start | ready, later starts |
|---|---|---|---|
${all.map((one) => `| ${nameOf(one)}, ${photoOf(one)} | ${Math.round(one.peakTreeMb)} MB | ${ms(one.coldReadyMs)} | ${ms(one.warmReadyMs)} |`).join('\n')}

Peak memory is the highest proportional set size of the service and its children, sampled from the first upload to the last.
Shared pages count once.

Time of each step, medians in ms:

${all
  .map(
    (one) =>
      `- ${nameOf(one)}, ${photoOf(one)}: ${Object.entries(one.steps)
        .map(([step, time]) => `${step} ${Math.round(time)}`)
        .join(', ')}`,
  )
  .join('\n')}

${describeDialects(dialects)}
## Pictures against a bare sharp pipeline

The bare pipeline makes the same picture with sharp alone: decode the cutout, crop, resize, composite on the canvas, encode
with the same quality. All times are medians of pairs, measured alternately in one process.

| picture | ours | bare sharp | ratio |
|---|---|---|---|
${rows.map(({ name, oursMs, bareMs, ratio }) => `| ${name} | ${ms(oursMs)} | ${ms(bareMs)} | **${ratio.toFixed(2)}** |`).join('\n')}

${describeScenes(scenes)}`;
}

function describeDialects(all: readonly DialectBench[]): string {
  return `## One call of another service against two of ours

\`POST /v1.0/removebg\` (one call) is compared with an upload and \`GET cutout.png\` (two calls) of the same photo, over HTTP, measured alternately. All times are medians of ${all[0]!.rounds} pairs; \`REMOVAL_QUALITY=${all[0]!.settings.REMOVAL_QUALITY}\`.

| photo | call | two calls | one call | ratio |
|---|---|---|---|---|
${all.flatMap(({ photo, sizes }) => sizes.map(({ size, twoCallsMs, oneCallMs, ratio }) => `| ${photo.split('/').at(-1)!.replace('.jpg', '')} | \`size=${size}\`, \`format=png\` | ${ms(twoCallsMs)} | ${ms(oneCallMs)} | **${ratio.toFixed(2)}** |`)).join('\n')}
`;
}

function describeScenes({ rows, eightAtOnce }: SceneBench): string {
  return `## Studio scenes

These figures are of the path tracer alone, with a product in the set and a separate process for each scene: the processor time of the
process's first picture and of later pictures, and the peak memory of the process beyond that of an idle process. The
last three columns are for two threads: wall time and processor time relative to one thread, measured alternately, and
the peak memory.

| picture | first | then | memory | 2 threads: wall time ÷ 1 thread | processor time ÷ 1 thread | memory |
|---|---|---|---|---|---|---|
${rows.map(describeScene).join('\n')}

Eight concurrent previews, in one process per core with one thread each, take **${eightAtOnce.oneThread.toFixed(2)}** times as long as
one process takes to draw them one by one; with one thread per core in each process, ${eightAtOnce.allThreads.toFixed(2)} times.
`;
}

function describeScene({ name, firstCpuS, cpuS, peakMb, twoThreads }: SceneBenchRow): string {
  const cells = [
    name,
    `${firstCpuS.toFixed(2)} s`,
    `${cpuS.toFixed(2)} s`,
    `${Math.round(peakMb)} MB`,
    `**${twoThreads.wall.toFixed(2)}**`,
    twoThreads.cpu.toFixed(2),
    `${Math.round(twoThreads.peakMb)} MB`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function describeCutout(one: CutoutBench): string {
  const cells = [
    nameOf(one),
    photoOf(one),
    ms(one.bareMs),
    ms(one.uploadToCutoutMs),
    `**${one.ratio.toFixed(2)}**`,
    (one.firstResultMs / one.bareMs).toFixed(2),
    one.fourAtOnceRatio.toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

function nameOf({ settings: { REMOVAL_QUALITY: quality, REMOVAL_MEMORY: memory } }: CutoutBench): string {
  return memory ? `${quality}, memory ${memory}` : quality!;
}

function photoOf({ photo }: CutoutBench): string {
  return photo.split('/').at(-1)!.replace('.jpg', '');
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
