/** For `vitest.config.ts`: a file leaves nothing stubbed to the files that share its process, even if a test of it fails. */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
