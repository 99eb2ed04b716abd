/** Noisy neighbor: one key makes one attack after the other; another account's calls must stay nearly as fast. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { percentile } from './answers.ts';
import { makePhoto } from './photos.ts';
import type { Run } from './run.ts';
import { formWith, type OwnService, stopService, unhurried, untilReady, white } from './service.ts';
import { makeKey } from './tenants.ts';
import { attacks } from './worst-neighbour.ts';

/** The default rate limits, which the rig raises for its other checks. */
const usual = { RATE_PER_SECOND: '10', RATE_BURST: '20', MAX_IN_FLIGHT: '8' };
const mostRatio = 1.5;
/** Minimum ms between the starts of two rounds of four calls; at this rate, the calls stay below the rate limit. */
const roundMs = 500;
/** Time in ms in which the attack can fill every queue before the first round. */
const headStartMs = 2_000;

const steps = ['upload', 'first preview', 'preview', 'full version'] as const;
type Times = Record<(typeof steps)[number], number[]>;

interface Timed {
  readonly times: Times;
  /** Calls that were not answered with 200. */
  readonly refused: readonly string[];
}

export async function checkNeighbours(run: Run): Promise<void> {
  const start = async () => {
    const service = await run.startOwn({ ...usual, ...(!run.full && { ...unhurried, DRAW_AHEAD: 'off' }) });
    await untilReady(service);
    return { service, victimKey: await makeKey(service) };
  };
  const rounds = run.full ? 7 : 1;
  let shared = await start();
  const first = await timeRounds(shared.service, shared.victimKey, 1);
  const wanted = attacks.filter(
    ({ name }) => run.only.length === 0 || run.only.some((part) => name.includes(part)),
  );
  for (const { name, settings } of wanted) {
    // Start a new service, so that what is left of one attack does not affect the next.
    if (run.full) {
      await stopService(shared.service, 'SIGKILL');
      shared = await start();
      await timeRounds(shared.service, shared.victimKey, 2);
    }
    const attack = await prepareAttack(shared.service, name, run.full ? settings.full : settings.short);
    await checkAttack(run, { name, attack }, { ...shared, rounds, first });
  }
}

interface Victim {
  readonly service: OwnService;
  readonly victimKey: string;
  readonly rounds: number;
  /** Times of a round before all attacks. The short run compares the times during each attack with these. */
  readonly first: Timed;
}

async function prepareAttack({ url, key }: OwnService, name: string, size: number) {
  const program = fileURLToPath(new URL('./attacker.ts', import.meta.url));
  const attacker = fork(program, [name, String(size), url, key]);
  // Real attackers call from other machines. At a lower priority, the attacker's own process takes hardly any processor
  // time from the service. So the check measures mainly the load that its calls cause.
  setPriority(attacker.pid!, constants.priority.PRIORITY_BELOW_NORMAL);
  const ended = once(attacker, 'exit').then(([code]) => {
    throw new Error(`the attack ended with ${code}`);
  });
  ended.catch(() => undefined);
  const hear = async () => (await Promise.race([once(attacker, 'message'), ended]))[0];
  await hear();
  return {
    begin: () => void attacker.send('begin'),
    /** Resolves once all started calls have ended. */
    async stop(): Promise<{ answers: string; errors500: number }> {
      const heard = hear();
      attacker.send('stop');
      return heard;
    },
  };
}

interface NamedAttack {
  readonly name: string;
  readonly attack: Awaited<ReturnType<typeof prepareAttack>>;
}

async function checkAttack(
  run: Run,
  { name, attack }: NamedAttack,
  { service, victimKey, rounds, first }: Victim,
): Promise<void> {
  const before = run.full ? await timeRounds(service, victimKey, rounds) : first;
  attack.begin();
  await sleep(run.full ? headStartMs : 300);
  const during = await timeRounds(service, victimKey, rounds);
  const greedy = await attack.stop();
  // On a noisy machine, a measurement before and one after the attack are a better baseline than one alone.
  const after = run.full ? await timeAfter(service, victimKey, rounds) : before;
  const refused = [before, during, after].flatMap(({ refused }) => refused);
  run.bar(
    `${name}: the other account's calls`,
    'all answered with 200',
    refused.join(', ') || 'all 200',
    refused.length === 0,
  );
  run.bar(`${name}: answers to the attacking key`, 'no 500', greedy.answers, greedy.errors500 === 0);
  for (const step of steps) {
    const [alone, beside] = [[...before.times[step], ...after.times[step]], during.times[step]].map((times) =>
      percentile(times, 0.5),
    ) as [number, number];
    const ratio = beside / alone;
    run.fullBar(
      `${name}: ${step}`,
      `<= ${mostRatio} times the undisturbed median`,
      `${ratio.toFixed(2)} (${Math.round(alone)} ms, then ${Math.round(beside)} ms)`,
      ratio <= mostRatio,
    );
  }
}

/** Waits until the attack's remaining work is done, then measures. */
async function timeAfter(service: OwnService, key: string, rounds: number) {
  for (let calm = 0, tries = 0; calm < 3 && tries < 60; tries++) {
    calm = (await readBusy(service)) === 0 ? calm + 1 : 0;
    await sleep(500);
  }
  return timeRounds(service, key, rounds);
}

/** Number of running and waiting tasks and jobs. */
async function readBusy(service: OwnService): Promise<number> {
  const text = await (await service.call('/metrics')).text();
  const values = [...text.matchAll(/^packshot_(?:pool_busy|pool_waiting|jobs)\S* (\d+)$/gm)].map(
    ([, value]) => Number(value),
  );
  return values.reduce((sum, value) => sum + value, 0);
}

async function timeRounds(service: OwnService, key: string, rounds: number): Promise<Timed> {
  const times: Times = { upload: [], 'first preview': [], preview: [], 'full version': [] };
  const refused: string[] = [];
  async function time(step: keyof Times, call: () => Promise<Response>): Promise<Response> {
    const startedAt = performance.now();
    const response = await call();
    const bytes = await response.arrayBuffer();
    times[step].push(performance.now() - startedAt);
    if (response.status !== 200) refused.push(`${step}: ${response.status} ${Buffer.from(bytes)}`);
    return new Response(bytes, response);
  }
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    const photo = await makePhoto({ width: 1_600, height: 1_200 });
    const uploaded = await time('upload', () =>
      service.call('/v1/design/image-upload', { method: 'POST', body: formWith(photo), key }),
    );
    const { id } = (await uploaded.json()) as { id?: string };
    const render = (path: string) => () =>
      service.call(`/v1/design/${path}`, { json: { id, ...white }, key });
    // The first preview waits for the cutout, which has its own queue.
    await time('first preview', render('preview.webp'));
    await time('preview', render('preview.webp'));
    await time('full version', render('generated.jpeg'));
    await sleep(Math.max(0, roundMs - (performance.now() - startedAt)));
  }
  return { times, refused };
}
