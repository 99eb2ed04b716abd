/**
 * Bad requests, forms and pictures for every endpoint: each must get one of the statuses expected for it, every error
 * must be well-formed, and the service must keep working.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findProblemFault, Tally } from './answers.ts';
import { listFileCases } from './corpus-files.ts';
import { type Case, listRequestCases } from './corpus-requests.ts';
import { probeWire } from './corpus-wire.ts';
import { makePhoto } from './photos.ts';
import { inMB, readTreeMemory } from './process-tree.ts';
import { timeRepeatedly } from './repeat.ts';
import type { Run } from './run.ts';
import { type Client, type OwnService, unhurried, untilReady, white } from './service.ts';

/** Maximum tries of a case that gets 429: enough at the usual rate limits of a remote service. */
const triesWhenLimited = 40;
const uploadPath = '/v1/design/image-upload ';

export async function checkCorpus(run: Run): Promise<void> {
  const service = await run.start({ ...unhurried, DRAW_AHEAD: 'off' });
  await untilReady(service);
  const id = await service.upload(await makePhoto());
  await service.call(`/v1/design/${id}?wait=true`);

  const memory = watchMemory(service);
  const stopProbe = timeRepeatedly(() => fetch(`${service.url}/healthz`), 200);
  const all = [...listRequestCases(id), ...(await listFileCases(run.full))];
  // The short run takes every third case, spread across endpoints and kinds.
  const cases = run.full ? all : all.filter((_, index) => index % 3 === 0);
  const codes = new Tally();
  const faults: string[] = [];
  for (const one of cases) {
    const fault = await findFault(service, one, codes);
    if (fault) faults.push(`${one.name}: ${fault}`);
    await memory.look();
  }
  run.bar('cases', '>= 300', cases.length, cases.length >= 300);
  run.bar(
    'cases with an expected response',
    'all',
    told(cases.length - faults.length, faults),
    faults.length === 0,
  );
  run.bar('different error codes', '>= 12', codes.toString(), codes.size >= 12);

  const wireFaults = await probeWire(service.url, service.key);
  run.bar('bytes that are not HTTP', '4xx or closed', told(0, wireFaults), wireFaults.length === 0);

  const still = await service.call('/v1/design/preview.webp', {
    json: { id, recipeId: 'Solid1_1_0035', variant: '1:1' },
  });
  run.bar('a render after all cases', '200', still.status, still.status === 200);
  const beats = await stopProbe();
  const slowest = Math.round(Math.max(...beats));
  run.fullBar(
    'liveness probe, slowest',
    '<= 3 s',
    `${slowest} ms, of ${beats.length} probes`,
    slowest <= 3_000,
  );
  if (memory.pid !== undefined) {
    const { growth, peak } = memory;
    run.bar('memory, largest growth in a case', '<= 700 MB', inMB(growth), growth <= 700e6);
    run.bar('memory, peak', '<= 1.6 GB', `${inMB(peak)}: ${memory.parts}`, peak <= 1.6e9);
  }
}

const told = (right: number, faults: readonly string[]): string =>
  faults.length === 0
    ? `${right || 'all'} right`
    : `${faults.length} wrong: ${faults.slice(0, 12).join(' | ')}`;

async function findFault(service: Client, one: Case, codes: Tally): Promise<string | undefined> {
  let response = await one.send(service);
  for (let tries = 1; response.status === 429 && !one.allowed.includes(429); tries++) {
    if (tries === triesWhenLimited) return `still rate-limited after ${tries} tries`;
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
    response = await one.send(service);
  }
  if (response.status < 400) {
    const body = Buffer.from(await response.arrayBuffer());
    if (!one.allowed.includes(response.status)) return `accepted with ${response.status}`;
    return one.name.startsWith(uploadPath) ? findRenderFault(service, body) : undefined;
  }
  const { status } = response;
  const fault = await findProblemFault(response, (code) => codes.add(code));
  return fault ?? (one.allowed.includes(status) ? undefined : `${status}, not ${one.allowed.join(' or ')}`);
}

/** Describes the failed render of an accepted photo; undefined if it succeeds or fails with `no_subject_found`. */
async function findRenderFault(service: Client, body: Buffer): Promise<string | undefined> {
  const { id } = JSON.parse(body.toString()) as { id: string };
  const response = await service.call('/v1/design/preview.webp', { json: { id, ...white } });
  if (response.status === 200) {
    await response.arrayBuffer();
    return undefined;
  }
  const { code } = (await response.json()) as { code?: string };
  return code === 'no_subject_found' ? undefined : `accepted, but not rendered: ${response.status} ${code}`;
}

function watchMemory({ child }: Partial<OwnService>) {
  const watched = { pid: child?.pid, last: 0, growth: 0, peak: 0, parts: '', look };
  async function look(): Promise<void> {
    if (watched.pid === undefined) return;
    const processes = await readTreeMemory(watched.pid);
    const now = processes.reduce((sum, { bytes }) => sum + bytes, 0);
    if (watched.last > 0) watched.growth = Math.max(watched.growth, now - watched.last);
    if (now > watched.peak) {
      watched.peak = now;
      watched.parts = processes.map(({ name, bytes }) => `${name} ${inMB(bytes)}`).join(', ');
    }
    watched.last = now;
  }
  return watched;
}
