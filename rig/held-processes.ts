/** Suspends child processes until they are released, so that tests do not depend on the machine's speed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { findChildren } from './process-tree.ts';
import type { Client } from './service.ts';

/** Whether children can be suspended: finding them needs /proc. */
export const canHold = process.platform === 'linux';

/** Timeout in ms; only a failing test waits this long. */
const patienceMs = 60_000;

/**
 * Suspends the children whose entry file is `script`; there must be at least one. The returned function resumes the
 * children that still run.
 */
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
        // The service has killed this child in the meantime.
      }
    }
  };
}

/** Resolves once this many tasks are running or queued in the imaging processes, by the service's metrics. */
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
