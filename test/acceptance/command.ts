/** Runs the command line in a separate process, as a user would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
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
    env: {
      ...process.env,
      REMOVAL_ENGINE: 'keyer',
      RENDER_WORKERS: '1',
      SCENE_DETAIL: 'draft',
      ...env,
      ...(env.DATA_DIR !== undefined && settingsOf(env.DATA_DIR)),
    },
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

export const packshot = (
  words: readonly string[],
  options?: Parameters<typeof startPackshot>[1],
): Promise<Ended> => startPackshot(words, options).ended;

/** The JSON lines of a run's output. */
// biome-ignore lint/suspicious/noExplicitAny: a test that reads a missing field fails.
export function linesOf({ stdout }: Ended): any[] {
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
