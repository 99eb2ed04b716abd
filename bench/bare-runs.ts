/** Runs only the neural network, in a process of its own: the baseline of the benchmarks. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** `cacheDir` holds the optimized copy of the network. `run` resolves to the milliseconds of one run at 1024 px. */
export async function openBareRuns(cacheDir: string) {
  const child = fork(fileURLToPath(new URL('bare-session.ts', import.meta.url)), [cacheDir], {
    stdio: 'inherit',
  });
  await once(child, 'message');
  return {
    async run(): Promise<number> {
      child.send('run');
      const [ms] = (await once(child, 'message')) as [number];
      return ms;
    },
    end: () => void child.kill(),
  };
}
