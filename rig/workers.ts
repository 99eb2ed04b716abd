/**
 * Kills and suspends child processes while they work, and checks that the service replaces them. The processes are
 * found by name in /proc.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Tally } from './answers.ts';
import { makePhoto } from './photos.ts';
import { findChildren } from './process-tree.ts';
import { repeat } from './repeat.ts';
import type { Run } from './run.ts';
import { type OwnService, untilReady, white } from './service.ts';

const deadlineMs = 5_000;
/** The largest picture in the slowest format takes long enough to be interrupted. */
const slowPath = '/v1/design/generated.avif';

export async function checkWorkers(run: Run): Promise<void> {
  const service = await run.startOwn({
    RENDER_WORKERS: '1',
    DRAW_AHEAD: 'off',
    FULL_DEADLINE_MS: '60000',
    PREVIEW_DEADLINE_MS: String(deadlineMs),
  });
  await untilReady(service);
  const id = await service.upload(await makePhoto({ width: 1600, height: 1200 }));
  await service.call(`/v1/design/${id}?wait=true`);

  await checkKilledAtWork(run, service, id);
  await checkKilledCutouts(run, service);
  await checkStopped(run, service, id);
  await checkPoison(run, service, id);
}

const render = (service: OwnService, id: string, path = '/v1/design/preview.webp') =>
  service.call(path, { json: { id, ...white } }).then(async (response) => {
    await response.arrayBuffer();
    return response;
  });

async function signal(service: OwnService, script: string, name: NodeJS.Signals): Promise<number[]> {
  const pids = (await findChildren(service.child.pid!, script)).map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, name);
  return pids;
}

async function checkKilledAtWork(run: Run, service: OwnService, id: string): Promise<void> {
  const answers = new Tally();
  const rounds = run.full ? 10 : 2;
  for (let round = 0; round < rounds; round++) {
    const call = render(service, id, slowPath);
    await sleep(150 + 50 * round);
    await signal(service, 'imaging-worker', 'SIGKILL');
    answers.add((await call).status);
  }
  run.bar('renders whose process is killed', 'all 200', answers.toString(), answers.count(200) === rounds);
}

async function checkKilledCutouts(run: Run, service: OwnService): Promise<void> {
  const answers = new Tally();
  const rounds = run.full ? 10 : 2;
  for (let round = 0; round < rounds; round++) {
    // Of another size each time: a photo that is sent again gets the cutout that was made before.
    const id = await service.upload(await makePhoto({ width: 2400 + round, height: 1800 }));
    await sleep(30 * (round % 4));
    await signal(service, 'cutout-worker', 'SIGKILL');
    const response = await service.call(`/v1/design/${id}?wait=true`);
    answers.add(((await response.json()) as { status: string }).status);
  }
  run.bar(
    'cutouts whose process is killed once',
    'all ready',
    answers.toString(),
    answers.count('ready') === rounds,
  );
}

/** Suspends a process. A suspended process reacts only to SIGKILL, so this is the worst kind of hang. */
async function checkStopped(run: Run, service: OwnService, id: string): Promise<void> {
  const stopped = await signal(service, 'imaging-worker', 'SIGSTOP');
  const startedAt = performance.now();
  const { status } = await render(service, id);
  const tookMs = performance.now() - startedAt;
  run.bar('render whose process hangs', '200 or 504', status, status === 200 || status === 504);
  run.fullBar(
    '  within its deadline',
    `<= ${deadlineMs + 2_000} ms`,
    `${Math.round(tookMs)} ms`,
    tookMs <= deadlineMs + 2_000,
  );
  // Use a call with the longer deadline, because replacing the hung process takes a moment.
  const next = await render(service, id, '/v1/design/generated.jpeg');
  run.bar('  the next render', '200', next.status, next.status === 200);
  // The service lets a task run for 90 s, then gives the hung process time to exit, then sends SIGTERM, then SIGKILL.
  const patience = AbortSignal.timeout(150_000);
  const findLeft = async () =>
    (await findChildren(service.child.pid!, 'imaging-worker')).filter(({ pid }) => stopped.includes(pid));
  let left = await findLeft();
  while (left.length > 0 && !patience.aborted) {
    await sleep(100);
    left = await findLeft();
  }
  run.bar('  hung processes that are left', '0', left.length, left.length === 0);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
}

/**
 * A poison job: its process is killed on each attempt, as by a photo that crashes the decoder. The service must try
 * the job twice, and not a third time.
 */
async function checkPoison(run: Run, service: OwnService, id: string): Promise<void> {
  const stopKilling = repeat(async () => {
    await signal(service, 'cutout-worker', 'SIGKILL').catch(() => undefined);
    await sleep(20);
  });
  const poison = await service.upload(await makePhoto({ width: 2300, height: 1800 }));
  const response = await service.call(`/v1/design/${poison}?wait=true`);
  const { status } = (await response.json()) as { status: string };
  await stopKilling();
  run.bar('a photo that always kills its process', 'failed', status, status === 'failed');
  const refused = await render(service, poison);
  run.bar('  its renders', '422', refused.status, refused.status === 422);
  const next = await render(service, id, '/v1/design/generated.jpeg');
  run.bar('  renders of others', '200', next.status, next.status === 200);
}
