/**
 * `node bench/service-memory.ts DIR [--probe PHOTO] [--set NAME=VALUE] [--rest-s 60] [--json FILE]`: memory of the
 * whole service, and the time of the first cutout after the start and of the first one after a rest, which lasts
 * `--rest-s` seconds. `--set` adds variables to the service's environment.
 *
 * Memory is the proportional set size of the service's process tree: at its peak while the photos of the folder are cut
 * out one after another, at its peak under mixed calls, and after the rest. Times are from the start of the process, or
 * of the upload, until the client has the matte; all times are measured with the photo given as `--probe`.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import PQueue from 'p-queue';
import { readTreeMemory } from '../rig/process-tree.ts';
import { repeat } from '../rig/repeat.ts';
import { type OwnService, startService, stopService, unhurried, untilReady, white } from '../rig/service.ts';
import { openBareRuns } from './bare-runs.ts';
import { median } from './median.ts';

const SAMPLE_MS = 100;
const STARTS = 3;
const WARM_ROUNDS = 5;
const SIDE_BY_SIDE = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    probe: { type: 'string', default: fileURLToPath(new URL('../samples/chair-room.jpg', import.meta.url)) },
    set: { type: 'string', multiple: true, default: [] },
    'rest-s': { type: 'string', default: '60' },
    json: { type: 'string' },
  },
});
const folder = positionals[0];
if (folder === undefined) {
  console.error(
    'Usage: node bench/service-memory.ts DIR [--probe PHOTO] [--set NAME=VALUE] [--rest-s 60] [--json FILE]',
  );
  process.exit(2);
}
const names = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).toSorted();
const photos = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
const probe = await readFile(values.probe);
const dataDir = await mkdtemp(path.join(tmpdir(), 'packshot-bench-'));
const environment = {
  REMOVAL_ENGINE: 'isnet',
  LOG_LEVEL: 'error',
  ...unhurried,
  ...Object.fromEntries(values.set.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string])),
};

async function measureService() {
  const cold = await start();
  const veryFirst = await watchPeak(cold.child.pid!, () => untilReady(cold));
  await stopService(cold, 'SIGTERM');
  const bare = await openBareRuns(path.join(dataDir, 'models'));
  const firstMs: number[] = [];
  const bareMs: number[] = [];
  let service = await start();
  try {
    for (let round = 0; round < STARTS; round++) {
      await stopService(service, 'SIGTERM');
      bareMs.push(await bare.run());
      const startedAt = performance.now();
      service = await start();
      await cut(service, probe);
      firstMs.push(performance.now() - startedAt);
    }
    const { pid } = service.child;
    const onePhotoPeak = await watchPeak(pid!, () => cut(service, probe));
    const photosPeak = await watchPeak(pid!, async () => {
      for (const photo of photos) await cut(service, photo);
    });
    const mixedPeak = await watchPeak(pid!, () => callMixed(service));
    const warmMs: number[] = [];
    for (let round = 0; round < WARM_ROUNDS; round++) {
      bareMs.push(await bare.run());
      warmMs.push(await cut(service, probe));
    }
    const busy = await readTreeMemory(pid!);
    await sleep(Number(values['rest-s']) * 1_000);
    const resting = await readTreeMemory(pid!);
    const afterRestMs = await cut(service, probe);
    const againMs = await cut(service, probe);
    return {
      photos: photos.length,
      settings: values.set,
      bareMs: Math.round(median(bareMs)),
      firstOverBare: median(firstMs.map((ms, round) => ms / bareMs[round]!)),
      warmOverBare: median(warmMs) / median(bareMs),
      afterRestOverWarm: afterRestMs / median(warmMs),
      againOverWarm: againMs / median(warmMs),
      veryFirstStartPeak: veryFirst,
      onePhotoPeak,
      photosPeak,
      mixedPeak,
      busyMb: sumMb(busy),
      restingMb: sumMb(resting),
      busy: describe(busy),
      resting: describe(resting),
    };
  } finally {
    bare.end();
    await stopService(service, 'SIGTERM');
  }
}

interface Peak {
  readonly mb: number;
  readonly held: string;
}

type Sizes = Awaited<ReturnType<typeof readTreeMemory>>;

const inMb = (bytes: number): number => Math.round(bytes / 1e6);
const sumMb = (sizes: Sizes): number => inMb(sizes.reduce((sum, { bytes }) => sum + bytes, 0));
const describe = (sizes: Sizes): string =>
  sizes.map(({ name, bytes }) => `${name} ${inMb(bytes)}`).join(', ');

const start = (): Promise<OwnService> => startService(dataDir, environment, []);

/** Milliseconds from the start of the upload until the matte, the smallest response, is downloaded. */
async function cut(service: OwnService, photo: Buffer): Promise<number> {
  const startedAt = performance.now();
  const id = await service.upload(photo);
  const matte = await service.call(`/v1/design/${id}/matte.png`);
  if (!matte.ok && matte.status !== 422) throw new Error(await matte.text());
  await matte.arrayBuffer();
  const tookMs = performance.now() - startedAt;
  await service.call(`/v1/design/${id}`, { method: 'DELETE' });
  return tookMs;
}

/** For each photo: an upload, a preview, a full version and the cutout; for every third, also a scene's preview. */
async function callMixed(service: OwnService): Promise<void> {
  await new PQueue({ concurrency: SIDE_BY_SIDE }).addAll(
    photos.map((photo, index) => async () => {
      const id = await service.upload(photo);
      const draw = async (file: string, recipe: object) =>
        (await service.call(`/v1/design/${file}`, { json: { id, ...recipe } })).arrayBuffer();
      await draw('preview.webp', white);
      await draw('generated.jpeg', white);
      if (index % 3 === 0) {
        const asked = await service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO' } });
        const { suggestedRecipeLists = [] } = (await asked.json()) as Suggestions;
        const scene = suggestedRecipeLists.flatMap(({ recipes }) => recipes)[0];
        if (scene) await draw('preview.webp', scene);
      }
      await (await service.call(`/v1/design/${id}/cutout.webp`)).arrayBuffer();
    }),
  );
}

interface Suggestions {
  readonly suggestedRecipeLists?: readonly { readonly recipes: readonly object[] }[];
}

/** The largest size of the process tree while `work` runs, in MB, and what each process holds then. */
async function watchPeak(pid: number, work: () => Promise<unknown>): Promise<Peak> {
  let peak: Peak = { mb: 0, held: '' };
  const stopWatching = repeat(async () => {
    const sizes = await readTreeMemory(pid);
    const mb = sumMb(sizes);
    if (mb > peak.mb) peak = { mb, held: describe(sizes) };
    await sleep(SAMPLE_MS);
  });
  await work().finally(stopWatching);
  return peak;
}

try {
  const figures = await measureService();
  console.log(JSON.stringify(figures, null, 1));
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 1)}\n`);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
