/** `npm run bench`: measures ourselves against bare baselines in the same run and writes docs/benchmarks.md. */
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchCutout, type CutoutBench } from './cutout-bench.ts';
import { benchRendering, type RenderBenchRow } from './render-bench.ts';

const root = new URL('../', import.meta.url);
// 2000×1500, 3 megapixels, is the largest sample; 1500×1500 is the 2-megapixel phone photo of the targets.
const photos = ['samples/perfume-marbletop.jpg', 'samples/chair-room.jpg'];

const cutouts: CutoutBench[] = [];
for (const photo of photos) cutouts.push(await benchCutout(fileURLToPath(new URL(photo, root))));
const renders = await benchRendering();
const page = describe(cutouts, renders);
await writeFile(new URL('docs/benchmarks.md', root), page);
console.log(page);

function describe(all: readonly CutoutBench[], rows: readonly RenderBenchRow[]): string {
  const cpu = cpus();
  const first = all[0]!;
  return `# Benchmarks

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpu.length} × ${cpu[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB,
Node ${process.versions.node}, no GPU. The machine is shared and noisy: compare ratios, whose two sides ran in turn, not times.

## Upload to cutout against the bare model

\`session.run\` of the same model on a ready tensor of the same size, in a process of its own with the same session
options, in turn with an upload over HTTP until its matte is back. Medians of ${first.rounds} pairs.

| photo | bare model | upload to cutout | ratio |
|---|---|---|---|
${all.map((one) => `| ${one.photo.split('/').at(-1)} | ${ms(one.bareMs)} | ${ms(one.uploadToCutoutMs)} | **${one.ratio.toFixed(2)}** |`).join('\n')}

Steps (medians): ${all
    .map(
      (one) =>
        `${one.photo.split('/').at(-1)}: ${Object.entries(one.steps)
          .map(([step, time]) => `${step} ${ms(time)}`)
          .join(', ')}`,
    )
    .join('. ')}.

| | |
|---|---|
| peak memory of all processes together (proportional set size, so that shared pages count once) | ${Math.round(Math.max(...all.map((one) => one.peakTreeMb)))} MB |
| ready after the very first start | ${ms(first.coldReadyMs)} |
| ready after a warm start | ${ms(Math.max(...all.map((one) => one.warmReadyMs)))} |

## Pictures against a bare sharp pipeline

The bare pipeline does the same composite and encode: decode the cutout, crop, resize, composite on the canvas, encode
with the same quality. Medians of interleaved pairs, in one process.

| picture | ours | bare sharp | ratio |
|---|---|---|---|
${rows.map(({ name, oursMs, bareMs, ratio }) => `| ${name} | ${ms(oursMs)} | ${ms(bareMs)} | **${ratio.toFixed(2)}** |`).join('\n')}
`;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
