/**
 * `node bench/provider.ts PROVIDER DIR [--threads N] [--passes N]`: time of the default engine's passes with an
 * execution provider (`REMOVAL_PROVIDER`) and with the CPU, and how much the mattes of both differ. DIR contains
 * photos; the first eight are used. Run it on a machine with a GPU, before you rely on that GPU's cutouts.
 */
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openIsnet } from '../packages/cutout/src/engines/isnet.ts';
import type { OnnxProvider } from '../packages/cutout/src/engines/onnx-session.ts';
import type { RemovalEngine, Resolution } from '../packages/cutout/src/removal-engine.ts';
import { readImage } from '../packages/photos/src/read-image.ts';
import type { RgbImage } from '../packages/pixels/src/pixels.ts';
import { median } from './median.ts';

const limits = { maxBytes: 1e8, maxPixels: 5e7, maxAvifPixels: 2.5e7, minSidePx: 16, maxSidePx: 20_000 };
const providers: readonly OnnxProvider[] = ['cpu', 'cuda', 'webgpu', 'dml', 'coreml'];
const resolutions: readonly Resolution[] = ['full', 'reduced', 'coarse'];
const { signal } = new AbortController();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { threads: { type: 'string', default: '2' }, passes: { type: 'string', default: '10' } },
});
const provider = providers.find((name) => name === positionals[0]);
const folder = positionals[1];
if (provider === undefined || folder === undefined) {
  console.error('Usage: node bench/provider.ts PROVIDER DIR [--threads N] [--passes N]');
  process.exit(2);
}
const names = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).toSorted();
const photos: RgbImage[] = [];
for (const name of names.slice(0, 8)) {
  photos.push(await readImage(await readFile(path.join(folder, name)), limits));
}
const onCpu = await measure('cpu');
const onProvider = await measure(provider);
for (const resolution of resolutions) {
  console.log(describe(resolution, onCpu.get(resolution)!, onProvider.get(resolution)!));
}

interface Measured {
  readonly mattes: readonly Uint8Array[];
  readonly ms: number;
}

/** The two engines run one after the other, so that neither takes time from the other. */
async function measure(name: OnnxProvider): Promise<ReadonlyMap<Resolution, Measured>> {
  const engine = await openIsnet({
    threads: Number(values.threads),
    cacheDir: path.join(tmpdir(), 'packshot-provider-bench'),
    provider: name,
  });
  const measured = new Map<Resolution, Measured>();
  for (const resolution of resolutions) measured.set(resolution, await runPasses(engine, resolution));
  await engine.close();
  return measured;
}

async function runPasses(engine: RemovalEngine, resolution: Resolution): Promise<Measured> {
  const mattes: Uint8Array[] = [];
  for (const photo of photos) {
    mattes.push((await engine.predictMatte(photo, { signal, resolution })).data);
  }
  const times: number[] = [];
  for (let n = 0; n < Number(values.passes); n++) {
    const begin = performance.now();
    await engine.predictMatte(photos[n % photos.length]!, { signal, resolution });
    times.push(performance.now() - begin);
  }
  return { mattes, ms: median(times) };
}

function describe(resolution: Resolution, cpu: Measured, other: Measured): string {
  const differences = cpu.mattes.map((matte, n) => compare(matte, other.mattes[n]!));
  const mean = differences.reduce((sum, each) => sum + each.mean, 0) / differences.length;
  const most = Math.max(...differences.map((each) => each.most));
  return `${resolution}: ${provider} ${other.ms.toFixed(0)} ms, cpu ${cpu.ms.toFixed(0)} ms (${(cpu.ms / other.ms).toFixed(1)} times as long); difference of the mattes, of 255 levels: mean ${mean.toFixed(3)}, maximum ${most}`;
}

function compare(one: Uint8Array, other: Uint8Array): { readonly mean: number; readonly most: number } {
  let sum = 0;
  let most = 0;
  for (let i = 0; i < one.length; i++) {
    const difference = Math.abs(one[i]! - other[i]!);
    sum += difference;
    most = Math.max(most, difference);
  }
  return { mean: sum / one.length, most };
}
