/**
 * For `vitest.config.ts`: removes stubs after each test file, even if a test failed, because the files share a process.
 */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
