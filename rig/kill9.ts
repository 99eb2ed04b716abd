/** Repeated SIGKILL during uploads and renders: every acknowledged photo must still exist and render. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { Tally } from './answers.ts';
import { distance, makePhoto, type Rgb, readMiddle, spreadColors, toHex } from './photos.ts';
import { findTree } from './process-tree.ts';
import type { Run } from './run.ts';
import { type OwnService, program, stopService, untilReady, white } from './service.ts';

const colors = spreadColors(24);
/** Maximum time in ms for which the last round waits for further acknowledged uploads. */
const patienceMs = 120_000;
/** Settings with higher queue limits, because these limits have their own tests. */
const patient = {
  MAX_WAITING_CUTOUTS: '100000',
  MAX_WAITING_RENDERS: '100000',
  PREVIEW_DEADLINE_MS: '600000',
  DRAW_AHEAD: 'off',
};

export async function checkKill9(run: Run): Promise<void> {
  const dataDir = await run.newFolder();
  const acknowledged = new Map<string, Rgb>();
  const startsMs: number[] = [];
  const leastRounds = run.full ? 50 : 3;
  const least = run.full ? 1_000 : 10;
  let rounds = 0;
  for (; rounds < leastRounds; rounds++) {
    const service = await run.startOwn(patient, { dataDir });
    startsMs.push(service.startMs);
    // On a slow machine, the last round continues until enough photos have been acknowledged.
    const until = rounds === leastRounds - 1 ? least : 0;
    await runRound(service, acknowledged, { forMs: 300 + Math.random() * 1_200, until });
  }
  const survivor = await run.startOwn(patient, { dataDir });
  startsMs.push(survivor.startMs);
  const lost = new Tally();
  await new PQueue({ concurrency: 4 }).addAll(
    [...acknowledged].map(([id, color]) => async () => {
      const fault = await findPictureFault(survivor, id, color);
      if (fault) lost.add(fault);
    }),
  );
  const slowest = Math.round(Math.max(...startsMs));
  run.bar('rounds', `>= ${leastRounds}`, rounds, rounds >= leastRounds);
  run.bar('acknowledged uploads', `>= ${least}`, acknowledged.size, acknowledged.size >= least);
  run.bar('lost or broken after the last restart', '0', lost.toString(), lost.size === 0);
  run.fullBar('restart to the first answer, slowest', '<= 15 s', `${slowest} ms`, slowest <= 15_000);
  const held = survivor.output().includes('"level":50');
  run.bar('errors in the log of the last start', 'none', held ? 'some' : 'none', !held);
  await stopService(survivor, 'SIGTERM');
  await checkSyncs(run);
}

async function runRound(
  service: OwnService,
  acknowledged: Map<string, Rgb>,
  { forMs, until }: { readonly forMs: number; readonly until: number },
): Promise<void> {
  let killed = false;
  const loop = async (step: () => Promise<void>) => {
    while (!killed) await step().catch(() => sleep(1));
  };
  let next = Math.floor(Math.random() * colors.length);
  const upload = async () => {
    const color = colors[next++ % colors.length]!;
    // Some photos are so large that their cutouts are unfinished when the service is killed.
    const size = next % 7 === 0 ? { width: 1600, height: 1200 } : {};
    acknowledged.set(await service.upload(await makePhoto({ color: toHex(color), ...size })), color);
  };
  const render = async () => {
    const ids = [...acknowledged.keys()];
    const id = ids[Math.floor(Math.random() * ids.length)];
    if (!id) return sleep(5);
    const response = await service.call('/v1/design/preview.webp', { json: { id, ...white } });
    await response.arrayBuffer();
  };
  const loops = [...Array.from({ length: 6 }, () => loop(upload)), loop(render), loop(render)];
  const endsAt = performance.now() + patienceMs;
  await sleep(forMs);
  while (acknowledged.size < until && performance.now() < endsAt) await sleep(20);
  await stopService(service, 'SIGKILL');
  killed = true;
  await Promise.all(loops);
}

async function findPictureFault(service: OwnService, id: string, color: Rgb): Promise<string | undefined> {
  const response = await service.call('/v1/design/preview.png', { json: { id, ...white } });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) return String(response.status);
  return distance(await readMiddle(bytes), color) <= 30 ? undefined : 'wrong picture';
}

/** Counts the fsync calls during uploads, using strace. */
async function checkSyncs(run: Run): Promise<void> {
  const what = 'fsync for each acknowledged upload';
  if (spawnSync('strace', ['-f', '-e', 'trace=fsync', 'true'], { stdio: 'ignore' }).status !== 0) {
    run.skip(what, 'strace is missing, or is not permitted to trace');
    return;
  }
  const log = join(await run.newFolder(), 'syncs');
  const service = await run.startOwn(
    {},
    { through: ['strace', '-f', '-qq', '-e', 'trace=fsync,fdatasync', '-o', log] },
  );
  await untilReady(service);
  const countSyncs = async () =>
    (await readFile(log, 'utf8')).split('\n').filter((line) => / f(?:data)?sync\(/.test(line)).length;
  const before = await countSyncs();
  const uploads = 10;
  for (let index = 0; index < uploads; index++) await service.upload(await makePhoto());
  const perUpload = ((await countSyncs()) - before) / uploads;
  run.bar(what, '>= 1', perUpload, perUpload >= 1);
  // strace does not forward signals, so stop the service itself.
  for (const { pid, command } of await findTree(service.child.pid!)) {
    if (command.includes(program)) execFileSync('kill', ['-9', String(pid)]);
  }
}
