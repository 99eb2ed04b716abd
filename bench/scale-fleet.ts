/** Measures the service in several deployments: latency, throughput and cost of cutouts, and latency of pictures. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findTree } from '../rig/process-tree.ts';
import { openRun, type Run } from '../rig/run.ts';
import { type Client, type OwnService, untilReady, white } from '../rig/service.ts';
import { median } from './median.ts';

/** Settings for a machine with two cores: no single process may use both cores. */
const frugal = {
  RENDER_WORKERS: '1',
  REMOVAL_THREADS: '1',
  REMOVAL_QUALITY: 'fast',
  DRAW_AHEAD: 'off',
  MAX_WAITING_CUTOUTS: '10000',
  LOG_LEVEL: 'warn',
};

export interface Stores {
  /** Returns the settings for a new database and a new bucket each time. */
  make(): Promise<Record<string, string>>;
}

interface Fleet {
  readonly apis: readonly OwnService[];
  readonly workers: readonly OwnService[];
}

async function startFleet(
  run: Run,
  settings: Record<string, string>,
  apis: number,
  workers: number,
): Promise<Fleet> {
  const start = async (ROLE: string) => {
    const service = await run.startOwn({ ...frugal, ...settings, ROLE });
    await untilReady(service);
    return service;
  };
  const fleet = { apis: [] as OwnService[], workers: [] as OwnService[] };
  for (let index = 0; index < workers; index++) fleet.workers.push(await start('worker'));
  for (let index = 0; index < apis; index++) fleet.apis.push(await start('api'));
  return fleet;
}

const newRun = () => openRun({ full: true, only: [], elsewhere: undefined, onBar: () => undefined });

/** Milliseconds from the upload until the cutout is ready. Throws if it fails. */
async function cutOut(client: Client, photo: Buffer): Promise<number> {
  const startedAt = performance.now();
  const id = await client.upload(photo);
  const response = await client.call(`/v1/design/${id}?wait=true`);
  const { status } = (await response.json()) as { status: string };
  if (status !== 'ready') throw new Error(`a cutout ended as ${status}`);
  return performance.now() - startedAt;
}

export interface LatencyBench {
  readonly setting: string;
  readonly medianMs: number;
  /** Median over the rounds: the latency minus that of one process with SQLite and a folder in the same round. */
  readonly addedMs: number;
}

/** Measures the latency of cutouts with one photo at a time, alternating between settings. */
export async function benchLatency(
  stores: Stores,
  photo: Buffer,
  { engine, rounds }: { readonly engine: string; readonly rounds: number },
): Promise<LatencyBench[]> {
  const run = newRun();
  try {
    const settings = { REMOVAL_ENGINE: engine };
    const embedded = await run.startOwn({ ...frugal, ...settings });
    await untilReady(embedded);
    const { BLOB_STORE: _, ...rowsOnly } = await stores.make();
    const oneProcess = await run.startOwn({ ...frugal, ...settings, ...rowsOnly });
    await untilReady(oneProcess);
    const fleet = await startFleet(run, { ...settings, ...(await stores.make()) }, 1, 1);
    const clients: [string, Client][] = [
      ['SQLite and a folder, one process', embedded],
      ['PostgreSQL and a folder, one process', oneProcess],
      ['PostgreSQL and S3, one api and one worker', fleet.apis[0]!],
    ];
    const times = clients.map((): number[] => []);
    for (let round = -2; round < rounds; round++) {
      for (const [index, [, client]] of clients.entries()) {
        const ms = await cutOut(client, photo);
        if (round >= 0) times[index]!.push(ms);
      }
    }
    return clients.map(([setting], index) => ({
      setting,
      medianMs: median(times[index]!),
      addedMs: median(times[index]!.map((ms, round) => ms - times[0]![round]!)),
    }));
  } finally {
    await run.close();
  }
}

export interface ThroughputBench {
  readonly apis: number;
  readonly workers: number;
  readonly photosPerS: number;
  /** CPU seconds of the api processes per photo. */
  readonly apiCpuS: number;
  readonly workerCpuS: number;
  /** Database transactions per photo. */
  readonly transactions: number;
}

/**
 * Uploads a fixed number of photos as fast as they are accepted, round-robin over the api processes, and
 * measures until the last cutout is made.
 */
