/** A placeholder for a check with a clock that jumps: it only reports why this check is skipped. */
import type { Run } from './run.ts';

export async function checkClock(run: Run): Promise<void> {
  run.skip(
    'a clock that jumps',
    'Linux time namespaces move the monotonic clocks only, and setting the wall clock would move it for the whole machine; libfaketime is not part of this project',
  );
}
