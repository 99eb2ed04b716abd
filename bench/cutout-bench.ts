/**
 * Compares the time from upload to cutout with the time of one run of the bare model at 1024 px, alternating between
 * the two. Also measures the memory of the process tree and the startup time.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readTreeBytes } from '../rig/process-tree.ts';
import { repeat } from '../rig/repeat.ts';
import { type Client, startService, stopService, untilReady } from '../rig/service.ts';
import { median } from './median.ts';

export interface BenchRequest {
  readonly photo: string;
  /** Environment variables of the service under test. */
  readonly settings: Readonly<Record<string, string>>;
  readonly rounds: number;
  /** Number of warm-up rounds, whose times are not used. */
  readonly warmUp: number;
}

export interface CutoutBench {
  readonly photo: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly rounds: number;
  /**
   * Milliseconds from the start of a service until it is ready, plus the time of its first cutout. An earlier start has
   * already made the optimized copy of the network.
   */
  readonly firstResultMs: number;
  /** Time until four concurrent uploads are all cut out, divided by four times the time of a single one. */
  readonly fourAtOnceRatio: number;
  readonly bareMs: number;
  /** Milliseconds from the start of the upload until the client has received the matte, over HTTP. */
  readonly uploadToCutoutMs: number;
  /** Median over the rounds of `uploadToCutoutMs` divided by `bareMs`. */
  readonly ratio: number;
  readonly steps: Readonly<Record<string, number>>;
  /** Peak proportional set size of the service and its children, in MB. */
  readonly peakTreeMb: number;
  readonly coldReadyMs: number;
  readonly warmReadyMs: number;
}

const root = fileURLToPath(new URL('../', import.meta.url));

export async function benchCutout({ photo, settings, rounds, warmUp }: BenchRequest): Promise<CutoutBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-bench-'));
  const cold = await startReady(dataDir, settings);
  await stopService(cold, 'SIGTERM');
  const service = await startReady(dataDir, settings);
  const bare = fork(join(root, 'bench/bare-session.ts'), [join(dataDir, 'models')], { stdio: 'inherit' });
  const peakOf = watchMemory(service.child.pid!);
  try {
    await once(bare, 'message');
    const bytes = await readFile(photo);
    const firstResultMs = service.readyMs + (await cutAndErase(service, bytes)).oursMs;
    const pairs: { bareMs: number; oursMs: number; steps: Record<string, number> }[] = [];
    for (let round = 0; round < rounds + warmUp; round++) {
      bare.send('run');
      const [bareMs] = (await once(bare, 'message')) as [number];
      const ours = await cutAndErase(service, bytes);
      if (round >= warmUp) pairs.push({ bareMs, ...ours });
    }
    const oneMs = median(pairs.map((pair) => pair.oursMs));
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 4 }, () => cutAndErase(service, bytes)));
    const fourAtOnceRatio = (performance.now() - startedAt) / (4 * oneMs);
    return {
      photo,
      settings,
      rounds,
      firstResultMs,
      fourAtOnceRatio,
      bareMs: median(pairs.map((pair) => pair.bareMs)),
      uploadToCutoutMs: median(pairs.map((pair) => pair.oursMs)),
      ratio: median(pairs.map((pair) => pair.oursMs / pair.bareMs)),
      steps: Object.fromEntries(
        Object.keys(pairs[0]!.steps).map((step) => [
          step,
          median(pairs.map((pair) => pair.steps[step] ?? 0)),
        ]),
      ),
      peakTreeMb: await peakOf(),
      coldReadyMs: cold.readyMs,
      warmReadyMs: service.readyMs,
    };
  } finally {
    bare.kill();
    await stopService(service, 'SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Starts a service with the neural engine, and waits until it is ready. */
export async function startReady(dataDir: string, settings: Readonly<Record<string, string>>) {
  const startedAt = performance.now();
  const service = await startService(
    dataDir,
    { REMOVAL_ENGINE: 'isnet', LOG_LEVEL: 'error', ...settings },
    [],
  );
  await untilReady(service);
  return { ...service, readyMs: performance.now() - startedAt };
}

/** Uploads a photo and downloads `file` of its design, which waits for the cutout. */
export async function cutOut(service: Client, photo: Buffer, file: 'matte.png' | 'cutout.png') {
  const startedAt = performance.now();
  const id = await service.upload(photo);
  const uploadMs = performance.now() - startedAt;
  const answer = await service.call(`/v1/design/${id}/${file}`);
  if (!answer.ok) throw new Error(await answer.text());
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { id, bytes, uploadMs, ms: performance.now() - startedAt, headers: answer.headers };
}

export async function erase(service: Client, id: string): Promise<void> {
  await service.call(`/v1/design/${id}`, { method: 'DELETE' });
}

async function cutAndErase(service: Client, photo: Buffer) {
  // The matte is the smallest response; its timings are those of the cutout that this call waits for.
  const { id, ms: oursMs, uploadMs, headers } = await cutOut(service, photo, 'matte.png');
  const steps: Record<string, number> = { upload: uploadMs };
  const timings = (headers.get('server-timing') ?? '').matchAll(/([\w-]+);dur=([\d.]+)/g);
  for (const [, step = '', ms = ''] of timings) steps[step] = Number(ms);
  await erase(service, id);
  return { oursMs, steps };
}

/** The returned function ends the watch, and resolves to the largest size of the process tree in MB. */
function watchMemory(pid: number): () => Promise<number> {
  let peak = 0;
  const stopWatching = repeat(async () => {
    peak = Math.max(peak, await readTreeBytes(pid));
    await sleep(50);
  });
  return async () => {
    await stopWatching();
    return peak / 1024 ** 2;
  };
}
