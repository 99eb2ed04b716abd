/**
 * Upload to cutout against the bare model run on a tensor of the same size, the two in turn; and what the whole
 * process tree takes of memory and of time to be ready.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface CutoutBench {
  readonly photo: string;
  readonly rounds: number;
  readonly bareMs: number;
  /** From the upload's first byte until the cutout is stored and the design says ready, over HTTP. */
  readonly uploadToCutoutMs: number;
  /** Median over the rounds of ours / bare in the same round. */
  readonly ratio: number;
  readonly steps: Readonly<Record<string, number>>;
  /** Highest resident memory of each process of the tree, added up, in MB. */
  readonly peakTreeMb: number;
  readonly peakMainMb: number;
  readonly coldReadyMs: number;
  readonly warmReadyMs: number;
}

const rounds = 9;
const warmUp = 2;
const root = fileURLToPath(new URL('../', import.meta.url));
const key = 'a-key-for-the-benchmark-only';

export async function benchCutout(photo: string): Promise<CutoutBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-bench-'));
  const cold = await startService(dataDir);
  await stop(cold.child);
  const service = await startService(dataDir);
  const bare = fork(join(root, 'bench/bare-session.ts'), [join(dataDir, 'models')], { stdio: 'inherit' });
  try {
    await once(bare, 'message');
    const bytes = await readFile(photo);
    const pairs: { bareMs: number; oursMs: number; steps: Record<string, number> }[] = [];
    for (let round = 0; round < rounds + warmUp; round++) {
      bare.send('run');
      const [bareMs] = (await once(bare, 'message')) as [number];
      const ours = await uploadAndWait(service.url, bytes);
      if (round >= warmUp) pairs.push({ bareMs, ...ours });
    }
    const memory = await peakMemory(service.child.pid!);
    return {
      photo,
      rounds,
      bareMs: median(pairs.map((pair) => pair.bareMs)),
      uploadToCutoutMs: median(pairs.map((pair) => pair.oursMs)),
      ratio: median(pairs.map((pair) => pair.oursMs / pair.bareMs)),
      steps: Object.fromEntries(
        Object.keys(pairs[0]!.steps).map((step) => [
          step,
          median(pairs.map((pair) => pair.steps[step] ?? 0)),
        ]),
      ),
      ...memory,
      coldReadyMs: cold.readyMs,
      warmReadyMs: service.readyMs,
    };
  } finally {
    bare.kill();
    await stop(service.child);
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startService(dataDir: string) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['bin/packshot.js', 'serve'], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      BOOTSTRAP_API_KEY: key,
      LOG_LEVEL: 'warn',
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
  // The matte is the smallest thing to ask for; its timings are those of the cut that this call joins.
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

/** Linux only: elsewhere the kernel keeps no such record, and the figures are 0. */
async function peakMemory(pid: number): Promise<{ peakTreeMb: number; peakMainMb: number }> {
  const peakOf = async (each: number) => {
    const status = await readFile(`/proc/${each}/status`, 'utf8').catch(() => '');
    return {
      parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0),
      mb: Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024,
    };
  };
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  const main = await peakOf(pid);
  let peakTreeMb = main.mb;
  for (const each of pids) {
    const { parent, mb } = await peakOf(each);
    if (parent === pid) peakTreeMb += mb;
  }
  return { peakTreeMb, peakMainMb: main.mb };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
