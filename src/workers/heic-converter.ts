/** Converts HEIC photos, each in a fresh child process with limits on its memory and time. */
import { type ChildProcess, fork } from 'node:child_process';
import type { ImageLimits } from '../designs/image-limits.ts';
import type { HeicConverter } from '../designs/inspect-photo.ts';
import { sniffFormat } from '../designs/sniff-format.ts';
import { PackshotError } from '../errors.ts';
import { createFairSemaphore } from '../fair-semaphore.ts';
import { priorities } from '../tasks.ts';
import { childEnvironment } from './child-environment.ts';
import type { HeicTask } from './heic-worker.ts';
import type { Answer } from './serve-tasks.ts';

export interface ClosableConverter extends HeicConverter {
  close(): Promise<void>;
}

/** Ten times as long as a photo of 50 megapixels takes on an idle core. */
const timeoutMs = 60_000;
/**
 * Maximum memory of a child, in bytes: this base, and `residentPerPixel` for each permitted pixel. A child takes 110 MB
 * once libheif and sharp are loaded, and 560 MB in total while it converts 50 megapixels.
 */
const residentBase = 256e6;
const residentPerPixel = 24;
/** Two, because each child may use almost 1.5 GB at the default limit of 50 megapixels. */
const maxConcurrent = 2;

export function createHeicConverter(
  script = new URL('./heic-worker.ts', import.meta.url),
): ClosableConverter {
  const places = createFairSemaphore({ places: maxConcurrent, maxPerAccount: 1 });
  const children = new Set<ChildProcess>();
  const closing = new AbortController();

  async function convert(bytes: Uint8Array, limits: ImageLimits, signal: AbortSignal): Promise<Uint8Array> {
    const { maxPixels } = limits;
    const guard = { residentBytes: residentBase + maxPixels * residentPerPixel };
    const child = startChild(script);
    children.add(child);
    try {
      const answer = await ask(
        child,
        { bytes, limits, guard },
        AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      );
      signal.throwIfAborted();
      if (answer?.ok) return answer.value as Uint8Array;
      if (answer && 'code' in answer)
        throw new PackshotError(answer.code, answer.message, { cause: answer.cause });
      throw new PackshotError(
        'image_undecodable',
        'The HEIC photo cannot be decoded here. Save it again as JPEG or PNG.',
        { cause: answer?.message ?? 'the process ended, was too large or took too long' },
      );
    } finally {
      child.kill('SIGKILL');
      children.delete(child);
    }
  }

  return {
    async toReadable(bytes, limits, { signal, account, urgency }) {
      if (!isHeic(bytes)) return bytes;
      if (bytes.byteLength > limits.maxBytes)
        throw new PackshotError('file_too_large', `The file is larger than ${limits.maxBytes} bytes.`);
      const within = AbortSignal.any([signal, closing.signal]);
      return places.hold({ account, priority: priorities[urgency], signal: within }, () =>
        convert(bytes, limits, within),
      );
    },
    async close() {
      closing.abort(new PackshotError('not_ready', 'The service is stopping.', { retryAfterS: 5 }));
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** Returns false for files that are not pictures; the image reader rejects those later. */
function isHeic(bytes: Uint8Array): boolean {
  try {
    return sniffFormat(bytes) === 'heic';
  } catch {
    return false;
  }
}

function startChild(script: URL): ChildProcess {
  return fork(script, [], {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: childEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Resolves with undefined if the child exits or is killed before it answers. */
function ask(child: ChildProcess, task: HeicTask, signal: AbortSignal): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  child.once('message', (answer) => resolve(answer as Answer));
  child.once('exit', () => resolve(undefined));
  child.once('error', () => resolve(undefined));
  const end = () => void child.kill('SIGKILL');
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  child.send(task, (error) => {
    if (error) resolve(undefined);
  });
  return promise.finally(() => signal.removeEventListener('abort', end));
}
