import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endProcess, spawnService } from './process.ts';
import { cratePhoto, jsonOf, problemOf, white } from './service.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-cancelled-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** The slowest picture that there is: drawing it takes several times as long as the tests wait. */
const slowest = '/v1/design/generated.avif';
const preview = '/v1/design/preview.webp';

describe('a picture that is stopped while it is drawn', () => {
  it.each([
    ['by its deadline', '100', undefined],
    ['by its caller, who leaves', '25000', 100],
  ])('%s, leaves the service and its process to the next one', async (_, deadlineMs, leaveAfterMs) => {
    const service = await spawnService(dataDir, { FULL_DEADLINE_MS: deadlineMs });
    try {
      const id = await service.upload(await cratePhoto({ width: 2000, height: 2000 }));
      expect((await service.call(preview, { json: { id, ...white } })).status).toBe(200);
      for (let i = 0; i < 3; i++) {
        const signal = leaveAfterMs === undefined ? {} : { signal: AbortSignal.timeout(leaveAfterMs) };
        const slow = service.call(slowest, { json: { id, ...white }, ...signal });
        if (leaveAfterMs !== undefined) await expect(slow).rejects.toThrow();
        else expect(await problemOf(await slow)).toMatchObject({ status: 504, code: 'deadline_exceeded' });
      }
      // What went wrong in stopping would show a moment later.
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
