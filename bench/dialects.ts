/**
 * Compares a call of `/v1.0/removebg` with the two calls of our own API for the same photo, upload and
 * `GET cutout.png`, alternating between the two APIs.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRequest, key, startService, stop } from './cutout-bench.ts';
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
const headers = { 'x-api-key': key };

export async function benchDialects({
  photo,
  settings,
  rounds,
  warmUp,
}: BenchRequest): Promise<DialectBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-bench-'));
  const service = await startService(dataDir, settings);
  try {
    const bytes = await readFile(photo);
    const measured = [];
    for (const size of sizes) {
      const pairs: { two: number; one: number }[] = [];
      for (let round = 0; round < rounds + warmUp; round++) {
        // Alternate the order, so that neither API profits from caches that the other API filled.
        const first = round % 2 === 0;
        const one = first ? await callOnce(service.url, bytes, size) : 0;
        const two = await callTwice(service.url, bytes);
        const pair = { two, one: first ? one : await callOnce(service.url, bytes, size) };
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
    await stop(service.child);
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function callTwice(url: string, photo: Buffer): Promise<number> {
  const startedAt = performance.now();
  const upload = await fetch(`${url}/v1/design/image-upload`, {
    method: 'POST',
    headers,
    body: formOf({ file: photo }),
  });
  const { id } = (await upload.json()) as { id: string };
  const cutout = await fetch(`${url}/v1/design/${id}/cutout.png`, { headers });
  if (!cutout.ok) throw new Error(await cutout.text());
  await cutout.arrayBuffer();
  const tookMs = performance.now() - startedAt;
  // Delete the design, because `/v1.0/removebg` deletes its own, too.
  await fetch(`${url}/v1/design/${id}`, { method: 'DELETE', headers });
  return tookMs;
}

async function callOnce(url: string, photo: Buffer, size: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/v1.0/removebg`, {
    method: 'POST',
    headers,
    body: formOf({ image_file: photo, size, format: 'png' }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
  return performance.now() - startedAt;
}

function formOf(fields: Readonly<Record<string, Buffer | string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'photo.jpg');
  }
  return form;
}
