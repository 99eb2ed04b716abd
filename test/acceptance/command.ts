/** Runs the command line: in this process, or in a separate one, as a user would. */
import { spawn } from 'node:child_process';
import { Console } from 'node:console';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/commands/command-line.ts';
import { settingsOf } from './service.ts';

export interface Ended {
  /** The exit code; null if a signal ended the command. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  /** Resolves once the output on standard error matches. */
  said(words: RegExp): Promise<void>;
  readonly ended: Promise<Ended>;
}

interface HowToStart {
  readonly env?: Record<string, string>;
  /** Standard input; empty if omitted. */
  readonly input?: Buffer;
  readonly cwd?: string;
  readonly node?: string;
  /** Runs the command in a separate process group, as a shell does. */
  readonly detached?: boolean;
}

export function startPackshot(
  words: readonly string[],
  { env = {}, input = Buffer.of(), cwd, node = process.execPath, detached = false }: HowToStart = {},
): Started {
  const program = new URL('../../bin/packshot.js', import.meta.url).pathname;
  const child = spawn(node, [program, ...words], {
    detached,
    env: environmentOf(env),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  child.stdin.on('error', () => undefined).end(input);
  const out: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (words: string) => {
    said += words;
  });
  const stderr = text(child.stderr);
  return {
    pid: child.pid!,
    async said(words) {
      while (!words.test(said)) {
        await Promise.race([once(child.stderr, 'data'), stderr]);
        if (child.stderr.readableEnded && !words.test(said))
          throw new Error(`the command ended without printing ${words}: ${said}`);
      }
    },
    ended: once(child, 'close').then(async ([code]) => ({
      code,
      stdout: Buffer.concat(out),
      stderr: await stderr,
    })),
  };
}

const environmentOf = (env: Record<string, string>) => ({
  ...process.env,
  REMOVAL_ENGINE: 'keyer',
  RENDER_WORKERS: '1',
  SCENE_DETAIL: 'draft',
  ...env,
  ...(env.DATA_DIR !== undefined && settingsOf(env.DATA_DIR)),
});

/** For tests of the process itself: whether it ends, its exit code, its working directory. */
export const packshotProcess = (
  words: readonly string[],
  options?: Parameters<typeof startPackshot>[1],
): Promise<Ended> => startPackshot(words, options).ended;

class Exit extends Error {}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, which has loaded the program already: starting a process takes longer than most
 * commands. Only one command runs at a time, because each replaces the environment and the standard streams.
 */
export function packshot(
  words: readonly string[],
  { env = {}, input = Buffer.of(), cwd = process.cwd() }: Pick<HowToStart, 'env' | 'input' | 'cwd'> = {},
): Promise<Ended> {
  const ended = last.then(() => runHere(words, { env, input, cwd }));
  last = ended.catch(() => undefined);
  return ended;
}

async function runHere(
  words: readonly string[],
  { env, input, cwd }: Required<Pick<HowToStart, 'env' | 'input' | 'cwd'>>,
): Promise<Ended> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([buffer(out), text(err)]);
  const { env: ownEnvironment, exitCode: ownExitCode } = process;
  const [ownConsole, ownFolder] = [globalThis.console, process.cwd()];
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin),
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(out as unknown as typeof process.stdout),
    vi.spyOn(process, 'stderr', 'get').mockReturnValue(err as unknown as typeof process.stderr),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      if (code !== undefined) process.exitCode = code;
      throw new Exit();
    }),
  ];
  process.env = environmentOf(env);
  process.exitCode = undefined;
  globalThis.console = new Console(out, err);
  process.chdir(cwd);
  try {
    await runCommandLine(words);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.chdir(ownFolder);
    process.env = ownEnvironment;
    globalThis.console = ownConsole;
    out.end();
    err.end();
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = ownExitCode;
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}

/** What a command prints on standard output; throws what it prints on standard error if it fails. */
export async function printedBy(words: readonly string[], env: Record<string, string>): Promise<string> {
  const ended = await packshot(words, { env });
  if (ended.code !== 0) throw Object.assign(new Error(ended.stderr), ended);
  return ended.stdout.toString();
}

/** The JSON lines of a run's output. */
// biome-ignore lint/suspicious/noExplicitAny: a test that reads a missing field fails.
export function linesOf({ stdout }: Ended): any[] {
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
