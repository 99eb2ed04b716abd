/** The service in a separate process, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { followOutput } from '../../rig/service.ts';
import { client, type Service, testKey } from './service.ts';

export interface ServiceProcess extends Pick<Service, 'url' | 'key' | 'call' | 'upload'> {
  readonly child: ChildProcess;
  /** All output so far, of standard output and standard error. */
  output(): string;
}

/**
 * `through`: a command that starts the service, such as unshare; the service's command is appended. `detached`: runs
 * the service in its own process group, as a shell does. `program`: the entry file of another installation, or a
 * program that starts the service when it is called with `word`.
 */
export async function spawnService(
  dataDir: string,
  environment: Record<string, string> = {},
  through: readonly string[] = [],
  {
    node = process.execPath,
    detached = false,
    program = 'bin/packshot.js',
    word = 'serve',
  }: { node?: string; detached?: boolean; program?: string; word?: string } = {},
): Promise<ServiceProcess> {
  const [command = '', ...input] = [...through, node, program, word];
  const child = spawn(command, input, {
    detached,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      REMOVAL_ENGINE: 'keyer',
      BOOTSTRAP_API_KEY: testKey,
      RATE_PER_SECOND: '1000',
      RATE_BURST: '1000',
      MAX_IN_FLIGHT: '1000',
      RENDER_WORKERS: '1',
      SCENE_DETAIL: 'draft',
      PREVIEW_DEADLINE_MS: '60000',
      FULL_DEADLINE_MS: '60000',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { output, untilListening } = followOutput(child);
  return { ...client(await untilListening(), testKey), child, output };
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const [code] = await ended;
  return code;
}
