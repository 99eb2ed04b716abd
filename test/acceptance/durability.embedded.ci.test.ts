import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { canHold, holdChildren, untilImaging } from '../../rig/held-processes.ts';
import { holdRemover } from './held-remover.ts';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { cratePhoto, formWith, white } from './service.ts';

let dataDir: string;
let running: ServiceProcess | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-durability-'));
});
afterEach(async () => {
  if (running) await endProcess(running.child, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (environment?: Record<string, string>) => {
  running = await spawnService(dataDir, environment);
  return running;
};

describe('a process that is killed at any moment', () => {
  it('loses no acknowledged upload, even one whose cutout was running', async () => {
    const acknowledged: string[] = [];
    const photo = await cratePhoto();
    const remover = await holdRemover();
    try {
      // Kill the process after two and seven uploads in total, while other uploads are in progress.
      for (const [round, least] of [2, 7].entries()) {
        const service = await start(remover.environment);
        const uploads = Array.from({ length: 6 }, async () => {
          for (;;) acknowledged.push(await service.upload(photo));
        });
        const settled = Promise.allSettled(uploads);
        const enough = () => expect(acknowledged.length).toBeGreaterThanOrEqual(least);
        await vi.waitFor(enough, { timeout: 40_000, interval: 5 });
        await remover.asked(round + 1);
        await endProcess(service.child, 'SIGKILL');
        await settled;
      }
      remover.release();
      const survivor = await start(remover.environment);
      for (const id of acknowledged) {
        const response = await survivor.call('/v1/design/preview.webp', { json: { id, ...white } });
        expect(response.status, id).toBe(200);
      }
      // Cutouts of uploads that were accepted but not acknowledged may still be written.
      await vi.waitFor(async () => expect(await readdir(join(dataDir, 'tmp'))).toEqual([]), 20_000);
    } finally {
      remover.close();
    }
  });

  it('returns the same bytes after the restart', async () => {
    const first = await start();
    const id = await first.upload(await cratePhoto());
    const render = async (service: ServiceProcess) =>
      Buffer.from(
        await (await service.call('/v1/design/generated.jpeg', { json: { id, ...white } })).arrayBuffer(),
      );
    const before = await render(first);
    await endProcess(first.child, 'SIGKILL');
    expect((await render(await start())).equals(before)).toBe(true);
  });
});

describe('a process that receives SIGTERM', () => {
  it.skipIf(!canHold)('finishes running work, refuses new work, and exits with 0', async () => {
    const service = await start();
    const id = await service.upload(await cratePhoto());
    await service.call(`/v1/design/${id}?wait=true`);
    const goOn = await holdChildren(service.child.pid!, 'imaging-worker');
    // Equal pictures would be one drawing.
    const renders = Array.from({ length: 8 }, (_, i) =>
      service
        .call('/v1/design/generated.jpeg', {
          json: { id, ...white, mutations: { layout: { margin: 0.1 + i / 100 } } },
        })
        .then(async (response) => {
          await response.arrayBuffer();
          return response.status;
        }),
    );
    await untilImaging(service, 8);
    const code = endProcess(service.child, 'SIGTERM');
    await untilStopping(service);
    goOn();
    expect(await Promise.all(renders)).toEqual(Array(8).fill(200));
    expect(await code).toBe(0);
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
  });
});

/** Resolves once the service refuses new calls. */
const untilStopping = ({ url }: ServiceProcess) =>
  vi.waitFor(
    async () => {
      const refused = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
        ({ status }) => status === 503,
        () => true,
      );
      expect(refused).toBe(true);
    },
    { timeout: 20_000, interval: 20 },
  );

describe('a data folder', () => {
  it('is served by one process at a time', async () => {
    const first = await start();
    await expect(spawnService(dataDir)).rejects.toThrow(/Another Packshot process is using this data folder/);
    expect((await first.call('/healthz')).status).toBe(200);
  });

  it('gets a first key, printed once with curl commands for the whole flow', async () => {
    const first = await start({ BOOTSTRAP_API_KEY: '' });
    const key = /KEY=(psk_live_\w+)/.exec(first.output())?.[1];
    expect(key).toBeDefined();
    const response = await fetch(`${first.url}/v1/design/image-upload`, {
      method: 'POST',
      headers: { 'x-api-key': key! },
      body: formWith(await cratePhoto()),
    });
    expect(response.status).toBe(200);
    expect(first.output()).toContain('/v1/design/generated.jpeg');
    await endProcess(first.child, 'SIGTERM');
    const second = await start({ BOOTSTRAP_API_KEY: '' });
    expect(second.output()).not.toContain('psk_live_');
    // The key is in no log line either.
    expect(first.output().split(key!).length).toBe(2);
  });

  it('is not served with invalid variables, and the error names each of them', async () => {
    await expect(spawnService(dataDir, { PORT: 'http', REMOVAL_ENGINE: 'magic' })).rejects.toThrow(
      /PORT[\s\S]*REMOVAL_ENGINE/,
    );
    await expect(spawnService(dataDir, { DATABASE_URL: 'postgres://x' })).rejects.toThrow(/DATABASE_URL/);
  });
});
