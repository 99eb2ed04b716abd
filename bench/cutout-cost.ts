/**
 * `node bench/cutout-cost.ts DIR [--mode quality|fast] [--peer] [--json FILE]`: cost of a cutout in multiples of one
 * bare run of the network at 1024 px, as median and 90th percentile over all photos of a folder (or of its `image`
 * folder). The work on each photo, from the photo's bytes to the encoded cutout and matte, is compared with one bare
 * run right before this work and one right after it. With `--peer`, it is compared with cutouts of the same photo by
 * `@imgly/background-removal-node` instead, on our version of ONNX Runtime. `--mode` may be repeated.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { removeBackground } from '@imgly/background-removal-node';
import { cutSubject } from '../packages/cutout/src/cut-subject.ts';
import { openIsnet } from '../packages/cutout/src/engines/isnet.ts';
import { openIsnetSession } from '../packages/cutout/src/engines/isnet-session.ts';
import { Tensor } from '../packages/cutout/src/onnxruntime.ts';
import type { CutoutMode } from '../packages/cutout/src/passes/choose-passes.ts';
import { createPassPace } from '../packages/cutout/src/passes/pass-pace.ts';
import { readImage } from '../packages/photos/src/read-image.ts';

const limits = { maxBytes: 1e8, maxPixels: 5e7, maxAvifPixels: 2.5e7, minSidePx: 16, maxSidePx: 20_000 };
const SIDE_PX = 1024;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', multiple: true, default: ['quality', 'fast'] },
    peer: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const folder = positionals[0];
const modes = values.mode.filter((mode): mode is CutoutMode => mode === 'quality' || mode === 'fast');
if (folder === undefined || modes.length !== values.mode.length) {
  console.error('Usage: node bench/cutout-cost.ts DIR [--mode quality|fast] [--peer] [--json FILE]');
  process.exit(2);
}
const settings = { threads: 2, cacheDir: fileURLToPath(new URL('../data/golden-cache/', import.meta.url)) };
const engine = await openIsnet(settings);
const bare = await openIsnetSession(settings);
const tensor = new Tensor('float32', new Float32Array(3 * SIDE_PX ** 2).fill(0.1), [1, 3, SIDE_PX, SIDE_PX]);
const images = await readdir(path.join(folder, 'image')).then(
  (names) => names.map((name) => path.join(folder, 'image', name)),
  async () => (await readdir(folder)).map((name) => path.join(folder, name)),
);
const photos = images.filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).toSorted();

interface Pair {
  readonly photo: string;
  readonly mode: CutoutMode;
  readonly ratio: number;
  readonly cpuRatio: number;
}

/** Milliseconds of wall clock time, and of processor time summed over all threads. */
interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const pairs: Pair[] = [];
const runBaseline = values.peer ? runPeer : runBare;
await runBaseline(photos[0]!);
for (const photo of photos) {
  const bytes = await readFile(photo);
  for (const mode of modes) {
    const before = await runBaseline(photo);
    const cost = await measure(() => cut(bytes, mode));
    const after = await runBaseline(photo);
    const ratio = (2 * cost.wallMs) / (before.wallMs + after.wallMs);
    const cpuRatio = (2 * cost.cpuMs) / (before.cpuMs + after.cpuMs);
    pairs.push({ photo: path.basename(photo), mode, ratio, cpuRatio });
    console.error(
      `${path.basename(photo)}, ${mode}: wall clock ${ratio.toFixed(2)}, processor time ${cpuRatio.toFixed(2)}`,
    );
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(pairs, null, 1)}\n`);
  }
}
await Promise.all([engine.close(), bare.release()]);
console.log('| mode | measure | photos | median | 90th percentile | maximum |\n|---|---|---|---|---|---|');
for (const mode of modes) {
  const ofMode = pairs.filter((pair) => pair.mode === mode);
  tell(
    mode,
    'wall clock',
    ofMode.map(({ ratio }) => ratio),
  );
  tell(
    mode,
    'processor time',
    ofMode.map(({ cpuRatio }) => cpuRatio),
  );
}

function tell(mode: CutoutMode, measured: string, ratios: readonly number[]): void {
  const sorted = ratios.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(2);
  console.log(`| ${mode} | ${measured} | ${sorted.length} | ${at(0.5)} | ${at(0.9)} | ${at(1)} |`);
}

/** Photos without a product are not skipped, because the network's passes over them cost the same. */
async function cut(bytes: Buffer, mode: CutoutMode): Promise<void> {
  const source = await readImage(bytes, limits);
  const { signal } = new AbortController();
  await cutSubject(source, engine, { signal, mode, pace: createPassPace() }).catch(
    (error: { code?: string }) => {
      if (error.code !== 'no_subject_found') throw error;
    },
  );
}

function runBare(): Promise<Cost> {
  return measure(() => bare.run({ input: tensor }, ['output']));
}

function runPeer(photo: string): Promise<Cost> {
  return measure(() => removeBackground(pathToFileURL(photo).href));
}

async function measure(work: () => Promise<unknown>): Promise<Cost> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wallMs, cpuMs: (user + system) / 1000 };
}
