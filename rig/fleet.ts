/**
 * Two api processes and two workers on one PostgreSQL and one S3, while processes are killed and servers fail
 * and recover.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type FaultyProxy, startFaultyProxy } from '../src/storage/testing/faulty-proxy.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../src/storage/testing/postgres-server.ts';
import { startS3 } from '../src/storage/testing/s3-server.ts';
import { makeStores } from '../src/storage/testing/scaled-stores.ts';
import { findProblemFault, Tally } from './answers.ts';
import { distance, makePhoto, type Rgb, readMiddle, spreadColors, toHex } from './photos.ts';
import type { Run } from './run.ts';
import { type Client, type OwnService, stopService, unhurried, untilReady, white } from './service.ts';

const colors = spreadColors(24);
const patient = {
  MAX_WAITING_CUTOUTS: '100000',
  MAX_WAITING_RENDERS: '100000',
  RENDER_WORKERS: '1',
  DRAW_AHEAD: 'off',
  LOG_LEVEL: 'info',
};
const recoveredWithinMs = 10_000;

interface Fleet {
  readonly apis: OwnService[];
  readonly workers: OwnService[];
  readonly postgres: PostgresServer;
  /** The proxy between the service and S3. */
  readonly s3: FaultyProxy;
  startMember(role: 'api' | 'worker'): Promise<OwnService>;
}

/** Requests during a fault, and their outcomes. */
interface Traffic {
  /** Pause in milliseconds after each call: longer in a short run, when other tests need the processor, too. */
  readonly pauseMs: number;
  readonly acknowledged: Map<string, Rgb>;
  readonly wrong: Tally;
}

export async function checkFleet(run: Run): Promise<void> {
  const server = await startS3();
  if (findPostgres() === undefined || !server) {
    await server?.stop();
    run.skip('all of it', 'the server programs of PostgreSQL or Swift are missing');
    return;
  }
  const postgres = await startPostgres();
  const { hostname: host, port } = new URL(server.endpoint);
  const s3 = await startFaultyProxy({ host, port: Number(port) });
  try {
    const stores = await makeStores(postgres, server, `http://127.0.0.1:${s3.port}`);
    const startMember = async (ROLE: 'api' | 'worker') => {
      const member = await run.startOwn({ ...patient, ...(!run.full && unhurried), ...stores, ROLE });
      await untilReady(member);
      return member;
    };
    const apis = [await startMember('api'), await startMember('api')];
    const workers = [await startMember('worker'), await startMember('worker')];
    const fleet = { apis, workers, postgres, s3, startMember };
    await checkJoins(run, fleet);
    await checkFaults(run, fleet);
  } finally {
    await run.close();
    await s3.close();
    await postgres.stop();
    await server.stop();
  }
}

/**
 * When a picture of the same new design is requested from both api processes at once, exactly one cutout must be made,
 * by one worker.
 */
async function checkJoins(run: Run, { apis, workers }: Fleet): Promise<void> {
  const ids: string[] = [];
  const answers = new Tally();
  for (const color of colors.slice(0, run.full ? 24 : 6)) {
    const photo = await makePhoto({ color: toHex(color), width: 1200, height: 900 });
    const id = await apis[ids.length % 2]!.upload(photo);
    ids.push(id);
    const asked = [...apis, ...apis].map((api) =>
      api.call('/v1/design/preview.png', { json: { id, ...white } }),
    );
    for (const response of await Promise.all(asked)) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      const isRight = response.ok && distance(await readMiddle(bytes), color) <= 30;
      answers.add(isRight ? 'right' : response.status);
    }
  }
  const all = ids.length * 4;
  run.bar(
    'one new design requested from both api processes',
    'all right',
    answers.toString(),
    answers.count('right') === all,
  );
  const cuts = ids.map((id) => workers.reduce((sum, worker) => sum + countCuts(worker, id), 0));
  const twice = cuts.filter((count) => count !== 1).length;
  run.bar('cutouts made once', `${ids.length}`, ids.length - twice, twice === 0);
}

const countCuts = (worker: OwnService, id: string): number =>
  worker
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"cutout"') && line.includes(id)).length;