export async function benchThroughput(
  stores: Stores,
  photo: Buffer,
  { engine, apis, workers, photos }: { engine: string; apis: number; workers: number; photos: number },
): Promise<ThroughputBench> {
  const run = newRun();
  try {
    const made = await stores.make();
    const fleet = await startFleet(run, { REMOVAL_ENGINE: engine, ...made }, apis, workers);
    for (const api of fleet.apis) await cutOut(api, photo);
    const all = () =>
      Promise.all([sumCpuS(fleet.apis), sumCpuS(fleet.workers), countCommits(made.DATABASE_URL!)]);
    const [apiBefore, workerBefore, commitsBefore] = await all();
    const startedAt = performance.now();
    let next = 0;
    const ids: [Client, string][] = [];
    const loop = async () => {
      while (next < photos) {
        const api = fleet.apis[next++ % apis]!;
        ids.push([api, await uploadPatiently(api, photo)]);
      }
    };
    await Promise.all(Array.from({ length: 6 }, loop));
    for (const [api, id] of ids) await untilCut(api, id);
    const seconds = (performance.now() - startedAt) / 1000;
    const [apiAfter, workerAfter, commitsAfter] = await all();
    return {
      apis,
      workers,
      photosPerS: photos / seconds,
      apiCpuS: (apiAfter - apiBefore) / photos,
      workerCpuS: (workerAfter - workerBefore) / photos,
      transactions: (commitsAfter - commitsBefore) / photos,
    };
  } finally {
    await run.close();
  }
}

/** Uploads a photo, and retries while the queue is full, as clients should. */
async function uploadPatiently(api: Client, photo: Buffer): Promise<string> {
  for (;;) {
    try {
      return await api.upload(photo);
    } catch (error) {
      if (!String(error).includes('queue_full')) throw error;
      await sleep(100);
    }
  }
}

async function untilCut(api: Client, id: string): Promise<void> {
  for (;;) {
    const response = await api.call(`/v1/design/${id}?wait=true`);
    const { status } = (await response.json()) as { status?: string };
    if (status === 'ready') return;
    if (status === 'failed') throw new Error(`${id} failed`);
    await sleep(20);
  }
}

export interface PictureBench {
  readonly picture: string;
  readonly embeddedMs: number;
  readonly fleetMs: number;
  readonly apiCpuS: number;
  readonly workerCpuS: number;
}

/** Compares two times for the same pictures: rendered in one process, and by a worker for an api process. */
export async function benchPictures(stores: Stores, photo: Buffer, rounds: number): Promise<PictureBench[]> {
  const run = newRun();
  try {
    const settings = { REMOVAL_ENGINE: 'keyer' };
    const embedded = await run.startOwn({ ...frugal, ...settings });
    await untilReady(embedded);
    const fleet = await startFleet(run, { ...settings, ...(await stores.make()) }, 1, 1);
    const results: PictureBench[] = [];
    for (const file of ['preview.webp', 'generated.jpeg']) {
      const clients = [embedded, fleet.apis[0]!] as const;
      const ids = await Promise.all(clients.map((client) => client.upload(photo)));
      const draw = async (index: 0 | 1, round: number): Promise<number> => {
        const body = { id: ids[index], ...white, mutations: { layout: { scale: 0.5 + (round + 2) / 1000 } } };
        const startedAt = performance.now();
        const response = await clients[index].call(`/v1/design/${file}`, { json: body });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${file}: ${response.status}`);
        return performance.now() - startedAt;
      };
      for (const round of [-2, -1]) for (const index of [0, 1] as const) await draw(index, round);
      const [apiBefore, workerBefore] = [await sumCpuS(fleet.apis), await sumCpuS(fleet.workers)];
      const times: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        for (const index of [0, 1] as const) times[index].push(await draw(index, round));
      }
      results.push({
        picture: file,
        embeddedMs: median(times[0]),
        fleetMs: median(times[1]),
        apiCpuS: ((await sumCpuS(fleet.apis)) - apiBefore) / rounds,
        workerCpuS: ((await sumCpuS(fleet.workers)) - workerBefore) / rounds,
      });
    }
    return results;
  } finally {
    await run.close();
  }
}

/**
 * CPU seconds of the services and all their children, user and system time together. The kernel reports both in
 * hundredths of a second (proc(5), fields 14 and 15).
 */
async function sumCpuS(services: readonly OwnService[]): Promise<number> {
  let ticks = 0;
  for (const { child } of services) {
    for (const { pid } of await findTree(child.pid!)) {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
    }
  }
  return ticks / 100;
}

async function countCommits(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // PostgreSQL's backends report their statistics at most once a second.
  await sleep(1_500);
  try {
    const { rows } = await client.query(
      'select xact_commit as count from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0].count);
  } finally {
    await client.end();
  }
}
