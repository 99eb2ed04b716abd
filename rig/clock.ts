/** Checks the service with a clock that jumps. Skipped if the system cannot fake the time for a single process. */
import type { Run } from './run.ts';

export async function checkClock(run: Run): Promise<void> {
  run.skip(
    'a clock that jumps',
    'Linux time namespaces move the monotonic clocks only, and setting the wall clock would move it for the whole machine; libfaketime is not part of this project',
  );
}
