/** The service's processes on Linux: the process tree and its memory. */
import { readdir, readFile } from 'node:fs/promises';

export interface TreeProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  /** One letter: `T` is stopped, `Z` is a zombie. */
  readonly state: string;
}

async function findProcess(pid: number): Promise<TreeProcess | undefined> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    // The process name in parentheses may contain spaces and parentheses.
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), command: command.replaceAll('\0', ' '), state };
  } catch {
    // The process has ended in the meantime.
    return undefined;
  }
}

/** `root` and all its descendants, without zombies. */
export async function findTree(root: number): Promise<TreeProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = (await Promise.all(pids.map(findProcess))).filter((found) => found !== undefined);
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree.filter(({ state }) => state !== 'Z');
}

/** Descendants of `root` whose command line contains `script`, such as `imaging-worker`. */
export async function findChildren(root: number, script: string): Promise<TreeProcess[]> {
  return (await findTree(root)).filter(({ pid, command }) => pid !== root && command.includes(script));
}

/** Proportional set size of the whole tree, which counts shared pages once. */
export async function readTreeBytes(root: number): Promise<number> {
  return (await readTreeMemory(root)).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Proportional set size of each process, largest first. A child is named after its entry file. */
export async function readTreeMemory(
  root: number,
): Promise<{ readonly name: string; readonly bytes: number }[]> {
  const processes = await Promise.all(
    (await findTree(root)).map(async ({ pid, command }) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      const name = /(\w+)-worker\.[jt]s/.exec(command)?.[1] ?? 'main';
      return { name, bytes: 1024 * Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) };
    }),
  );
  return processes.sort((a, b) => b.bytes - a.bytes);
}

export const inMB = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
