/** Child processes that stand still until they are let go: what is being drawn then hangs on no machine's speed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { findChildren } from './process-tree.ts';
import type { Client } from './service.ts';

/** Finding the children needs /proc. */
export const canHold = process.platform === 'linux';

/** Nothing waits for it unless it fails. */
const patienceMs = 60_000;

/** Stops the children of this name, of which there must be one; the answer lets them go on, where they still live. */
export async function holdChildren(parentPid: number, script: string): Promise<() => void> {
  const pids = (await findChildren(parentPid, script)).map(({ pid }) => pid);
  if (pids.length === 0) throw new Error(`there is no ${script} to hold`);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await untilSame(async () => {
    const found = await findChildren(parentPid, script);
    return found.map(({ state }) => state).filter((state) => state !== 'T');
  }, []);
  return () => {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // Killed by its service meanwhile.
      }
    }
  };
}

/** Resolves once so many tasks are with the imaging processes or in line for them, by the service's own account. */
export async function untilImaging({ call }: Pick<Client, 'call'>, tasks: number): Promise<void> {
  await untilSame(async () => {
    const text = await (await call('/metrics')).text();
    const read = (what: string) =>
      Number(new RegExp(`^packshot_pool_${what}\\{pool="imaging"\\} (\\d+)$`, 'm').exec(text)?.[1]);
    return read('busy') + read('waiting');
  }, tasks);
}

async function untilSame<T>(look: () => Promise<T>, expected: T): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (String(found) === String(expected)) return;
    if (performance.now() > endsAt) throw new Error(`${found} for a minute, not ${expected}`);
    await sleep(10);
  }
}
