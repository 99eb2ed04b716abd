/** For `vitest.config.ts`: one service for all test files that need no settings of their own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedFolderName, sharedUrlName } from './fleet.ts';
import { endProcess, spawnService } from './process.ts';
import { testEnvironment } from './service.ts';

export default async function setUp(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-shared-'));
  // The service gets two imaging processes, because several test processes call it at once. It prerenders nothing, like
  // a service with one imaging process.
  const { url, child } = await spawnService(dataDir, {
    ...testEnvironment,
    RENDER_WORKERS: '2',
    DRAW_AHEAD: 'off',
  });
  process.env[sharedUrlName] = url;
  process.env[sharedFolderName] = dataDir;
  return async () => {
    delete process.env[sharedUrlName];
    await endProcess(child, 'SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  };
}
