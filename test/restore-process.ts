/**
 * For `vitest.config.ts`: removes stubs after each file, even if a test failed, because files share a
 * process.
 */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
