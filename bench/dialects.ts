/**
 * Compares a call of `/v1.0/removebg` with the two calls of our own API for the same photo, upload and
 * `GET cutout.png`, alternating between the two APIs.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, formWith, stopService } from '../rig/service.ts';
import { type BenchRequest, cutOut, erase, startReady } from './cutout-bench.ts';
import { median } from './median.ts';

export interface DialectBench extends Pick<BenchRequest, 'photo' | 'settings' | 'rounds'> {
  readonly sizes: readonly {
    readonly size: string;
    readonly twoCallsMs: number;
    readonly oneCallMs: number;
    /** Median over the rounds of the time of the one call divided by the time of the two calls. */
    readonly ratio: number;
  }[];
}

const sizes = ['auto', 'preview'] as const;

export async function benchDialects({
  photo,
  settings,
  rounds,
  warmUp,
}: BenchRequest): Promise<DialectBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-bench-'));
  const service = await startReady(dataDir, settings);
  try {
    const bytes = await readFile(photo);
    const measured = [];
    for (const size of sizes) {
      const pairs: { two: number; one: number }[] = [];
      for (let round = 0; round < rounds + warmUp; round++) {
        // Alternate the order, so that neither API profits from caches that the other API filled.
        const first = round % 2 === 0;
        const one = first ? await callOnce(service, bytes, size) : 0;
        const two = await callTwice(service, bytes);
        const pair = { two, one: first ? one : await callOnce(service, bytes, size) };
        if (round >= warmUp) pairs.push(pair);
      }
      measured.push({
        size,
        twoCallsMs: median(pairs.map(({ two }) => two)),
        oneCallMs: median(pairs.map(({ one }) => one)),
        ratio: median(pairs.map(({ one, two }) => one / two)),
      });
    }
    return { photo, settings, rounds, sizes: measured };
  } finally {
    await stopService(service, 'SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function callTwice(service: Client, photo: Buffer): Promise<number> {
  const { id, ms } = await cutOut(service, photo, 'cutout.png');
  // Delete the design, because `/v1.0/removebg` deletes its own, too.
  await erase(service, id);
  return ms;
}

async function callOnce(service: Client, photo: Buffer, size: string): Promise<number> {
  const startedAt = performance.now();
  const body = formWith(photo, 'image_file');
  body.append('size', size);
  body.append('format', 'png');
  const response = await service.call('/v1.0/removebg', { method: 'POST', body });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
  return performance.now() - startedAt;
}
