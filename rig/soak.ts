/** Load at 150% of capacity for a quarter of an hour: the service must refuse the excess and keep what it accepted. */
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { findProblemFault, isPutOff, Tally } from './answers.ts';
import { distance, makePhoto, type Rgb, readMiddle, spreadColors, toHex } from './photos.ts';
import { inMB, readTreeBytes } from './process-tree.ts';
import type { Run } from './run.ts';
import { type Client, formWith, untilReady, white } from './service.ts';

const colors = spreadColors(12);
const overload = 1.5;
/** Maximum open calls; with more, the client would be the bottleneck. */
const mostOpen = 400;
/** Such a short queue fills within seconds, so that calls are refused in the short run, too. */
const shortQueue = { MAX_WAITING_CUTOUTS: '8' };

export async function checkSoak(run: Run): Promise<void> {
  const service = await run.start({ DRAW_AHEAD: 'off', ...(!run.full && shortQueue) });
  await untilReady(service);
  const acknowledged = new Map<string, Rgb>();
  const rendered = new Set<string>();
  const answers = new Tally();
  const faults = new Tally();
  let open = 0;
  let heldBack = 0;

  async function callOnce(index: number): Promise<boolean> {
    const color = colors[index % colors.length]!;
    const body = formWith(await makePhoto({ color: toHex(color), width: 640, height: 480 }));
    const id = await take(
      await service.call('/v1/design/image-upload', { method: 'POST', body }),
      async (response) => ((await response.json()) as { id: string }).id,
    );
    if (!id) return false;
    acknowledged.set(id, color);
    const picture = await take(
      await service.call('/v1/design/preview.webp', { json: { id, ...white } }),
      (response) => response.arrayBuffer(),
    );
    if (picture === undefined) return false;
    rendered.add(id);
    return true;
  }
  async function take<T>(
    response: Response,
    read: (response: Response) => Promise<T>,
  ): Promise<T | undefined> {
    answers.add(response.status);
    if (response.status === 200) return read(response);
    const orderly = isPutOff(response) || response.status === 504;
    const fault = await findProblemFault(response);
    if (fault || !orderly) faults.add(fault ?? response.status);
    return undefined;
  }

  const capacity = await measureCapacity(callOnce, run.full ? 20_000 : 1_000);
  const forMs = run.full ? 900_000 : 5_000;
  const pauseMs = 1_000 / (capacity * overload);
  const startedAt = performance.now();
  const memory = [await readMemory(service)];
  for (let sent = 0; performance.now() - startedAt < forMs; sent++) {
    await sleep(Math.max(0, startedAt + sent * pauseMs - performance.now()));
    if (sent % Math.ceil(15_000 / pauseMs) === 0) memory.push(await readMemory(service));
    if (open >= mostOpen) {
      heldBack++;
      continue;
    }
    open++;
    callOnce(sent)
      .catch((error: unknown) => faults.add(error instanceof Error ? error.message : 'connection lost'))
      .finally(() => open--);
  }
  while (open > 0) await sleep(50);
  reportLoad(run, { forMs, capacity, answers, faults, heldBack });
  // Request a picture of each design that has none yet, and another picture of 300 designs that already have one.
  const again = [...rendered].slice(0, 300);
  const owed = [...acknowledged.keys()].filter((id) => !rendered.has(id));
  const lost = await countLost(service, [...owed, ...again], acknowledged);
  run.bar(
    'acknowledged uploads that render at the end',
    'all',
    `${acknowledged.size - lost} of ${acknowledged.size}, ${owed.length} of them for the first time`,
    lost === 0,
  );
  reportMemory(run, memory);
}

interface Load {
  readonly forMs: number;
  readonly capacity: number;
  readonly answers: Tally;
  readonly faults: Tally;
  readonly heldBack: number;
}

function reportLoad(run: Run, { forMs, capacity, answers, faults, heldBack }: Load): void {
  run.bar(
    'length',
    run.full ? '15 min' : '5 s',
    `${Math.round(forMs / 1_000)} s at ${(capacity * overload).toFixed(1)} uploads with preview a second, capacity ${capacity.toFixed(1)}`,
    true,
  );
  run.bar(
    'answers',
    '200, or 429, 503, 504 with Retry-After',
    [answers, `${faults} faults`, `${heldBack} not sent`].join('; '),
    faults.size === 0,
  );
}

function reportMemory(run: Run, memory: readonly number[]): void {
  if (memory[0]! > 0)
    run.fullBar(
      'memory at the start, at most, and at the end',
      'none',
      [memory[0]!, Math.max(...memory), memory.at(-1)!].map(inMB).join(', '),
      true,
    );
}

const readMemory = async (service: Client & { child?: { pid?: number | undefined } }): Promise<number> =>
  service.child?.pid === undefined ? 0 : readTreeBytes(service.child.pid);

/** Returns the calls per second of eight clients that each wait for one response before the next call. */
async function measureCapacity(
  callOnce: (index: number) => Promise<boolean>,
  forMs: number,
): Promise<number> {
  await callOnce(0);
  const startedAt = performance.now();
  let done = 0;
  const client = async (_: unknown, index: number) => {
    while (performance.now() - startedAt < forMs) if (await callOnce(index)) done++;
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return (1_000 * Math.max(1, done)) / (performance.now() - startedAt);
}

async function countLost(
  service: Client,
  ids: readonly string[],
  colorOf: ReadonlyMap<string, Rgb>,
): Promise<number> {
  let lost = 0;
  await new PQueue({ concurrency: 4 }).addAll(
    ids.map((id) => async () => {
      for (let tries = 0; tries < 60; tries++) {
        const response = await service.call('/v1/design/preview.png', { json: { id, ...white } });
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (response.status === 200) {
          if (distance(await readMiddle(bytes), colorOf.get(id)!) > 30) lost++;
          return;
        }
        if (!isPutOff(response) && response.status !== 504) break;
        await sleep(1_000);
      }
      lost++;
    }),
  );
  return lost;
}
