/**
 * Compares the time from upload to cutout with the time of the bare model on a tensor of the same size, alternating
 * between the two. Also measures the memory of the process tree and the startup time.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
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
  /** Milliseconds from the start of a process with a cached graph to its first stored cutout. */
  readonly firstResultMs: number;
  /** Time until four concurrent uploads are all cut out, divided by four times the time of a single one. */
  readonly fourAtOnceRatio: number;
  readonly bareMs: number;
  /** Milliseconds from the upload's first byte until the cutout is stored and the design is ready, over HTTP. */
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
export const key = 'a-key-for-the-benchmark-only';

export async function benchCutout({ photo, settings, rounds, warmUp }: BenchRequest): Promise<CutoutBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-bench-'));
  const cold = await startService(dataDir, settings);
  await stop(cold.child);
  const service = await startService(dataDir, settings);
  const bare = fork(join(root, 'bench/bare-session.ts'), [join(dataDir, 'models')], { stdio: 'inherit' });
  const peakOf = watchMemory(service.child.pid!);
  try {
    await once(bare, 'message');
    const bytes = await readFile(photo);
    const firstResultMs = service.readyMs + (await uploadAndWait(service.url, bytes)).oursMs;
    const pairs: { bareMs: number; oursMs: number; steps: Record<string, number> }[] = [];
    for (let round = 0; round < rounds + warmUp; round++) {
      bare.send('run');
      const [bareMs] = (await once(bare, 'message')) as [number];
      const ours = await uploadAndWait(service.url, bytes);
      if (round >= warmUp) pairs.push({ bareMs, ...ours });
    }
    const oneMs = median(pairs.map((pair) => pair.oursMs));
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 4 }, () => uploadAndWait(service.url, bytes)));
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
    await stop(service.child);
    await rm(dataDir, { recursive: true, force: true });
  }
}

export async function startService(dataDir: string, settings: Readonly<Record<string, string>>) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['bin/packshot.js', 'serve'], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      BOOTSTRAP_API_KEY: key,
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  for (;;) {
    const url = /listens on (http:\/\/[^\s;]+)/.exec(said)?.[1];
    if (url && (await fetch(`${url}/readyz`)).ok)
      return { child, url, readyMs: performance.now() - startedAt };
    if (child.exitCode !== null) throw new Error(said);
    await sleep(10);
  }
}

async function uploadAndWait(url: string, photo: Buffer) {
  const headers = { 'x-api-key': key };
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(photo)]), 'photo.jpg');
  const startedAt = performance.now();
  const upload = await fetch(`${url}/v1/design/image-upload`, { method: 'POST', headers, body: form });
  if (!upload.ok) throw new Error(await upload.text());
  const { id } = (await upload.json()) as { id: string };
  const uploadedAt = performance.now();
  // The matte is the smallest response; its timings are those of the cutout that this call waits for.
  const matte = await fetch(`${url}/v1/design/${id}/matte.png`, { headers });
  if (!matte.ok) throw new Error(await matte.text());
  await matte.arrayBuffer();
  const oursMs = performance.now() - startedAt;
  const steps: Record<string, number> = { upload: uploadedAt - startedAt };
  for (const [, step = '', ms = ''] of (matte.headers.get('server-timing') ?? '').matchAll(
    /([\w-]+);dur=([\d.]+)/g,
  )) {
    steps[step] = Number(ms);
  }
  await fetch(`${url}/v1/design/${id}`, { method: 'DELETE', headers });
  return { oursMs, steps };
}

/**
 * Samples the proportional set size of a process and its children, which counts shared pages once. The size is 0 on
 * systems other than Linux.
 */
function watchMemory(pid: number) {
  let peakMb = 0;
  let watching = true;
  const done = (async () => {
    while (watching) {
      const tree = [pid, ...(await childrenOf(pid))];
      const sizes = await Promise.all(tree.map(measureMb));
      peakMb = Math.max(
        peakMb,
        sizes.reduce((sum, size) => sum + size, 0),
      );
      await sleep(50);
    }
  })();
  return async () => {
    watching = false;
    await done;
    return peakMb;
  };
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text
    .split(' ')
    .filter((each) => each !== '')
    .map(Number);
}

async function measureMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}

export async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
