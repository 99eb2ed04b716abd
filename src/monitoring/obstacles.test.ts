import { describe, expect, it } from 'vitest';
import { findObstacles } from './obstacles.ts';

const now = 1_000_000;
const calm = { crashesInARow: 0, sinceCrashMs: Number.POSITIVE_INFINITY };
const healthy: Parameters<typeof findObstacles>[0] = {
  stopping: false,
  warm: true,
  pingDatabase: async () => true,
  findStorageObstacles: async () => [],
  pools: () => ({ imaging: calm, cutout: calm }),
  findOldestJob: async () => undefined,
  maxJobAgeMs: 1_000,
  clock: () => now,
};

describe('a service', () => {
  it('without faults has no obstacles', async () => {
    expect(await findObstacles({ ...healthy, findOldestJob: async () => new Date(now - 1_000) })).toEqual([]);
  });

  it('names every obstacle', async () => {
    const found = await findObstacles({
      ...healthy,
      stopping: true,
      warm: false,
      findStorageObstacles: async () => ['the disk has 1 MiB free'],
      pools: () => ({ imaging: { crashesInARow: 3, sinceCrashMs: 10 }, cutout: calm }),
      findOldestJob: async () => new Date(now - 1_001),
    });
    expect(found).toEqual([
      'the service is stopping',
      'the removal engine is warming up',
      '3 imaging processes have died in a row',
      'the disk has 1 MiB free',
      'a photo has waited 1 s for its cutout',
    ]);
  });

  it('tolerates two crashes, and any number of crashes that are older than a minute', async () => {
    for (const crashed of [
      { crashesInARow: 2, sinceCrashMs: 0 },
      { crashesInARow: 9, sinceCrashMs: 60_000 },
    ]) {
      expect(await findObstacles({ ...healthy, pools: () => ({ imaging: crashed }) })).toEqual([]);
    }
  });

  it('reports a database that does not respond, and makes no further queries', async () => {
    const found = await findObstacles({
      ...healthy,
      pingDatabase: async () => false,
      findOldestJob: () => Promise.reject(new Error('unexpected query: the database does not respond')),
    });
    expect(found).toEqual(['the database does not respond']);
  });
});
