/** Cost of a studio picture: CPU time and memory, two threads compared with one, and eight concurrent previews. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Composition } from '../packages/studio/src/scene-plan.ts';
import { findScene } from './find-scene.ts';
import { median } from './median.ts';
import type { SceneCost, SceneTask } from './scene-session.ts';

export interface SceneBenchRow {
  readonly name: string;
  /** CPU seconds of a process's first picture, during which the process still compiles its code. */
  readonly firstCpuS: number;
  /** CPU seconds of later pictures, median. */
  readonly cpuS: number;
  readonly peakMb: number;
  /**
   * `wall` and `cpu`: wall time and CPU time with two threads, divided by those with one thread. Each number of threads
   * has its own process, and the two processes take turns. `peakMb`: peak memory with two threads.
   */
  readonly twoThreads: { readonly wall: number; readonly cpu: number; readonly peakMb: number };
}

export interface SceneBench {
  readonly rows: readonly SceneBenchRow[];
  /**
   * Time for eight previews spread over one process per core, divided by the time for eight previews one after
   * another in a single one-thread process. Measured with one thread per process, and with one thread per core
   * in each process.
   */
  readonly eightAtOnce: { readonly oneThread: number; readonly allThreads: number };
}

interface BenchedSet {
  readonly name: Composition | 'place';
  /** For sets that are planned only on request. */
  readonly prompt?: string;
}

/** A plain set, a set with many thin leaves, a set with mirrors, and a real place. */
const sets: readonly BenchedSet[] = [
  { name: 'podium' },
  { name: 'garden', prompt: 'garden' },
  { name: 'arch', prompt: 'mirror, gold arch' },
  { name: 'place' },
];
const sizes = [
  { name: 'preview 512 px', longEdgePx: 512, quality: 'preview', rounds: 5 },
  { name: 'full 1600 px', longEdgePx: 1600, quality: 'full', rounds: 2 },
] as const;
const AT_ONCE = 8;

export async function benchScenes(): Promise<SceneBench> {
  const scenes = sets.map(({ name, prompt }) =>
    findScene((plan) => (plan.place === undefined ? plan.composition : 'place') === name, prompt),
  );
  const rows: SceneBenchRow[] = [];
  for (const { name, rounds, ...size } of sizes) {
    for (const [i, scene] of scenes.entries()) {
      const costs = await benchOne({ ...size, scene, threads: 1 }, rounds);
      rows.push({ name: `${name}, ${sets[i]!.name}`, ...costs });
    }
  }
  const preview: SceneTask = { ...sizes[0], scene: scenes[0]!, threads: 1 };
  const cores = availableParallelism();
  const alone = await renderEight(preview, 1);
  return {
    rows,
    eightAtOnce: {
      oneThread: (await renderEight(preview, cores)) / alone,
      allThreads: (await renderEight({ ...preview, threads: cores }, cores)) / alone,
    },
  };
}

async function benchOne(task: SceneTask, rounds: number): Promise<Omit<SceneBenchRow, 'name'>> {
  const [one, two] = [await startSession(), await startSession()];
  try {
    const first = await render(one, task);
    await render(two, { ...task, threads: 2 });
    const pairs: { one: SceneCost; two: SceneCost }[] = [];
    for (let round = 0; round < rounds; round++) {
      pairs.push({ one: await render(one, task), two: await render(two, { ...task, threads: 2 }) });
    }
    return {
      firstCpuS: first.cpuS,
      cpuS: median(pairs.map((pair) => pair.one.cpuS)),
      peakMb: pairs.at(-1)!.one.peakMb,
      twoThreads: {
        wall: median(pairs.map((pair) => pair.two.wallMs / pair.one.wallMs)),
        cpu: median(pairs.map((pair) => pair.two.cpuS / pair.one.cpuS)),
        peakMb: pairs.at(-1)!.two.peakMb,
      },
    };
  } finally {
    one.kill();
    two.kill();
  }
}

/** Milliseconds until eight pictures are done, from warm processes that share a queue. */
async function renderEight(task: SceneTask, processes: number): Promise<number> {
  const sessions = await Promise.all(Array.from({ length: processes }, startSession));
  try {
    await Promise.all(sessions.map((session) => render(session, task)));
    let left = AT_ONCE;
    const startedAt = performance.now();
    await Promise.all(
      sessions.map(async (session) => {
        while (left-- > 0) await render(session, task);
      }),
    );
    return performance.now() - startedAt;
  } finally {
    for (const session of sessions) session.kill();
  }
}

async function startSession(): Promise<ChildProcess> {
  const session = fork(fileURLToPath(new URL('./scene-session.ts', import.meta.url)), { stdio: 'inherit' });
  await once(session, 'message');
  return session;
}

async function render(session: ChildProcess, task: SceneTask): Promise<SceneCost> {
  session.send(task);
  const [cost] = (await once(session, 'message')) as [SceneCost];
  return cost;
}
