/** Converts HEIC photos, each in a fresh child process with limits on its memory and time. */

import { isStopping, PackshotError } from 'packshot-errors';
import { type ImageLimits, sniffFormat } from 'packshot-photos';
import type { HeicConverter } from '../designs/inspect-photo.ts';
import { createFairSemaphore } from '../fair-semaphore.ts';
import { priorities } from '../tasks.ts';
import { readAnswer, startChild } from './child.ts';
import type { HeicTask } from './heic-worker.ts';

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
  const closing = new AbortController();

  async function convert(bytes: Uint8Array, limits: ImageLimits, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    const guard = { residentBytes: residentBase + limits.maxPixels * residentPerPixel };
    const child = startChild({ script, argument: null, runsAt: 'normal', isQuiet: true });
    const task = 'convert';
    const input: HeicTask = { bytes, limits, guard };
    try {
      const { answer } = await child.call({ task, input, signal, timeoutMs, graceAfterAbortMs: 0 });
      return readAnswer(task, answer) as Uint8Array;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PackshotError) throw error;
      throw new PackshotError(
        'image_undecodable',
        'The HEIC photo cannot be decoded here. Save it again as JPEG or PNG.',
        { cause: error },
      );
    } finally {
      void child.end();
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
      closing.abort(isStopping());
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
