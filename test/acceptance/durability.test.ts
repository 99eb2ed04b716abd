import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
  it('loses no acknowledged upload, also none whose cutout was running', async () => {
    const acknowledged: string[] = [];
    const photo = await cratePhoto({ width: 2400, height: 1800 });
    for (const delayMs of [150, 400, 700]) {
      const service = await start();
      const uploads = Array.from({ length: 6 }, async () => {
        for (;;) acknowledged.push(await service.upload(photo));
      });
      const settled = Promise.allSettled(uploads);
      await sleep(delayMs);
      await endProcess(service.child, 'SIGKILL');
      await settled;
    }
    expect(acknowledged.length).toBeGreaterThan(0);

    const survivor = await start({ PREVIEW_DEADLINE_MS: '60000' });
    for (const id of acknowledged) {
      const response = await survivor.call('/v1/design/preview.webp', { json: { id, ...white } });
      expect(response.status, id).toBe(200);
    }
    expect(await readdir(join(dataDir, 'tmp'))).toEqual([]);
  });

  it('answers the same bytes after the restart', async () => {
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

describe('a process that is told to stop', () => {
  it('finishes what runs, refuses what is new, and exits with 0', async () => {
    const service = await start();
    const id = await service.upload(await cratePhoto({ width: 2400, height: 1800 }));
    const renders = Array.from({ length: 8 }, () =>
      service.call('/v1/design/generated.jpeg', { json: { id, ...white } }).then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      }),
    );
    await sleep(150);
    const code = endProcess(service.child, 'SIGTERM');
    expect(await Promise.all(renders)).toEqual(Array(8).fill(200));
    expect(await code).toBe(0);
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
  });
});

describe('a data folder', () => {
  it('is served by one process at a time', async () => {
    const first = await start();
    await expect(spawnService(dataDir)).rejects.toThrow(/Another Packshot is serving this data folder/);
    expect((await first.call('/healthz')).status).toBe(200);
  });

  it('gets a first key that is printed once with a curl of the whole flow', async () => {
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
    // Never in a log line either.
    expect(first.output().split(key!).length).toBe(2);
  });

  it('stops the start with a line for each variable that does not fit', async () => {
    await expect(spawnService(dataDir, { PORT: 'http', REMOVAL_ENGINE: 'magic' })).rejects.toThrow(
      /PORT[\s\S]*REMOVAL_ENGINE/,
    );
    await expect(spawnService(dataDir, { DATABASE_URL: 'postgres://x' })).rejects.toThrow(/SQLite only/);
  });
});
