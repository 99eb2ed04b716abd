import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canHold, holdChildren, untilImaging } from '../../rig/held-processes.ts';
import { endProcess, spawnService } from './process.ts';
import { cratePhoto, jsonOf, problemOf, white } from './service.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-cancelled-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const eventually = { timeout: 60_000, interval: 500 };

/** The path of the picture whose rendering is suspended, and then aborted. */
const slowest = '/v1/design/generated.avif';
const preview = '/v1/design/preview.webp';

describe.skipIf(!canHold)('a picture that is aborted during rendering', { timeout: 120_000 }, () => {
  it.each([
    ['by its deadline', '1500', false],
    ['by a caller who disconnects', '60000', true],
  ])('%s leaves the service and its imaging process usable', async (_, deadlineMs, leaves) => {
    const service = await spawnService(dataDir, { FULL_DEADLINE_MS: deadlineMs });
    try {
      const id = await service.upload(await cratePhoto());
      for (const recipeId of ['Solid1_1_0035', 'Solid1_1_0042', 'Solid1_1_0003']) {
        const json = { id, recipeId, variant: '1:1' };
        expect((await service.call(preview, { json: { id, ...white } })).status).toBe(200);
        const goOn = await holdChildren(service.child.pid!, 'imaging-worker');
        const caller = new AbortController();
        const slow = service.call(slowest, { json, signal: caller.signal });
        if (leaves) {
          await untilImaging(service, 1);
          goOn();
          caller.abort();
          await expect(slow).rejects.toThrow();
        } else {
          expect(await problemOf(await slow)).toMatchObject({ status: 504, code: 'deadline_exceeded' });
          goOn();
          // A picture that was begun is finished; the next calls get it.
          await expect.poll(async () => (await service.call(slowest, { json })).status, eventually).toBe(200);
        }
      }
      // If an abort had damaged the process, the effects would appear within a moment.
      await sleep(500);
      expect((await service.call(preview, { json: { id, ...white } })).status).toBe(200);
      expect((await jsonOf(service.call(`/v1/design/${id}`))).status).toBe('ready');
      expect(service.output()).not.toContain('CancellationError');
      expect(await endProcess(service.child, 'SIGTERM')).toBe(0);
    } finally {
      await endProcess(service.child, 'SIGKILL');
    }
  });
});
