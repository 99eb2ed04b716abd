/** Memory of this process and its children, which do most of the work and use most of the memory. */
import { readdir, readFile } from 'node:fs/promises';

/** Resident bytes by kind of process; shared pages are counted in each process. Empty without /proc. */
export async function measureProcessTree(): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  try {
    await addProcess(process.pid, 'server', sums);
    for (const pid of await listChildren(process.pid)) await addProcess(pid, await nameChild(pid), sums);
  } catch {
    // /proc exists only on Linux; elsewhere the default metrics report this process's memory.
  }
  return sums;
}

async function listChildren(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    // A thread that has exited since has no children.
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ').filter((one) => one !== '')).map(Number);
}

/** Names a child after its entry file (`imaging-worker.ts`, in the published package `.js`, is `imaging`), so there are only a few label values. */
async function nameChild(pid: number): Promise<string> {
  return nameProcess(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
}

export function nameProcess(command: string): string {
  return /\/([a-z]+)-worker\.[jt]s/.exec(command)?.[1] ?? 'other';
}

async function addProcess(pid: number, name: string, sums: Map<string, number>): Promise<void> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kB = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  if (kB > 0) sums.set(name, (sums.get(name) ?? 0) + kB * 1024);
}