async function checkFaults(run: Run, fleet: Fleet): Promise<void> {
  const { apis, workers, postgres, s3, startMember } = fleet;
  const replace = async (members: OwnService[], role: 'api' | 'worker') => {
    const victim = members.shift()!;
    await stopService(victim, 'SIGKILL');
    await sleep(1_000);
    return async () => void members.push(await startMember(role));
  };
  const faults: Record<string, () => Promise<() => Promise<void>>> = {
    'a worker killed': () => replace(workers, 'worker'),
    'an api process killed': () => replace(apis, 'api'),
    async 'PostgreSQL crashed'() {
      await postgres.halt('immediate');
      await sleep(2_000);
      return () => postgres.start();
    },
    async 'PostgreSQL restarted'() {
      await postgres.halt('fast');
      return () => postgres.start();
    },
    async 'S3 stalled'() {
      s3.stall();
      await sleep(7_000);
      return () => s3.pass();
    },
    async 'S3 gone'() {
      await s3.refuse();
      await sleep(3_000);
      return () => s3.pass();
    },
    async 'S3 flapping'() {
      s3.flap(400);
      await sleep(4_000);
      return () => s3.pass();
    },
  };
  const traffic: Traffic = { pauseMs: run.full ? 10 : 400, acknowledged: new Map(), wrong: new Tally() };
  for (let round = 0; round < (run.full ? 5 : 1); round++) {
    for (const [what, begin] of Object.entries(faults)) {
      const stop = startTraffic(fleet, traffic);
      await sleep(700);
      const end = await begin();
      await end();
      const endedAt = performance.now();
      await stop();
      await Promise.all(apis.map((api) => untilServed(api)));
      const tookMs = Math.round(performance.now() - endedAt);
      run.fullBar(
        `${what}: until both api processes return a picture of a new photo`,
        '<= 10 s',
        `${tookMs} ms`,
        tookMs <= recoveredWithinMs,
      );
    }
  }
  const { acknowledged, wrong } = traffic;
  run.bar('wrong responses meanwhile', 'none', wrong.toString(), wrong.size === 0);
  const lost = new Tally();
  await new PQueue({ concurrency: 4 }).addAll(
    [...acknowledged].map(([id, color], index) => async () => {
      const fault = await findPictureFault(apis[index % 2]!, id, color);
      if (fault) lost.add(fault);
    }),
  );
  run.bar('acknowledged uploads', '> 0', acknowledged.size, acknowledged.size > 0);
  run.bar('lost or broken at the end', '0', lost.toString(), lost.size === 0);
  const left = await countJobs(apis[0]!);
  run.bar('jobs left at the end', '0', left, left === 0);
}

/** Uploads and renders on the current api processes; the returned function stops the traffic. */
function startTraffic({ apis }: Fleet, { pauseMs, acknowledged, wrong }: Traffic): () => Promise<void> {
  let ended = false;
  let next = 0;
  const judge = async (response: Response) => {
    if (response.ok) return;
    const fault = await findProblemFault(response);
    const isActionable = [429, 503, 504, 507].includes(response.status);
    if (fault ?? !isActionable) wrong.add(fault ?? response.status);
  };
  const loop = async (step: (api: Client) => Promise<void>) => {
    while (!ended) {
      // A killed process does not answer; a client retries at the next one.
      await step(apis[next++ % apis.length]!).catch(() => sleep(20));
      await sleep(pauseMs);
    }
  };
  const upload = async (api: Client) => {
    const color = colors[next % colors.length]!;
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await makePhoto({ color: toHex(color) }))]), 'photo.jpg');
    const response = await api.call('/v1/design/image-upload', { method: 'POST', body: form });
    if (response.ok) acknowledged.set(((await response.json()) as { id: string }).id, color);
    else await judge(response);
  };
  const render = async (api: Client) => {
    const id = [...acknowledged.keys()].at(-1);
    if (id === undefined) return;
    const response = await api.call('/v1/design/preview.webp', { json: { id, ...white } });
    if (response.ok) await response.arrayBuffer();
    else await judge(response);
  };
  const loops = [loop(upload), loop(upload), loop(render), loop(render)];
  return async () => {
    ended = true;
    await Promise.all(loops);
  };
}

/** Resolves once a new photo has been uploaded and rendered. */
async function untilServed(api: Client): Promise<void> {
  const photo = await makePhoto({ color: '#2040a0', width: 400, height: 300 });
  for (;;) {
    try {
      const id = await api.upload(photo);
      const response = await api.call('/v1/design/preview.webp', { json: { id, ...white } });
      await response.arrayBuffer();
      if (response.ok) return;
    } catch {
      // The request was refused temporarily; try again.
    }
    await sleep(50);
  }
}

async function findPictureFault(api: Client, id: string, color: Rgb): Promise<string | undefined> {
  const response = await api.call('/v1/design/preview.png', { json: { id, ...white } });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) return String(response.status);
  return distance(await readMiddle(bytes), color) <= 30 ? undefined : 'wrong picture';
}

/** The number of jobs in the service's metrics, once the queue has had a moment to drain. */
async function countJobs(api: Client): Promise<number> {
  for (let tries = 0; ; tries++) {
    const text = await (await api.call('/metrics')).text();
    const counts = [...text.matchAll(/^packshot_jobs\{[^}]*\} (\d+)/gm)].map(([, count]) => Number(count));
    const left = counts.reduce((sum, count) => sum + count, 0);
    if ((left === 0 && counts.length > 0) || tries === 40) return left;
    await sleep(250);
  }
}
