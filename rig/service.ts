/** A Packshot service over HTTP: a local process, or a remote one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface CallOptions extends RequestInit {
  /** Sent as the body of a POST. */
  readonly json?: unknown;
  /** Replaces the client's key; null sends none. */
  readonly key?: string | null;
}

export interface Client {
  readonly url: string;
  readonly key: string;
  call(path: string, options?: CallOptions): Promise<Response>;
  /** Uploads and returns the id; throws on any error. */
  upload(photo: Buffer): Promise<string>;
}

export interface OwnService extends Client {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Time from the start of the process to its first response, in milliseconds. */
  readonly startMs: number;
  /** All output so far, of both streams. */
  output(): string;
}

export const program = fileURLToPath(new URL('../bin/packshot.js', import.meta.url));
const bootstrapKey = 'the-key-of-the-strangers-rig';

export function openClient(url: string, key: string): Client {
  async function call(path: string, { json, key: ownKey = key, ...init }: CallOptions = {}) {
    const headers = new Headers(init.headers);
    if (ownKey !== null) headers.set('x-api-key', ownKey);
    return fetch(url + path, {
      ...init,
      headers,
      ...(json !== undefined && { method: init.method ?? 'POST', body: JSON.stringify(json) }),
    });
  }
  return {
    url,
    key,
    call,
    async upload(photo) {
      const response = await call('/v1/design/image-upload', { method: 'POST', body: formWith(photo) });
      if (response.status !== 200) throw new Error(`upload: ${response.status} ${await response.text()}`);
      const { id } = (await response.json()) as { id: string };
      return id;
    },
  };
}

export function formWith(photo: Uint8Array, field = 'file', name = 'photo.jpg'): FormData {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(photo)]), name);
  return form;
}

/** Higher rate limits, because these limits have their own tests; an engine that leaves CPU time for the checks. */
const defaults = {
  HOST: '127.0.0.1',
  PORT: '0',
  REMOVAL_ENGINE: process.env.REMOVAL_ENGINE ?? 'keyer',
  BOOTSTRAP_API_KEY: bootstrapKey,
  RATE_PER_SECOND: '10000',
  RATE_BURST: '10000',
  MAX_IN_FLIGHT: '10000',
};

/** Settings for checks in which no response may fail merely because the machine is slow. */
export const unhurried = { PREVIEW_DEADLINE_MS: '120000', FULL_DEADLINE_MS: '120000' };

export async function startService(
  dataDir: string,
  environment: Record<string, string>,
  through: readonly string[],
): Promise<OwnService> {
  const [command = '', ...input] = [...through, process.execPath, program, 'serve'];
  const startedAt = performance.now();
  const child = spawn(command, input, {
    env: { ...process.env, ...defaults, DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { output, untilListening } = followOutput(child);
  const url = await untilListening();
  await fetch(`${url}/healthz`);
  const startMs = performance.now() - startedAt;
  return { ...openClient(url, bootstrapKey), child, dataDir, startMs, output };
}

/**
 * `output` returns all output of a service process so far, of both streams. `untilListening` resolves to the URL that
 * the process prints, or rejects if the process ends first.
 */
export function followOutput(child: ChildProcess): { output(): string; untilListening(): Promise<string> } {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let ended = false;
  // `close` fires after all output has been read; `exit` may fire before.
  child.once('close', () => {
    ended = true;
  });
  return {
    output: () => output,
    async untilListening() {
      for (;;) {
        const url = /listens on (http:\/\/\S+?)[;.]? /.exec(output)?.[1];
        if (url) return url;
        if (ended) throw new Error(`the service ended: ${output}`);
        await sleep(20);
      }
    },
  };
}

/** Returns the exit code; null if a signal ended the process. */
export async function stopService({ child }: OwnService, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const [code] = await ended;
  return code;
}

export async function untilReady(client: Client): Promise<void> {
  const patience = AbortSignal.timeout(120_000);
  while ((await fetch(`${client.url}/readyz`, { signal: patience })).status !== 200) await sleep(50);
}

export const white = { recipeId: 'Solid1_1_0035', variant: '1:1' };
export const transparent = { recipeId: 'Transp001', variant: '1:1' };
